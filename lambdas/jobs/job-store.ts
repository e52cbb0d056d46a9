import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BulkRequest, JobResult } from '../../contract/jobs.ts';
import { type Backoff, retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readBytes, readString } from '../records/items.ts';
import type { Log } from '../records/log-page.ts';
import { buildExpiryFilter } from '../records/read-items.ts';
import { recordSortKey, toItemKey } from '../records/record-item.ts';
import { parseDocument } from '../records/stored-document.ts';
import type { Outcome, Write } from '../records/write-items.ts';
import { getExpiryMs, type Job } from './job.ts';

// | Access pattern                        | Call     | Key                                               |
// |---------------------------------------|----------|---------------------------------------------------|
// | one job                               | GetItem  | pk = job id, sk = #                               |
// | the request of a job                  | Query    | pk = job id, sk = source#<piece>                  |
// | the results of its records            | Query    | pk = job id, sk = result#<index>                  |
// | the jobs of a caller, newest first    | Query    | pk = jobs#<caller id>, sk = job#<countdown>#<id>  |
// | all jobs, newest first                | Query    | pk = jobs#, sk the same                           |
//
// The entries of both lists are copies of the job, written in the same transaction.

export interface FoundJob {
  job: Job;
  results: JobResult[];
}

export interface JobStore {
  find(jobId: string, nowMs: number): Promise<FoundJob | undefined>;
  get(jobId: string): Promise<Job>;
  results(jobId: string): Promise<JobResult[]>;
  source(jobId: string): Promise<BulkRequest>;
  /** Writes the next revision of the job; fails when it has changed since it was read. */
  change(next: Job): Promise<Outcome>;
  addResult(job: Job, result: JobResult): Promise<Outcome>;
}

export function createJobStore(store: ItemStore): JobStore {
  const results = async (jobId: string) => {
    const items = await store.range({ pk: jobId, prefix: resultPrefix }, maxParts);
    return items.map((item): JobResult => JSON.parse(readString(item, 'result')));
  };
  return {
    results,
    async get(jobId) {
      const item = await store.get(jobId, recordSortKey);
      if (!item) throw new Error(`${jobId} does not exist`);
      return toJob(item);
    },
    async find(jobId, nowMs) {
      const [item, found] = await Promise.all([store.get(jobId, recordSortKey), results(jobId)]);
      const job = item && toJob(item);
      return job && getExpiryMs(job) > nowMs ? { job, results: found } : undefined;
    },
    async source(jobId) {
      const items = await store.range({ pk: jobId, prefix: sourcePrefix }, maxParts);
      return unpackSource(items.map((item) => readBytes(item, 'piece')));
    },
    change: (next) => store.transact(buildJobWrites(next)),
    addResult: (job, result) => store.transact([toResultWrite(job, result)]),
  };
}

/** Newest first; jobs of all callers when no caller is given. */
export function toJobLog(callerId: string | undefined, nowMs: number): Log {
  const range = { pk: toListKey(callerId), prefix: entryPrefix, filter: buildExpiryFilter(nowMs) };
  return { list: `jobs of ${callerId ?? 'all'}`, groups: [[range]] };
}

export function buildJobCreation(job: Job, request: BulkRequest): Write[] {
  const pieces = packSource(request).map((piece, index) => ({
    name: 'source',
    put: { Item: { ...toItemKey(job.job_id, sourcePrefix + padIndex(index)), piece: { B: piece }, ...toExpiry(job) } },
  }));
  return [...buildJobWrites(job), ...pieces];
}

/** Fails when the record already has a result, so that no record is processed twice. */
export function toResultWrite(job: Job, result: JobResult): Write {
  const Item = {
    ...toItemKey(job.job_id, resultPrefix + padIndex(result.index)),
    result: { S: JSON.stringify(result) },
    ...toExpiry(job),
  };
  return { name: 'result', put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

const sourcePrefix = 'source#';
const resultPrefix = 'result#';
const entryPrefix = 'job#';
const maxParts = 100;

function buildJobWrites(job: Job): Write[] {
  const content = { job: { S: JSON.stringify(job) }, ...toExpiry(job) };
  const first = job.revision === 1;
  const put = {
    Item: {
      ...toItemKey(job.job_id, recordSortKey),
      type: { S: 'job' },
      revision: { N: String(job.revision) },
      ...content,
    },
    ConditionExpression: first ? 'attribute_not_exists(pk)' : 'revision = :before',
    ...(first ? {} : { ExpressionAttributeValues: { ':before': { N: String(job.revision - 1) } } }),
  };
  const entries = [toListKey(job.caller.id), toListKey(undefined)].map((pk) => ({
    name: 'entry',
    put: { Item: { ...toItemKey(pk, toEntrySortKey(job)), ...content } },
  }));
  return [{ name: 'job', put }, ...entries];
}

export function toJob(item: Item): Job {
  return parseDocument('job', readString(item, 'job'));
}

function toListKey(callerId: string | undefined): string {
  return `jobs#${callerId ?? ''}`;
}

/** Sort keys ascend, so the time counts down. */
function toEntrySortKey({ created_at, job_id }: Job): string {
  return `${entryPrefix}${String(9_999_999_999_999 - Date.parse(created_at)).padStart(13, '0')}#${job_id}`;
}

function toExpiry(job: Job): Item {
  return { expires_at: { N: String(Math.ceil(getExpiryMs(job) / 1_000)) } };
}

function padIndex(index: number): string {
  return String(index).padStart(3, '0');
}

/** Applies a change to the current job. Writes nothing when the change returns the same job. */
export async function changeJob(
  jobs: Pick<JobStore, 'change' | 'get'>,
  known: Job,
  change: (current: Job) => Job,
  wait?: Backoff,
): Promise<Job> {
  return retry(
    async (attempt) => {
      const current = attempt === 1 ? known : await jobs.get(known.job_id);
      const changed = change(current);
      if (changed === current) return current;
      const next = { ...changed, revision: current.revision + 1 };
      const outcome = await jobs.change(next);
      return outcome.kind === 'written' ? next : undefined;
    },
    { ...(wait && { wait }), exhausted: () => new Error(`too many concurrent changes of ${known.job_id}`) },
  );
}

// The bulk request of a job. A request has up to 1 MB and an item up to 400 KB, so the request is compressed and, if
// necessary, split into pieces stored in the same transaction.

const pieceBytes = 300_000;

/** A transaction has at most 4 MB. Only pathological input, such as thousands of numbers like 1e300, exceeds this. */
const maxPieces = 10;

export function packSource(request: BulkRequest): Uint8Array[] {
  const packed = deflateRawSync(JSON.stringify(request));
  const pieces = Array.from({ length: Math.ceil(packed.byteLength / pieceBytes) }, (_, index) =>
    packed.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  if (pieces.length <= maxPieces) return pieces;
  throw new ServiceError('payload_too_large', 'The records are too large for one job. Send them in several requests.');
}

export function unpackSource(pieces: readonly Uint8Array[]): BulkRequest {
  return JSON.parse(inflateRawSync(Buffer.concat(pieces), { maxOutputLength: maxSourceBytes }).toString());
}

const maxSourceBytes = 64 * 1024 * 1024;
