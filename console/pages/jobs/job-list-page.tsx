import type { TableProps } from '@cloudscape-design/components/table';
import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { Person } from '../../components/email.tsx';
import { Ago } from '../../components/moment.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { collectPages } from '../../pages-of.ts';
import { WholeList } from '../../records/whole-list.tsx';
import { usePolling } from '../../use-load.ts';
import { useMay } from '../../use-may.ts';
import { JobStatus } from './job-status.tsx';
import { type JobSummary, jobName, jobPath } from './job-words.ts';

const polling = { intervalMs: 10_000, maxIntervalMs: 120_000, maxPolls: 180 };

export function JobListPage() {
  const { client } = useApi();
  const seesAll = useMay('itsm_manager');
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listJobs(page, { signal })),
    [client],
  );
  return (
    <WholeList
      title="Bulk jobs"
      description={`${seesAll ? 'All' : 'Your'} bulk operations of the last 30 days.`}
      things="jobs"
      trackBy="job_id"
      list={usePolling(load, polling)}
      columns={columns}
      invitation={
        <>
          To update several incidents at once, select them in the <PageLink to="/incidents">incident list</PageLink>.
        </>
      }
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<JobSummary>[] = [
  {
    id: 'operation',
    header: 'Operation',
    isRowHeader: true,
    cell: (job) => <PageLink to={jobPath(job.job_id)}>{jobName(job)}</PageLink>,
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <JobStatus status={status} /> },
  { id: 'progress', header: 'Progress', cell: ({ processed, total }) => `${processed} of ${total}` },
  { id: 'failed', header: 'Failed', cell: ({ failed }) => failed },
  { id: 'created_by', header: 'Created by', cell: ({ created_by }) => <Person address={created_by} /> },
  { id: 'created_at', header: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
  { id: 'job_id', header: 'ID', cell: ({ job_id }) => job_id },
];
