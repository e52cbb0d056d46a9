import type { ServiceClient } from '../../../client/index.ts';

export type Job = Awaited<ReturnType<ServiceClient['getJob']>>;

export type JobSummary = Awaited<ReturnType<ServiceClient['listJobs']>>['data'][number];

export function isFinished({ status }: Pick<JobSummary, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

const verbs: Readonly<Record<JobSummary['operation'], string>> = {
  create: 'Create',
  update: 'Update',
  discover: 'Discover',
};

const things: Readonly<Record<JobSummary['record_type'], { one: string; many: string }>> = {
  incident: { one: 'incident', many: 'incidents' },
  ci: { one: 'configuration item', many: 'configuration items' },
};

export function formatJobName({ operation, record_type }: JobSummary): string {
  return `${verbs[operation]} ${things[record_type].many}`;
}

/** `3 incidents` */
export function formatCount(count: number, { record_type }: Pick<JobSummary, 'record_type'>): string {
  return `${count} ${count === 1 ? things[record_type].one : things[record_type].many}`;
}

export const jobStatusNames: Readonly<Record<JobSummary['status'], string>> = {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  completed_with_errors: 'Completed with errors',
  failed: 'Failed',
};
