import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { InboundWebhook } from '../../resources/webhook-words.ts';
import { Panel } from '../../ui/layouts.tsx';
import { buildSampleCommand } from './sample-payload.ts';
import { useFreshSecret } from './webhook-page.tsx';

/** A command that sends a sample event, signed if the webhook requires it. */
export function SampleCommand({ webhook }: { webhook: InboundWebhook }) {
  const secret = useFreshSecret(webhook.id);
  const command = buildSampleCommand(webhook, secret);
  return (
    <Panel
      title="Sample command"
      description="Paste it into a shell to send a sample event."
      actions={
        <CopyToClipboard
          copyButtonText="Copy command"
          copySuccessText="Copied"
          copyErrorText="Could not copy"
          textToCopy={command}
        />
      }
    >
      <SpaceBetween size="xs">
        <pre className="command" data-testid="sample-command">
          {command}
        </pre>
        {webhook.secret_enabled && secret === undefined && (
          <Box color="text-body-secondary" fontSize="body-s">
            Replace whsec_… with the secret of this webhook. If you do not have it, rotate the secret.
          </Box>
        )}
      </SpaceBetween>
    </Panel>
  );
}
