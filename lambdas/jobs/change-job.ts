import { type Backoff, backoff } from '../platform/backoff.ts';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';

/** Applies a change to the job as it is now; nothing is written when the change leaves it as it is. */
export async function changeJob(
  jobs: Pick<JobStore, 'change' | 'get'>,
  known: Job,
  change: (current: Job) => Job,
  wait: Backoff = backoff,
): Promise<Job> {
  let current = known;
  for (let tries = 1; tries <= maximumTries; tries++) {
    const changed = change(current);
    if (changed === current) return current;
    const next = { ...changed, revision: current.revision + 1 };
    const outcome = await jobs.change(next);
    if (outcome.kind === 'written') return next;
    await wait(tries);
    current = await jobs.get(known.job_id);
  }
  throw new Error(`${known.job_id} changed ${maximumTries} times in a row`);
}

const maximumTries = 10;
