import type { IncidentState, Priority } from '../../contract/states.ts';
import { Box, Status, type StatusType, type Tone } from '../ui/kit/index.ts';
import { useNow } from '../ui/screen.ts';
import { Duration } from '../ui/text.tsx';
import { formatLargestUnit } from '../ui/time.ts';
import { priorityNames, stateNames } from './incident-words.ts';
import { describeSla, getSlaCountdown, type SlaRecord, type SlaStatus } from './sla.ts';

/** Shows the priority by color and by text. */
export function PriorityBadge({ priority }: { priority: Priority }) {
  return (
    <span className={`priority priority-${priority}`} title={priorityNames[priority]}>
      {priority}
    </span>
  );
}

const stateLabelLooks: Readonly<Record<IncidentState, [StatusType, Tone?]>> = {
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
    <Status unbroken type={type} tone={color}>
      {stateNames[state]}
    </Status>
  );
}

const tickMs = 10_000;

const slaLabelLooks: Readonly<Record<Exclude<SlaStatus, 'ended'>, StatusType>> = {
  running: 'pending',
  warning: 'warning',
  breached: 'error',
  paused: 'stopped',
  paused_breached: 'error',
};

/** A countdown to the SLA breach. */
export function SlaLabel({ incident }: { incident: SlaRecord }) {
  const now = useNow(tickMs);
  const { status, remainingMs } = getSlaCountdown(incident, now);
  if (status === 'ended') return <Box muted>–</Box>;
  return (
    <span title={describeSla(incident)}>
      <Status unbroken type={slaLabelLooks[status]}>
        <Remaining status={status} lengthMs={remainingMs} />
      </Status>
    </span>
  );
}

function Remaining({ status, lengthMs }: { status: SlaStatus; lengthMs: number }) {
  if (status === 'paused') return 'Paused';
  if (status === 'paused_breached') return 'Paused and breached';
  if (status !== 'breached') return <Duration lengthMs={lengthMs} />;
  return `Breached ${formatLargestUnit(lengthMs)} ago`;
}

/** For a change or a request that a policy covers. */
export function slaFacts(record: SlaRecord) {
  const isCovered = record.sla_breach_at !== null || record.sla_breached_at;
  return isCovered ? [{ label: 'SLA', value: <SlaLabel incident={record} /> }] : [];
}
