import type { Clock } from '../platform/clock.ts';
import { errorFields, type Log } from '../platform/log.ts';
import type { FindDueIds } from '../records/index-store.ts';
import { countResults, findUnfinished, finishJob, isDue, isExhausted, markResent } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import { changeJob, dueJobs, type FoundJob, type JobStore } from './job-store.ts';
import { createInternalFailure, toFailedResult } from './run-job.ts';

// Redrives jobs that are overdue. Resends a message that was lost or failed all deliveries; a duplicate does no harm.
// Abandons a job after too many runs: every record without a result gets a failed one. A record has only one result,
// written together with its effect, so a late worker or message can no longer apply it.

export interface RedriveTools {
  due: FindDueIds;
  jobs: JobStore;
  queue: JobQueue;
  clock: Clock;
  log: Log;
}

export async function redriveJobs(tools: RedriveTools): Promise<void> {
  let failures = 0;
  for await (const ids of tools.due(dueJobs, tools.clock.now())) {
    for (const id of ids) {
      await redrive(id, tools).catch((error: unknown) => {
        failures++;
        tools.log('error', 'failed to redrive a job', { job: id, ...errorFields(error) });
      });
    }
  }
  if (failures > 0) throw new Error(`${failures} jobs could not be redriven`);
}

async function redrive(jobId: string, { jobs, queue, clock, log }: RedriveTools): Promise<void> {
  const found = await jobs.find(jobId, clock.now());
  if (!found || !isDue(found.job, clock.now())) return;
  if (isExhausted(found.job)) {
    log('error', 'job abandoned', { job: jobId, runs: found.job.runs });
    return abandon(found, jobs, clock);
  }
  const job = await changeJob(jobs, found.job, (job) => (isDue(job, clock.now()) ? markResent(job, clock.now()) : job));
  log('warn', 'job message resent', { job: jobId, sends: job.sends });
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
