import type { BulkKind, BulkRequest, JobSummary } from '../../contract/jobs.ts';
import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import type { Caller } from '../platform/caller.ts';
import type { OperationResponse, RequestContext, UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { toErrorFields } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import { notFound } from '../records/change-record.ts';
import { toIdempotentRequest, writeOnce } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { readLogPage } from '../records/log-page.ts';
import type { CursorSeal } from '../records/page.ts';
import { toLocation } from '../records/record.ts';
import { countResults, type Job, newJob, toJobResponse } from './job.ts';
import type { StartExecution, StartQueue } from './job-machine.ts';
import { buildJobCreation, type JobStore, toJob, toJobLog } from './job-store.ts';

type BulkRoute = typeof routes.bulkIncidents | typeof routes.bulkCis | typeof routes.bulkProblems;

interface BulkInput {
  body: BulkRequest;
  headers: { 'Idempotency-Key'?: string | undefined };
}

export interface Starters {
  queue: StartQueue;
  start: StartExecution;
}

/**
 * Sends a message that starts the job in a minute, stores the job, and starts it. So every stored job starts, even if the
 * function stops in between; if it is not stored, the message has no effect.
 */
export function createBulkJob(
  operation: BulkRoute['name'],
  kind: BulkKind,
  store: Pick<ItemStore, 'transact'>,
  { queue, start }: Starters,
) {
  return async (
    { body, headers }: BulkInput,
    context: RequestContext<BulkRoute>,
  ): Promise<OperationResponse<BulkRoute>> => {
    const { caller, clock, log, requestId } = context;
    if (body.operation === 'import' && !hasRole(caller.roles, 'itsm_manager'))
      throw new ServiceError('forbidden', 'import requires the role itsm_manager or higher.');
    const nowMs = clock.now();
    const job = newJob(newId('job'), kind, body, caller, nowMs);
    await queue.sendLater(job.job_id);
    const response = await writeOnce<OperationResponse<BulkRoute>>(
      store,
      toIdempotentRequest(operation, caller, headers, body),
      nowMs,
      () => {
        const { job_id, status, total } = job;
        return {
          writes: buildJobCreation(job, body),
          response: { status: 202, headers: { Location: toLocation('jobs', job_id) }, body: { job_id, status, total } },
          onConditionFailed: () => {},
        };
      },
    );
    if (response.headers?.['Idempotent-Replayed'] !== 'true') {
      await start(job).catch((error: unknown) => {
        log('warn', 'failed to start a job; its message will', { request_id: requestId, ...toErrorFields(error) });
      });
    }
    return response;
  };
}

export function getJob(jobs: Pick<JobStore, 'find'>): UseCase<typeof routes.getJob> {
  return async ({ params: { id } }, { caller, clock }) => {
    const found = await jobs.find(id, clock.now());
    if (!found || !canSee(caller, found.job)) throw notFound(id);
    const { job, results } = found;
    return { status: 200, body: { ...toJobResponse(job, countResults(results)), results } };
  };
}

/** Other callers must not learn that the job exists. */
function canSee(caller: Caller, job: Job): boolean {
  return job.caller.id === caller.id || hasRole(caller.roles, 'itsm_manager');
}

export function listJobs(
  store: Pick<ItemStore, 'slice'>,
  jobs: Pick<JobStore, 'results'>,
  seal: CursorSeal,
): UseCase<typeof routes.listJobs> {
  return async ({ query }, { caller, clock }) => {
    const owner = hasRole(caller.roles, 'itsm_manager') ? undefined : caller.id;
    const { items, rest } = await readLogPage(store, seal, toJobLog(owner, clock.now()), query);
    const data = await Promise.all(items.map((item) => toCurrentResponse(jobs, toJob(item))));
    return { status: 200, body: { data, ...rest } };
  };
}

/** Counts the results of a running job; a finished job stores its counts. */
async function toCurrentResponse(jobs: Pick<JobStore, 'results'>, job: Job): Promise<JobSummary> {
  return job.status === 'running'
    ? toJobResponse(job, countResults(await jobs.results(job.job_id)))
    : toJobResponse(job);
}
