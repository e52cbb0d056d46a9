import { callLocal, isOnLoopback } from '../../base/local-clock.ts';
import { useLoad } from '../../base/use-load.ts';
import { Box, Button, Expandable, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatTime } from '../../ui/time.ts';

interface OutboxMessage {
  id: string;
  kind: 'email' | 'sms';
  at: string;
  to: string;
  subject: string | null;
  text: string;
}

/** More would make the page long. */
const maxShown = 20;

/** E-mails and text messages of a service on one machine, which sends none without a mail server; nothing on a deployment. */
export function OutboxPanel() {
  const { data, problem, loading, reload } = useLoad(
    ['outbox'],
    async (signal) => (await callLocal('/_local/outbox', { signal })) as { data: OutboxMessage[] },
    { enabled: isOnLoopback() },
  );
  if (!isOnLoopback() || (!data && problem === undefined)) return null;
  const messages = data?.data ?? [];
  return (
    <Panel
      title="Outbox"
      counter={`(${messages.length})`}
      description="E-mails and text messages to people. This machine does not deliver them, unless it is started with SMTP_URL."
      actions={<Button icon="refresh" ariaLabel="Reload the outbox" loading={loading} onClick={reload} />}
    >
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {data && messages.length === 0 && <Box>No messages yet. Send yourself a test page from your profile.</Box>}
      <Stack gap="xs">
        {messages.slice(0, maxShown).map(({ id, kind, at, to, subject, text }) => (
          <Expandable
            key={id}
            title={subject ?? text.split('\n')[0] ?? ''}
            description={`${kind === 'sms' ? 'SMS' : 'E-mail'} to ${to}, ${formatTime(at)}`}
          >
            <pre className="command">{text}</pre>
          </Expandable>
        ))}
      </Stack>
    </Panel>
  );
}
