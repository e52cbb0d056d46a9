import type { BulkKind, BulkRequest } from '../../contract/bulk-requests.ts';
import type { JobResult, JobStatus, JobSummary } from '../../contract/jobs.ts';
import type { Caller } from '../platform/caller.ts';

// The rules of a job (docs/decisions/0011-bulk-jobs.md). Its work is a list of records; each leaves exactly one result
// behind, written together with its effect, so what is left to do is simply what has no result yet.

const lifetimeMs = 30 * 24 * 60 * 60_000;

/**
 * A job that a worker has begun this often without finishing it is given up. Only runs count: a job whose message waits
 * behind others has not failed, however long it waits.
 */
export const maxRuns = 15;

/** A job that has not begun after this time may have lost its message; a job that has begun may take longer. */
const patienceMs = { queued: 2 * 60_000, running: 30 * 60_000 };

/** Messages of a job that waits in a long queue are sent again less and less often. */
const maxPatienceMs = 6 * 60 * 60_000;

export interface Job extends Omit<JobSummary, 'processed' | 'succeeded' | 'failed'> {
  /** Who asked for it: the work is done with the roles this caller had then. */
  caller: Caller;
  counts: Counts;
  /** How often its message was sent. */
  sends: number;
  /** How often a worker began it; absent in jobs of older releases. */
  runs?: number;
  /** When to look after it if it has not come to an end; null when it has. */
  due_at: string | null;
  /** Counts the changes of this item, so that none is overwritten unseen. */
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
    total: itemsOf(request).length,
    created_by: caller.email,
    created_at: iso(nowMs),
    started_at: null,
    finished_at: null,
    caller,
    counts: { succeeded: 0, failed: 0 },
    sends: 1,
    runs: 0,
    due_at: iso(nowMs + patienceMs.queued),
    revision: 1,
  };
}

export function itemsOf(request: BulkRequest): readonly unknown[] {
  return request.operation === 'update' ? request.ids : request.records;
}

export function begun(job: Job, nowMs: number): Job {
  const started_at = job.started_at ?? iso(nowMs);
  const due_at = iso(nowMs + patienceMs.running);
  return { ...job, status: 'running', started_at, runs: (job.runs ?? 0) + 1, due_at };
}

/** Every record has a result by now, so nothing is applied afterwards. */
export function ended(job: Job, counts: Counts, nowMs: number): Job {
  return { ...job, status: finalStatus(counts), counts, finished_at: iso(nowMs), due_at: null };
}

export function resent(job: Job, nowMs: number): Job {
  const patience = Math.min(patienceMs.queued * 2 ** Math.min(job.sends, 20), maxPatienceMs);
  return { ...job, sends: job.sends + 1, due_at: iso(nowMs + patience) };
}

/** A worker keeps failing on it, and no repetition will help. */
export function isHopeless({ runs = 0 }: Job): boolean {
  return runs >= maxRuns;
}

export function isDue({ due_at }: Job, nowMs: number): boolean {
  return due_at !== null && Date.parse(due_at) <= nowMs;
}

export function countResults(results: readonly JobResult[]): Counts {
  const succeeded = results.filter(({ status }) => status === 'succeeded').length;
  return { succeeded, failed: results.length - succeeded };
}

/** The places of the request that have no result yet. */
export function unfinished({ total }: Job, results: readonly JobResult[]): number[] {
  const done = new Set(results.map(({ index }) => index));
  return Array.from({ length: total }, (_, index) => index).filter((index) => !done.has(index));
}

export function showJob(job: Job, counts: Counts = job.counts): JobSummary {
  // Jobs that were made before there was another kind do not name theirs.
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

/** DynamoDB removes a job some time after this; it is not shown from this moment on. */
export function expiresAtMs({ created_at }: Pick<Job, 'created_at'>): number {
  return Date.parse(created_at) + lifetimeMs;
}

function finalStatus({ succeeded, failed }: Counts): JobStatus {
  if (failed === 0) return 'completed';
  return succeeded === 0 ? 'failed' : 'completed_with_errors';
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
