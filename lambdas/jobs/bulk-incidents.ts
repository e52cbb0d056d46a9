import { apiPrefixes, type routes, stageName } from '../../contract/routes.ts';
import type { Answer, UseCase } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import { errorFields } from '../platform/log.ts';
import { repeatable } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { writeOnce } from '../records/write-once.ts';
import { newJob } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import { jobCreation } from './job-store.ts';

type BulkRoute = typeof routes.bulkIncidents;

/**
 * Stores the job, then tells a worker. The stored job is what was promised: should the message get lost on the way, the
 * redrive sends it again, so the caller gets the same answer either way.
 */
export function bulkIncidents(store: Pick<ItemStore, 'transact'>, queue: JobQueue): UseCase<BulkRoute> {
  return async ({ body, headers }, { caller, clock, log, requestId }) => {
    const nowMs = clock.now();
    const answer = await writeOnce<Answer<BulkRoute>>(
      store,
      repeatable('bulkIncidents', caller, headers, body),
      nowMs,
      () => {
        const job = newJob(newId('job'), body, caller, nowMs);
        const { job_id, status, total } = job;
        return {
          writes: jobCreation(job, body),
          answer: {
            status: 202,
            headers: { Location: `/${stageName}${apiPrefixes[0]}/jobs/${job_id}` },
            body: { job_id, status, total },
          },
          refused: () => {},
        };
      },
    );
    if (answer.headers?.['Idempotent-Replayed'] !== 'true') {
      await queue.send(answer.body.job_id).catch((error: unknown) => {
        log('error', 'the message of a job was not sent', { request_id: requestId, ...errorFields(error) });
      });
    }
    return answer;
  };
}
