import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import type { Caller } from '../platform/caller.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { notFound } from '../records/find-record.ts';
import { countResults, type Job, showJob } from './job.ts';
import type { JobStore } from './job-store.ts';

export function getJob(jobs: Pick<JobStore, 'find'>): UseCase<typeof routes.getJob> {
  return async ({ params: { id } }, { caller, clock }) => {
    const found = await jobs.find(id, clock.now());
    if (!found || !maySee(caller, found.job)) throw notFound(id);
    const { job, results } = found;
    return { status: 200, body: { ...showJob(job, countResults(results)), results } };
  };
}

/** Others may not even learn that it exists. */
function maySee(caller: Caller, job: Job): boolean {
  return job.caller.id === caller.id || hasRole(caller.roles, 'itsm_manager');
}
