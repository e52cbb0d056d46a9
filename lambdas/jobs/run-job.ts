import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import pMap from 'p-map';
import * as z from 'zod';
import type { BulkKind, BulkRequest, JobResult } from '../../contract/jobs.ts';
import type { Clock } from '../platform/clock.ts';
import { validateFields } from '../platform/http/request-input.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError, truncateProblems } from '../platform/service-error.ts';
import type { FindDueIds } from '../records/index-store.ts';
import type { Write } from '../records/item-store.ts';
import { type Author, toApiAuthor } from '../records/record.ts';
import { countResults, findUnfinished, finishJob, isDue, isExhausted, type Job, markResent, startJob } from './job.ts';
import {
  changeJob,
  dueJobs,
  type FoundJob,
  type JobQueue,
  type JobStore,
  parseJobId,
  toResultWrite,
} from './job-store.ts';

/** Processes queue messages and reports the unfinished ones as failures, so that SQS delivers them again. */
export function createJobWorker(tools: RunTools, maxDeliveries: number) {
  return async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const { messageId, body, attributes } of Records) {
      const isLast = Number(attributes.ApproximateReceiveCount) >= maxDeliveries;
      try {
        await runJob(parseJobId(body), { isLast, remainingMs: () => context.getRemainingTimeInMillis() }, tools);
      } catch (error) {
        tools.log('error', 'failed to process a job message; SQS will redeliver it', {
          message_id: messageId,
          ...toErrorFields(error),
        });
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
}

// A message may arrive twice, and a worker may stop anywhere. Each run processes the records without a result, and a
// result is written with its effect, so any number of concurrent runs process each record once.

export interface RunTools extends ItemTools {
  jobs: JobStore;
  clock: Clock;
  log: Log;
}

export interface Delivery {
  /** Whether this is the last delivery, which makes remaining errors final. */
  isLast: boolean;
  remainingMs(): number;
}

/** Throws if some records are unfinished, so that the message is delivered again. */
export async function runJob(jobId: string, delivery: Delivery, tools: RunTools): Promise<void> {
  const { jobs, clock, log } = tools;
  const found = await jobs.find(jobId, clock.now());
  if (!found) {
    log('warn', 'ignored a message: its job no longer exists', { job: jobId });
    return;
  }
  let { job } = found;
  const open = findUnfinished(job, found.results);
  if (open.length > 0 && job.finished_at === null) {
    job = await changeJob(jobs, job, (current) =>
      current.finished_at === null ? startJob(current, clock.now()) : current,
    );
  }
  if (job.finished_at !== null) return;
  if (open.length > 0) await processItems(job, open, delivery, tools);
  const results = await jobs.results(jobId);
  const left = findUnfinished(job, results);
  if (left.length > 0) throw new Error(`${left.length} records of ${jobId} are unfinished`);
  await changeJob(jobs, job, (current) =>
    current.finished_at === null ? finishJob(current, countResults(results), clock.now()) : current,
  );
}

const concurrency = 8;

/** Enough time to finish the records in progress. */
const reserveMs = 5_000;

/** The error that callers see for a failure of the service. */
const createInternalFailure = () => new ServiceError('internal_error', 'The record could not be processed.');

async function processItems(job: Job, open: readonly number[], delivery: Delivery, tools: RunTools): Promise<void> {
  const request = await tools.jobs.source(job.job_id);
  const attempt = async (index: number) => {
    if (delivery.remainingMs() >= reserveMs) await attemptItem(job, request, index, delivery, tools);
  };
  await pMap(open, attempt, { concurrency });
}

/** A caller's error is a result. A failure of the service is retried with the next delivery, if there is one. */
async function attemptItem(
  job: Job,
  request: BulkRequest,
  index: number,
  { isLast }: Delivery,
  tools: RunTools,
): Promise<void> {
  try {
    await processItem(job, request, index, tools);
  } catch (error) {
    if (error instanceof AlreadyProcessed) return;
    const known = error instanceof ServiceError && error.status < 500 ? error : undefined;
    if (!known)
      tools.log('error', 'failed to process a record of a job', { job: job.job_id, index, ...toErrorFields(error) });
    if (!known && !isLast) return;
    const reason = known ?? createInternalFailure();
    await tools.jobs.addResult(job, toFailedResult(index, request, reason));
  }
}

// Processes one record of a job by the same rules as a single request. The result is part of the transaction that
// applies the record.

/** The context of one record in its job. */
interface JobItem {
  author: Author;
  /** Writes the succeeded result in the transaction that applies the record. */
  result(id: string): Write;
}

/** How records of one type are processed. The contract rejects operations that a type does not support. */
export interface BulkWork {
  create(record: unknown, item: JobItem): Promise<void>;
  update(id: string, fields: Readonly<Record<string, unknown>>, item: JobItem): Promise<void>;
  discover?(record: unknown, item: JobItem): Promise<void>;
}

interface ItemTools {
  work: Readonly<Record<BulkKind, BulkWork>>;
}

/** Another delivery of the same message processed the record first. */
class AlreadyProcessed extends Error {}

async function processItem(job: Job, request: BulkRequest, index: number, { work }: ItemTools): Promise<void> {
  const item: JobItem = {
    author: { ...toApiAuthor(job.caller), origin: { kind: 'job', id: job.job_id } },
    result: (id) => toResultWrite(job, { index, id, status: 'succeeded' }),
  };
  // Jobs of older releases have no record type; all of them are about incidents.
  const kind = work[job.record_type ?? 'incident'];
  if (request.operation === 'update') return kind.update(requireValue(request.ids[index]), request.fields, item);
  const run = kind[request.operation];
  if (!run) throw new Error(`${request.operation} is not supported for records of type ${job.record_type}`);
  return run(request.records[index], item);
}

function toFailedResult(index: number, request: BulkRequest, error: ServiceError): JobResult {
  const { errors, allowed_transitions } = members.parse(error.extra.members ?? {});
  return {
    index,
    id: request.operation === 'update' ? requireValue(request.ids[index]) : null,
    status: 'failed',
    error: {
      code: error.code,
      detail: error.message,
      ...(errors && { errors }),
      ...(allowed_transitions && { allowed_transitions }),
    },
  };
}

/** Parses a record; the error lists all problems. */
export function parseRecord<Schema extends z.ZodType>(schema: Schema, record: unknown): z.output<Schema> {
  const { data, problems } = validateFields(schema, record, 'body');
  if (problems.length === 0) return data as z.output<Schema>;
  throw new ServiceError('invalid_input', 'The record is invalid.', {
    members: { errors: truncateProblems(problems) },
  });
}

/** Stops the processing when the record already has a result. */
export function throwIfProcessed(by: string): void {
  if (by === 'result') throw new AlreadyProcessed();
}

const members = z.object({
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  allowed_transitions: z.array(z.string()).optional(),
});

// Redrives jobs that are overdue. Resends a message that was lost or failed all deliveries; a duplicate does no harm.
// Abandons a job after too many runs: every record without a result gets a failed one. A record has only one result,
// written together with its effect, so a late worker or message can no longer apply it.

interface RedriveTools {
  due: FindDueIds;
  /** Moves the overdue key of a job that could not be redriven. */
  postpone(jobId: string, nowMs: number): Promise<unknown>;
  jobs: JobStore;
  queue: JobQueue;
  clock: Clock;
  log: Log;
}

export async function redriveJobs(tools: RedriveTools): Promise<void> {
  let failures = 0;
  for await (const ids of tools.due(dueJobs, tools.clock.now())) {
    for (const id of ids) {
      await redrive(id, tools).catch(async (error: unknown) => {
        failures++;
        tools.log('error', 'failed to redrive a job', { job: id, ...toErrorFields(error) });
        await tools.postpone(id, tools.clock.now());
      });
    }
  }
  if (failures > 0) throw new Error(`${failures} jobs could not be redriven`);
}

async function redrive(jobId: string, { jobs, queue, clock, log }: RedriveTools): Promise<void> {
  const found = await jobs.find(jobId, clock.now());
  if (!found || !isDue(found.job, clock.now())) return;
  if (isExhausted(found.job)) {
    log('error', 'failed a job: it did not finish after the maximum number of runs', {
      job: jobId,
      runs: found.job.runs,
    });
    return abandon(found, jobs, clock);
  }
  const job = await changeJob(jobs, found.job, (job) => (isDue(job, clock.now()) ? markResent(job, clock.now()) : job));
  log('warn', 'resent a job message', { job: jobId, sends: job.sends });
  await queue.send(jobId);
}

async function abandon({ job, results }: FoundJob, jobs: JobStore, clock: Clock): Promise<void> {
  const request = await jobs.source(job.job_id);
  for (const index of findUnfinished(job, results)) {
    await jobs.addResult(job, toFailedResult(index, request, createInternalFailure()));
  }
  const known = await jobs.results(job.job_id);
  const left = findUnfinished(job, known).length;
  if (left > 0) throw new Error(`${left} records of ${job.job_id} are being written; the next redrive tries again`);
  await changeJob(jobs, job, (current) =>
    current.finished_at === null ? finishJob(current, countResults(known), clock.now()) : current,
  );
}
