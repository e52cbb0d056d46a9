import type { BulkKind, BulkRequest } from '../../contract/bulk-requests.ts';
import type { routes } from '../../contract/routes.ts';
import type { Answer, RequestContext } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import { errorFields } from '../platform/log.ts';
import { repeatable } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { locationOf } from '../records/resource.ts';
import { writeOnce } from '../records/write-once.ts';
import { newJob } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import { jobCreation } from './job-store.ts';

type BulkRoute = typeof routes.bulkIncidents | typeof routes.bulkCis;

interface BulkInput {
  body: BulkRequest;
  headers: { 'Idempotency-Key'?: string | undefined };
}

/**
 * Stores the job, then tells a worker. The stored job is what was promised: should the message get lost on the way, the
 * redrive sends it again, so the caller gets the same answer either way.
 */
export function bulkRecords(
  operation: BulkRoute['name'],
  kind: BulkKind,
  store: Pick<ItemStore, 'transact'>,
  queue: JobQueue,
) {
  return async ({ body, headers }: BulkInput, context: RequestContext<BulkRoute>): Promise<Answer<BulkRoute>> => {
    const { caller, clock, log, requestId } = context;
    const nowMs = clock.now();
    const answer = await writeOnce<Answer<BulkRoute>>(
      store,
      repeatable(operation, caller, headers, body),
      nowMs,
      () => {
        const job = newJob(newId('job'), kind, body, caller, nowMs);
        const { job_id, status, total } = job;
        return {
          writes: jobCreation(job, body),
          answer: { status: 202, headers: { Location: locationOf('jobs', job_id) }, body: { job_id, status, total } },
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
