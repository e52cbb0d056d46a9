import type { Api, Job, JobResult } from './api-types.ts';
import type { Call } from './call-types.ts';
import { combineSignals, type Environment } from './environment.ts';
import { ConnectionProblem } from './problem.ts';

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
  /**
   * Splits a bulk request of any size into jobs and waits for each: `jobs.run(client.bulkIncidents, { operation: 'create',
   * records })`. The results have the indexes of the whole request.
   */
  run<Body extends BulkRequest>(
    bulk: StartBulk<Body>,
    request: NoInfer<Body>,
    options?: RunOptions,
  ): Promise<BulkOutcome>;
}

type BulkRequest = Api['bulkIncidents']['body'] | Api['bulkCis']['body'];

type StartBulk<Body> = (
  request: Body,
  options: { idempotencyKey?: string | undefined; signal?: AbortSignal | undefined },
) => Promise<{ job_id: string }>;

export interface RunOptions extends Omit<WaitOptions, 'onProgress'> {
  onProgress?(progress: { processed: number; total: number }): void;
  /** Makes a repeat of the whole request harmless for 24 hours. */
  idempotencyKey?: string;
}

export interface BulkOutcome {
  total: number;
  succeeded: number;
  failed: number;
  results: JobResult[];
}

const maxBulkItems = 100;

const firstPollMs = 200;
const maxPollMs = 5_000;

export function createJobs(getJob: Call<Api['getJob']>, environment: Environment, clientSignal?: AbortSignal): Jobs {
  const wait: Jobs['wait'] = async (id, { onProgress, signal: given, timeoutMs = 600_000 } = {}) => {
    const signal = combineSignals(clientSignal, given);
    const deadline = environment.now() + timeoutMs;
    for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.5, maxPollMs)) {
      const job = await getJob({ id }, { signal });
      onProgress?.(job);
      if (job.finished_at !== null) return job;
      if (environment.now() + pollMs > deadline) throw createTimeoutProblem(job, timeoutMs);
      await environment.pause(pollMs, signal);
    }
  };
  return {
    wait,
    async run(bulk, request, { onProgress, idempotencyKey, ...options } = {}) {
      const member = 'ids' in request ? 'ids' : 'records';
      const items: readonly unknown[] = 'ids' in request ? request.ids : request.records;
      const results: JobResult[] = [];
      for (let start = 0; start < items.length; start += maxBulkItems) {
        const part = { ...request, [member]: items.slice(start, start + maxBulkItems) };
        const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-${start}` };
        const { job_id } = await bulk(part, { ...key, signal: options.signal });
        const report = ({ processed }: Job) => onProgress?.({ processed: start + processed, total: items.length });
        const job = await wait(job_id, { ...options, onProgress: report });
        results.push(...job.results.map((result) => ({ ...result, index: start + result.index })));
      }
      const failed = results.filter(({ status }) => status === 'failed').length;
      return { total: items.length, succeeded: results.length - failed, failed, results };
    },
  };
}

function createTimeoutProblem({ job_id, processed, total }: Job, timeoutMs: number): ConnectionProblem {
  const detail = `${job_id} processed ${processed} of ${total} records within ${timeoutMs} ms.`;
  return new ConnectionProblem({ status: 0, code: 'timeout', title: 'The job is not finished', detail });
}
