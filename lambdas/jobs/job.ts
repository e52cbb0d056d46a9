import type { BulkKind, BulkRequest, JobResult, JobStatus, JobSummary } from '../../contract/jobs.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';

// The rules of a job (docs/decisions/0011-bulk-jobs.md). Every record gets exactly one result, written in the same
// transaction as its effect, so the records without a result are the remaining work.

const lifetimeMs = 30 * 24 * 60 * 60_000;

/** A job is abandoned after this many unfinished runs. Waiting in the queue does not count. */
export const maxRuns = 15;

/** After this time the message of a job is considered lost; a running job may take longer. */
const resendAfterMs = { queued: 2 * 60_000, running: 30 * 60_000 };

/** Messages of a job in a long queue are resent with exponential backoff. */
const maxResendAfterMs = 6 * 60 * 60_000;

export interface Job extends Omit<JobSummary, 'processed' | 'succeeded' | 'failed'> {
  /** The job runs with the roles that the caller had when it was created. */
  caller: Caller;
  counts: Counts;
  /** Number of sent messages. */
  sends: number;
  /** Number of runs by workers; absent in jobs of older releases. */
  runs?: number;
  /** When the redrive checks an unfinished job; null when the job has finished. */
  due_at: string | null;
  /** Incremented with every write, for optimistic locking. */
  revision: number;
}

export interface Counts {
  succeeded: number;
  failed: number;
}

export function newJob(jobId: string, kind: BulkKind, request: BulkRequest, caller: Caller, nowMs: number): Job {
  return {
    job_id: jobId,
    record_type: kind,
    operation: request.operation,
    status: 'queued',
    total: listItems(request).length,
    created_by: caller.email,
    created_at: toIso(nowMs),
    started_at: null,
    finished_at: null,
    caller,
    counts: { succeeded: 0, failed: 0 },
    sends: 1,
    runs: 0,
    due_at: toIso(nowMs + resendAfterMs.queued),
    revision: 1,
  };
}

export function listItems(request: BulkRequest): readonly unknown[] {
  return request.operation === 'update' ? request.ids : request.records;
}

export function startJob(job: Job, nowMs: number): Job {
  const started_at = job.started_at ?? toIso(nowMs);
  const due_at = toIso(nowMs + resendAfterMs.running);
  return { ...job, status: 'running', started_at, runs: (job.runs ?? 0) + 1, due_at };
}

/** Must be called when every record has a result, because no record is processed afterwards. */
export function finishJob(job: Job, counts: Counts, nowMs: number): Job {
  return { ...job, status: getFinalStatus(counts), counts, finished_at: toIso(nowMs), due_at: null };
}

export function markResent(job: Job, nowMs: number): Job {
  const delayMs = Math.min(resendAfterMs.queued * 2 ** Math.min(job.sends, 20), maxResendAfterMs);
  return { ...job, sends: job.sends + 1, due_at: toIso(nowMs + delayMs) };
}

/** Whether so many runs failed that further attempts are useless. */
export function isExhausted({ runs = 0 }: Job): boolean {
  return runs >= maxRuns;
}

export function isDue({ due_at }: Job, nowMs: number): boolean {
  return due_at !== null && Date.parse(due_at) <= nowMs;
}

export function countResults(results: readonly JobResult[]): Counts {
  const succeeded = results.filter(({ status }) => status === 'succeeded').length;
  return { succeeded, failed: results.length - succeeded };
}

/** Indexes of the records without a result. */
export function findUnfinished({ total }: Job, results: readonly JobResult[]): number[] {
  const done = new Set(results.map(({ index }) => index));
  return Array.from({ length: total }, (_, index) => index).filter((index) => !done.has(index));
}

export function toJobResponse(job: Job, counts: Counts = job.counts): JobSummary {
  // Jobs of older releases have no record type; all of them are about incidents.
  const {
    job_id,
    record_type = 'incident',
    operation,
    status,
    total,
    created_by,
    created_at,
    started_at,
    finished_at,
  } = job;
  const processed = counts.succeeded + counts.failed;
  const times = { created_at, started_at, finished_at };
  return { job_id, record_type, operation, status, total, processed, ...counts, created_by, ...times };
}

/** The job is hidden from this time on; DynamoDB deletes it later. */
export function getExpiryMs({ created_at }: Pick<Job, 'created_at'>): number {
  return Date.parse(created_at) + lifetimeMs;
}

function getFinalStatus({ succeeded, failed }: Counts): JobStatus {
  if (failed === 0) return 'completed';
  return succeeded === 0 ? 'failed' : 'completed_with_errors';
}
