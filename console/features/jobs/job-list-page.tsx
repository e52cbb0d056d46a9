import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { collectPages } from '../../base/paging.ts';
import { useLoad } from '../../base/use-load.ts';
import { WholeList } from '../../records/tables.tsx';
import type { Column } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { jobPath } from '../../ui/record-path.ts';
import { Ago, Person } from '../../ui/text.tsx';
import { JobStatus } from './job-page.tsx';
import { formatJobName, type JobSummary } from './job-words.ts';

const polling = { intervalMs: 10_000, maxIntervalMs: 120_000, maxPolls: 180 };

export function JobListPage() {
  const { client } = useApi();
  const seesAll = useHasRole('itsm_manager');
  const canUpdate = useHasRole('itsm_agent');
  const list = useLoad(['jobs'], (signal) => collectPages((page) => client.listJobs(page, { signal })), { polling });
  return (
    <WholeList
      title="Bulk jobs"
      description={`${seesAll ? 'All' : 'Your'} bulk operations of the last 30 days.`}
      things="jobs"
      trackBy="job_id"
      list={list}
      columns={columns}
      invitation={
        canUpdate && (
          <>
            To update several incidents at once, select them in the <PageLink to="/incidents">incident list</PageLink>.
          </>
        )
      }
    />
  );
}

const columns: readonly Column<JobSummary>[] = [
  {
    id: 'operation',
    header: 'Operation',
    isRowHeader: true,
    cell: (job) => <PageLink to={jobPath(job.job_id)}>{formatJobName(job)}</PageLink>,
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <JobStatus status={status} /> },
  { id: 'progress', header: 'Progress', cell: ({ processed, total }) => `${processed} of ${total}` },
  { id: 'failed', header: 'Failed', cell: ({ failed }) => failed },
  { id: 'created_by', header: 'Created by', cell: ({ created_by }) => <Person address={created_by} /> },
  { id: 'created_at', header: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
  { id: 'job_id', header: 'ID', cell: ({ job_id }) => job_id },
];
