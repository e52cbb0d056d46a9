import Box from '@cloudscape-design/components/box';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { momentText } from '../../time-text.ts';
import { useNow } from '../../use-now.ts';
import type { Incident } from './incident-words.ts';
import { type SlaStatus, slaCountdown } from './sla-countdown.ts';

const tickMs = 10_000;

const looks: Readonly<Record<Exclude<SlaStatus, 'ended'>, StatusIndicatorProps.Type>> = {
  running: 'pending',
  warning: 'warning',
  breached: 'error',
  paused: 'stopped',
};

/** The time to the breach, counting down. */
export function SlaLabel({ incident }: { incident: Incident }) {
  const now = useNow(tickMs);
  const { status, text } = slaCountdown(incident, now);
  if (status === 'ended') return <Box color="text-status-inactive">–</Box>;
  return (
    <span
      title={incident.sla_breach_at ? `Breaches at ${momentText(incident.sla_breach_at)}` : 'The SLA clock is paused'}
    >
      <StatusIndicator wrapText={status === 'breached'} type={looks[status]}>
        {text}
      </StatusIndicator>
    </span>
  );
}
