import type { BulkRequest } from '../../contract/bulk-requests.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Log } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import { changeJob } from './change-job.ts';
import { begun, countResults, ended, type Job, unfinished } from './job.ts';
import { AlreadyDone, doItem, failedResult, type ItemTools } from './job-item.ts';
import type { JobStore } from './job-store.ts';

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
