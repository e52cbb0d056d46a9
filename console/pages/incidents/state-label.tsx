import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { IncidentState } from '../../../contract/states.ts';
import { stateNames } from './incident-words.ts';

const looks: Readonly<Record<IncidentState, [StatusIndicatorProps.Type, StatusIndicatorProps.Color?]>> = {
  new: ['info', 'blue'],
  in_progress: ['in-progress', 'blue'],
  on_hold: ['stopped', 'grey'],
  reopened: ['warning'],
  resolved: ['success'],
  closed: ['success', 'grey'],
  cancelled: ['not-started', 'grey'],
};

export function StateLabel({ state }: { state: IncidentState }) {
  const [type, color] = looks[state];
  return (
    <StatusIndicator wrapText={false} type={type} {...(color ? { colorOverride: color } : {})}>
      {stateNames[state]}
    </StatusIndicator>
  );
}
