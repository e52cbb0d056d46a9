import type { Api, Job } from './api-types.ts';
import type { Call } from './call-types.ts';
import type { Environment } from './environment.ts';
import { ServiceProblem } from './problem.ts';

export interface WaitOptions {
  /** Called after every check. */
  onProgress?(job: Job): void;
  signal?: AbortSignal;
  /** The default is 10 minutes. */
  timeoutMs?: number;
}

export interface Jobs {
  /** Waits until the bulk job has processed all records. Check `status` and `results` for records that failed. */
  wait(id: string, options?: WaitOptions): Promise<Job>;
}

const firstPollMs = 200;
const maxPollMs = 5_000;

export function createJobs(getJob: Call<Api['getJob']>, environment: Environment): Jobs {
  return {
    async wait(id, { onProgress, signal, timeoutMs = 600_000 } = {}) {
      const deadline = environment.now() + timeoutMs;
      for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.5, maxPollMs)) {
        const job = await getJob({ id }, { signal });
        onProgress?.(job);
        if (job.finished_at !== null) return job;
        if (environment.now() + pollMs > deadline) throw createTimeoutProblem(job, timeoutMs);
        await environment.pause(pollMs, signal);
      }
    },
  };
}

function createTimeoutProblem({ job_id, processed, total }: Job, timeoutMs: number): ServiceProblem {
  const detail = `${job_id} processed ${processed} of ${total} records within ${timeoutMs} ms.`;
  return new ServiceProblem({ status: 0, code: 'timeout', title: 'The job is not finished', detail });
}
