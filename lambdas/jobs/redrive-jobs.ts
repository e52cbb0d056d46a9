import type { Clock } from '../platform/clock.ts';
import { errorFields, type Log } from '../platform/log.ts';
import type { DueIds } from '../records/due-store.ts';
import { changeJob } from './change-job.ts';
import { countResults, ended, isDue, mostSends, resent } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import { dueJobs, type JobStore } from './job-store.ts';

// Looks after jobs that should have come further: a message that was never sent, or whose deliveries all failed, is
// sent again a few times; then the job is given up and says so. Sending one too many does no harm.

export interface RedriveTools {
  due: DueIds;
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
        tools.log('error', 'a job could not be redriven', { job: id, ...errorFields(error) });
      });
    }
  }
  if (failures > 0) throw new Error(`${failures} jobs could not be redriven`);
}

async function redrive(jobId: string, { jobs, queue, clock, log }: RedriveTools): Promise<void> {
  const found = await jobs.find(jobId, clock.now());
  if (!found || !isDue(found.job, clock.now())) return;
  if (found.job.sends >= mostSends) {
    log('error', 'a job was given up', { job: jobId, sends: found.job.sends });
    const counts = countResults(found.results);
    await changeJob(jobs, found.job, (job) => (isDue(job, clock.now()) ? ended(job, counts, clock.now()) : job));
    return;
  }
  const job = await changeJob(jobs, found.job, (job) => (isDue(job, clock.now()) ? resent(job, clock.now()) : job));
  log('warn', 'the message of a job is sent again', { job: jobId, sends: job.sends });
  await queue.send(jobId);
}
