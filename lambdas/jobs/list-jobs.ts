import type { JobSummary } from '../../contract/jobs.ts';
import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import { cutPage } from '../records/page.ts';
import { countResults, type Job, showJob } from './job.ts';
import { type JobStore, toJob } from './job-store.ts';

export function listJobs(jobs: Pick<JobStore, 'page' | 'results'>, seal: CursorSeal): UseCase<typeof routes.listJobs> {
  return async ({ query: { limit, cursor } }, { caller, clock }) => {
    const owner = hasRole(caller.roles, 'itsm_manager') ? undefined : caller.id;
    const list = `jobs of ${owner ?? 'all'}`;
    const after = cursor === undefined ? undefined : seal.open(list, cursor);
    const { items, total } = await jobs.page(owner, limit, after, clock.now());
    const page = cutPage(items, limit, seal, list);
    const data = await Promise.all(page.items.map((item) => show(jobs, toJob(item))));
    return { status: 200, body: { data, ...page.next, total } };
  };
}

/** A job that goes on is counted now; one that is over was counted when it ended. */
async function show(jobs: Pick<JobStore, 'results'>, job: Job): Promise<JobSummary> {
  return job.status === 'running' ? showJob(job, countResults(await jobs.results(job.job_id))) : showJob(job);
}
