import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { type JobSummary, jobStatusNames } from './job-words.ts';

const looks: Readonly<Record<JobSummary['status'], StatusIndicatorProps.Type>> = {
  queued: 'pending',
  running: 'in-progress',
  completed: 'success',
  completed_with_errors: 'warning',
  failed: 'error',
};

export function JobStatus({ status }: Pick<JobSummary, 'status'>) {
  return (
    <StatusIndicator wrapText={false} type={looks[status]}>
      {jobStatusNames[status]}
    </StatusIndicator>
  );
}
