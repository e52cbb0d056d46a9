import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { CiStatus } from '../../../contract/cis.ts';
import { statusNames } from './ci-words.ts';

const looks: Readonly<Record<CiStatus, StatusIndicatorProps.Type>> = {
  operational: 'success',
  degraded: 'warning',
  down: 'error',
  retired: 'stopped',
};

export function CiStatusLabel({ status }: { status: CiStatus }) {
  return (
    <StatusIndicator wrapText={false} type={looks[status]}>
      {statusNames[status]}
    </StatusIndicator>
  );
}
