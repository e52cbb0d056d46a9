import type { InboundWebhook } from '../../resources/webhook-words.ts';
import { Box, CopyButton, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { buildSampleCommand, useSample } from './sample-payload.ts';
import { useFreshSecret } from './webhook-page.tsx';

/** A command that sends a sample event, signed if the webhook requires it. */
export function SampleCommand({ webhook }: { webhook: InboundWebhook }) {
  const secret = useFreshSecret(webhook.id);
  const sample = useSample(webhook);
  if (sample === undefined) return null;
  const command = buildSampleCommand(webhook, sample, secret);
  return (
    <Panel
      title="Sample command"
      description="Paste it into a shell to send a sample event."
      actions={<CopyButton label="Copy command" text="Copy command" value={command} />}
    >
      <Stack gap="xs">
        <pre className="command" data-testid="sample-command">
          {command}
        </pre>
        {webhook.secret_enabled && secret === undefined && (
          <Box muted small>
            Replace whsec_… with the secret of this webhook. If you do not have it, rotate the secret.
          </Box>
        )}
      </Stack>
    </Panel>
  );
}
