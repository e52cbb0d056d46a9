import type { ServiceClient } from '../../../client/index.ts';

export type Job = Awaited<ReturnType<ServiceClient['getJob']>>;

export type JobSummary = Awaited<ReturnType<ServiceClient['listJobs']>>['data'][number];

export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}`;

export function isFinished({ status }: Pick<JobSummary, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

export const operationNames: Readonly<Record<JobSummary['operation'], string>> = {
  create: 'Create incidents',
  update: 'Update incidents',
};

export const jobStatusNames: Readonly<Record<JobSummary['status'], string>> = {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  completed_with_errors: 'Completed with errors',
  failed: 'Failed',
};
