import type { BulkKind, BulkRequest, JobResult, JobStatus, JobSummary } from '../../contract/jobs.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';

// The rules of a job (docs/decisions/0011-bulk-jobs.md). Every record gets exactly one result, written in the same
// transaction as its effect, so the records without a result are the remaining work.

const lifetimeMs = 30 * 24 * 60 * 60_000;

/** Several workers process the chunks of a job. Each chunk is a state transition, which costs money. */
const maxChunkRecords = 50;

export interface Job extends Omit<JobSummary, 'processed' | 'succeeded' | 'failed'> {
  /** The job runs with the roles that the caller had when it was created. */
  caller: Caller;
  counts: Counts;
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
    revision: 1,
  };
}

export function listItems(request: BulkRequest): readonly unknown[] {
  return 'ids' in request ? request.ids : request.records;
}

export function startJob(job: Job, nowMs: number): Job {
  return { ...job, status: 'running', started_at: toIso(nowMs) };
}

/** Must be called when every record has a result, because no record is processed afterwards. */
export function finishJob(job: Job, counts: Counts, nowMs: number): Job {
  return { ...job, status: getFinalStatus(counts), counts, finished_at: toIso(nowMs) };
}

export function countResults(results: readonly JobResult[]): Counts {
  const succeeded = results.filter(({ status }) => status === 'succeeded').length;
  return { succeeded, failed: results.length - succeeded };
}

/** Consecutive records of a job, from `first` to the one before `end`. */
export interface Chunk {
  job_id: string;
  first: number;
  end: number;
}

export function listChunks({ job_id, total }: Pick<Job, 'job_id' | 'total'>): Chunk[] {
  return Array.from({ length: Math.ceil(total / maxChunkRecords) }, (_, chunk) => {
    const first = chunk * maxChunkRecords;
    return { job_id, first, end: Math.min(first + maxChunkRecords, total) };
  });
}

/** Indexes of the records without a result. */
export function findUnfinished({ first, end }: Chunk, results: readonly JobResult[]): number[] {
  const done = new Set(results.map(({ index }) => index));
  return Array.from({ length: end - first }, (_, offset) => first + offset).filter((index) => !done.has(index));
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
