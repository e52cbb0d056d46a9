import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createStore } from '../../../store.ts';
import { useStore } from '../../../use-store.ts';

// A secret is shown once, by the page of its webhook, which may come after the page that made it. It is in the memory of
// this page alone: whoever reloads or dismisses it has to rotate it to see one again.

const fresh = createStore<{ id: string; secret: string } | undefined>(undefined);

export function keepSecret(id: string, secret: string | undefined): void {
  if (secret !== undefined) fresh.set({ id, secret });
}

export function FreshSecret({ id, what }: { id: string; what: string }) {
  const shown = useStore(fresh);
  if (shown?.id !== id) return null;
  return (
    <Alert
      type="warning"
      header="Copy your secret"
      dismissible
      dismissAriaLabel="Dismiss"
      onDismiss={() => fresh.set(undefined)}
    >
      <SpaceBetween size="xs">
        <Box>{what} You cannot view it again.</Box>
        <span className="wrapping" data-testid="secret">
          <CopyToClipboard
            variant="inline"
            copyButtonAriaLabel="Copy secret"
            copySuccessText="Copied"
            copyErrorText="Could not copy"
            textToCopy={shown.secret}
          />
        </span>
      </SpaceBetween>
    </Alert>
  );
}
