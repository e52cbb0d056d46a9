import Badge, { type BadgeProps } from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { IncidentState, Priority } from '../../../contract/states.ts';
import { useNow } from '../../ui/screen.ts';
import { formatTime } from '../../ui/time.ts';
import { type Incident, priorityNames, stateNames } from './incident-words.ts';
import { getSlaCountdown, type SlaStatus } from './sla.ts';

const colors: Readonly<Record<Priority, NonNullable<BadgeProps['color']>>> = {
  P1: 'severity-critical',
  P2: 'severity-high',
  P3: 'severity-medium',
  P4: 'severity-low',
};

/** Shows the priority by color and by text. */
export function PriorityBadge({ priority }: { priority: Priority }) {
  return (
    <span title={priorityNames[priority]}>
      <Badge color={colors[priority]}>{priority}</Badge>
    </span>
  );
}

const stateLabelLooks: Readonly<Record<IncidentState, [StatusIndicatorProps.Type, StatusIndicatorProps.Color?]>> = {
  new: ['info', 'blue'],
  in_progress: ['in-progress', 'blue'],
  on_hold: ['stopped', 'grey'],
  reopened: ['warning'],
  resolved: ['success'],
  closed: ['success', 'grey'],
  cancelled: ['not-started', 'grey'],
};

export function StateLabel({ state }: { state: IncidentState }) {
  const [type, color] = stateLabelLooks[state];
  return (
    <StatusIndicator wrapText={false} type={type} {...(color ? { colorOverride: color } : {})}>
      {stateNames[state]}
    </StatusIndicator>
  );
}

const tickMs = 10_000;

const slaLabelLooks: Readonly<Record<Exclude<SlaStatus, 'ended'>, StatusIndicatorProps.Type>> = {
  running: 'pending',
  warning: 'warning',
  breached: 'error',
  paused: 'stopped',
};

/** A countdown to the SLA breach. */
export function SlaLabel({ incident }: { incident: Incident }) {
  const now = useNow(tickMs);
  const { status, text } = getSlaCountdown(incident, now);
  if (status === 'ended') return <Box color="text-status-inactive">–</Box>;
  return (
    <span
      title={incident.sla_breach_at ? `Breaches at ${formatTime(incident.sla_breach_at)}` : 'The SLA clock is paused'}
    >
      <StatusIndicator wrapText={status === 'breached'} type={slaLabelLooks[status]}>
        {text}
      </StatusIndicator>
    </span>
  );
}
