import Box from '@cloudscape-design/components/box';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { IncidentState, Priority } from '../../contract/states.ts';
import { useNow } from '../ui/screen.ts';
import { Duration } from '../ui/text.tsx';
import { type Incident, priorityNames, stateNames } from './incident-words.ts';
import { describeSla, getSlaCountdown, type SlaStatus } from './sla.ts';

/** Shows the priority by color and by text. Cloudscape's dark theme makes P2 more alarming than P1. */
export function PriorityBadge({ priority }: { priority: Priority }) {
  return (
    <span className={`priority priority-${priority}`} title={priorityNames[priority]}>
      {priority}
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
  const { status, remainingMs } = getSlaCountdown(incident, now);
  if (status === 'ended') return <Box color="text-status-inactive">–</Box>;
  return (
    <span title={describeSla(incident)}>
      <StatusIndicator wrapText={status === 'breached'} type={slaLabelLooks[status]}>
        <Remaining status={status} lengthMs={remainingMs} />
      </StatusIndicator>
    </span>
  );
}

function Remaining({ status, lengthMs }: { status: SlaStatus; lengthMs: number }) {
  if (status === 'paused') return 'Paused';
  if (status !== 'breached') return <Duration lengthMs={lengthMs} />;
  return (
    <>
      Breached <Duration lengthMs={lengthMs} suffix=" ago" />
    </>
  );
}
