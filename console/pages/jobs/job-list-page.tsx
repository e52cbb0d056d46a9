import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { Ago } from '../../components/moment.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { collectPages } from '../../pages-of.ts';
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
  const { data, problem, loading, reload } = usePolling(load, polling);
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Table
        variant="full-page"
        stickyHeader
        items={data?.items ?? []}
        trackBy="job_id"
        loading={!data && problem === undefined}
        loadingText="Loading jobs"
        skeleton={{ totalRows: 5 }}
        columnDefinitions={columns}
        ariaLabels={{ tableLabel: 'Bulk jobs' }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${data.total})` } : {})}
            description={`${seesAll ? 'Everybody’s' : 'Your'} work on many records at once, kept for 30 days.`}
            actions={
              <Button iconName="refresh" ariaLabel="Refresh the list" loading={loading && !!data} onClick={reload} />
            }
          >
            Bulk jobs
          </Header>
        }
        empty={
          <Box textAlign="center" padding={{ vertical: 'l' }}>
            <SpaceBetween size="xxs">
              <Box variant="strong">No jobs</Box>
              <Box color="text-body-secondary">
                Select incidents in <PageLink to="/incidents">the list</PageLink> to update them together.
              </Box>
            </SpaceBetween>
          </Box>
        }
      />
    </SpaceBetween>
  );
}

const columns: readonly TableProps.ColumnDefinition<JobSummary>[] = [
  {
    id: 'job_id',
    header: 'Job',
    isRowHeader: true,
    cell: ({ job_id }) => <PageLink to={jobPath(job_id)}>{job_id}</PageLink>,
  },
  { id: 'operation', header: 'What', cell: jobName },
  { id: 'status', header: 'Status', cell: ({ status }) => <JobStatus status={status} /> },
  { id: 'progress', header: 'Progress', cell: ({ processed, total }) => `${processed} of ${total}` },
  { id: 'failed', header: 'Failed', cell: ({ failed }) => failed },
  { id: 'created_by', header: 'Asked for by', cell: ({ created_by }) => created_by },
  { id: 'created_at', header: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];
