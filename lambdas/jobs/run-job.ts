import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import type { BulkKind, BulkRequest } from '../../contract/bulk-requests.ts';
import type { JobResult } from '../../contract/jobs.ts';
import type { Clock } from '../platform/clock.ts';
import { fieldProblems } from '../platform/http/field-problems.ts';
import { errorFields, type Log } from '../platform/log.ts';
import { ServiceError, truncateProblems } from '../platform/service-error.ts';
import type { Write } from '../records/item-store.ts';
import { type Author, apiAuthor } from '../records/record.ts';
import { begun, countResults, ended, type Job, unfinished } from './job.ts';
import { jobIdOf } from './job-queue.ts';
import { changeJob, type JobStore, resultWrite } from './job-store.ts';

/** Works off messages of the queue; those whose job is not done come again. */
export function jobWorker(tools: RunTools, mostDeliveries: number) {
  return async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const { messageId, body, attributes } of Records) {
      const isLast = Number(attributes.ApproximateReceiveCount) >= mostDeliveries;
      try {
        await runJob(jobIdOf(body), { isLast, remainingMs: () => context.getRemainingTimeInMillis() }, tools);
      } catch (error) {
        tools.log('error', 'a message will come again', { message_id: messageId, ...errorFields(error) });
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
}

// A message may come twice, and a worker may stop anywhere. Each run does what has no result yet, and a record's result
// is written with its effect, so any number of runs, even at the same time, do each record once.

export interface RunTools extends ItemTools {
  jobs: JobStore;
  clock: Clock;
  log: Log;
}

export interface Delivery {
  /** No further delivery follows: what cannot be done now has failed. */
  isLast: boolean;
  remainingMs(): number;
}

/** Throws when records are left to do, so that the message comes again. */
export async function runJob(jobId: string, delivery: Delivery, tools: RunTools): Promise<void> {
  const { jobs, clock, log } = tools;
  const found = await jobs.find(jobId, clock.now());
  if (!found) {
    log('warn', 'the job of a message does not exist any more', { job: jobId });
    return;
  }
  let { job } = found;
  const open = unfinished(job, found.results);
  if (open.length > 0 && job.finished_at === null) {
    job = await changeJob(jobs, job, (current) =>
      current.finished_at === null ? begun(current, clock.now()) : current,
    );
  }
  if (job.finished_at !== null) return;
  if (open.length > 0) await doItems(job, open, delivery, tools);
  const results = await jobs.results(jobId);
  const left = unfinished(job, results);
  if (left.length > 0) throw new Error(`${left.length} records of ${jobId} are left to do`);
  await changeJob(jobs, job, (current) =>
    current.finished_at === null ? ended(current, countResults(results), clock.now()) : current,
  );
}

const sideBySide = 8;

/** Enough to let what was begun come to an end. */
const reserveMs = 5_000;

/** What callers learn of a record that failed for a reason of ours. */
export const internalFailure = () => new ServiceError('internal_error', 'The record could not be processed.');

async function doItems(job: Job, open: readonly number[], delivery: Delivery, tools: RunTools): Promise<void> {
  const request = await tools.jobs.source(job.job_id);
  const queue = [...open];
  const work = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      if (delivery.remainingMs() < reserveMs) return;
      await attempt(job, request, index, delivery, tools);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
}

/** What the caller did wrong is a result. What went wrong here is tried again with the next delivery, if there is one. */
async function attempt(
  job: Job,
  request: BulkRequest,
  index: number,
  { isLast }: Delivery,
  tools: RunTools,
): Promise<void> {
  try {
    await doItem(job, request, index, tools);
  } catch (error) {
    if (error instanceof AlreadyDone) return;
    const known = error instanceof ServiceError && error.status < 500 ? error : undefined;
    if (!known) tools.log('error', 'a record of a job failed', { job: job.job_id, index, ...errorFields(error) });
    if (!known && !isLast) return;
    const reason = known ?? internalFailure();
    await tools.jobs.addResult(job, failedResult(index, request, reason));
  }
}

// One record of a job, by the same rules as a request for it alone. Its result is part of the transaction that does it,
// so it is done and known to be done, or neither.

/** What has to be known of one record's place in its job. */
export interface JobItem {
  author: Author;
  /** The result that says that the record with the id succeeded; to be written with what was done to it. */
  result(id: string): Write;
}

/** How records of one kind are worked on. What the kind cannot do, its contract does not accept. */
export interface BulkWork {
  create(record: unknown, item: JobItem): Promise<void>;
  update(id: string, fields: Readonly<Record<string, unknown>>, item: JobItem): Promise<void>;
  discover?(record: unknown, item: JobItem): Promise<void>;
}

export interface ItemTools {
  work: Readonly<Record<BulkKind, BulkWork>>;
}

/** Another delivery of the same message did the record first. */
export class AlreadyDone extends Error {}

export async function doItem(job: Job, request: BulkRequest, index: number, { work }: ItemTools): Promise<void> {
  const item: JobItem = {
    author: { ...apiAuthor(job.caller), origin: { kind: 'job', id: job.job_id } },
    result: (id) => resultWrite(job, { index, id, status: 'succeeded' }),
  };
  // Jobs that were made before there was another kind do not name theirs.
  const kind = work[job.record_type ?? 'incident'];
  if (request.operation === 'update') return kind.update(request.ids[index]!, request.fields, item);
  const run = kind[request.operation];
  if (!run) throw new Error(`${request.operation} is no bulk work on records of type ${job.record_type}`);
  return run(request.records[index], item);
}

/** What a failed record tells about itself. */
export function failedResult(index: number, request: BulkRequest, error: ServiceError): JobResult {
  const { errors, allowed_transitions } = members.parse(error.extra.members ?? {});
  return {
    index,
    id: request.operation === 'update' ? request.ids[index]! : null,
    status: 'failed',
    error: {
      code: error.code,
      detail: error.message,
      ...(errors && { errors }),
      ...(allowed_transitions && { allowed_transitions }),
    },
  };
}

/** The record in the form that the schema wants; says all that is wrong with it. */
export function parseRecord<Schema extends z.ZodType>(schema: Schema, record: unknown): z.output<Schema> {
  const { data, problems } = fieldProblems(schema, record, 'body');
  if (problems.length === 0) return data as z.output<Schema>;
  throw new ServiceError('invalid_input', 'The record is invalid.', {
    members: { errors: truncateProblems(problems) },
  });
}

/** To be asked when a condition of the transaction did not hold. */
export function resultRefused(by: string): void {
  if (by === 'result') throw new AlreadyDone();
}

const members = z.object({
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  allowed_transitions: z.array(z.string()).optional(),
});
