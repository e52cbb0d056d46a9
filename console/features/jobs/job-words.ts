import type { ServiceClient } from '../../../client/index.ts';
import { formatFieldName } from '../../records/record-words.ts';
import { ciWords } from '../../resources/ci-words.ts';
import { incidentWords, stateNames } from '../../resources/incident-words.ts';

export type Job = Awaited<ReturnType<ServiceClient['getJob']>>;

export type JobSummary = Awaited<ReturnType<ServiceClient['listJobs']>>['data'][number];

export function isFinished({ status }: Pick<JobSummary, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

const verbs: Readonly<Record<JobSummary['operation'], string>> = {
  create: 'Create',
  update: 'Update',
  discover: 'Discover',
  import: 'Import',
  resolve: 'Resolve',
};

const things: Readonly<Record<JobSummary['record_type'], { one: string; many: string }>> = {
  incident: { one: 'incident', many: 'incidents' },
  problem: { one: 'problem', many: 'problems' },
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

const words = { ...incidentWords, fields: { ...ciWords.fields, ...incidentWords.fields } };

/** The label of a field that the service reports a problem of. */
export const formatJobField = (field: string) => formatFieldName(words, field);

export const formatJobState = (state: string) => Object.entries(stateNames).find(([id]) => id === state)?.[1] ?? state;

/** The detail of a problem, with the names of states instead of their identifiers. */
export function formatJobDetail(detail: string): string {
  return detail.replace(/\b[a-z]+(?:_[a-z]+)*\b/g, (word, at: number) =>
    word.includes('_') || /state $/.test(detail.slice(0, at)) ? formatJobState(word) : word,
  );
}
