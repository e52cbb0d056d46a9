import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import {
  Box,
  type Column,
  Header,
  KeyValues,
  Progress,
  SegmentedControl,
  Stack,
  Status,
  type StatusType,
  Table,
} from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { PendingPage } from '../../ui/problem-page.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { Moment } from '../../ui/text.tsx';
import { formatDuration } from '../../ui/time.ts';
import {
  formatCount,
  formatJobDetail,
  formatJobField,
  formatJobName,
  formatJobState,
  isFinished,
  type Job,
  type JobSummary,
  jobStatusNames,
} from './job-words.ts';

const polling = { intervalMs: 1500, maxIntervalMs: 60_000, maxPolls: 400 };

/** Polls until the job is finished. */
export function JobPage({ id }: { id: string }) {
  const { client } = useApi();
  const [finished, setFinished] = useState(false);
  const load = async (signal: AbortSignal) => {
    const job = await client.getJob({ id }, { signal });
    setFinished(isFinished(job));
    return job;
  };
  const loaded = useLoad(['jobs', id], load, { polling: finished ? undefined : polling });
  const { data, problem, reload } = loaded;
  if (!data) return <PendingPage title="Bulk job" thing={`job ${id}`} loaded={loaded} />;
  return (
    <PageLayout title={formatJobName(data)} description={<span className="wrapping">{id}</span>}>
      <Stack>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        <JobFacts job={data} />
        <JobResults job={data} />
      </Stack>
    </PageLayout>
  );
}

function JobFacts({ job }: { job: Job }) {
  return (
    <Panel title="Progress">
      <Stack>
        <Progress
          value={(100 * job.processed) / Math.max(1, job.total)}
          additionalInfo={`${job.processed} of ${formatCount(job.total, job)}`}
          ariaLabel={`${job.processed} of ${formatCount(job.total, job)} processed`}
        />
        <KeyValues
          columns={4}
          items={[
            { label: 'Status', value: <JobStatus status={job.status} /> },
            { label: 'Succeeded', value: job.succeeded },
            { label: 'Failed', value: job.failed },
            { label: 'Created by', value: <span className="wrapping">{job.created_by}</span> },
            { label: 'Created', value: <Moment at={job.created_at} /> },
            { label: 'Started', value: <Optional at={job.started_at} /> },
            { label: 'Finished', value: <Optional at={job.finished_at} /> },
            { label: 'Duration', value: formatTook(job) },
          ]}
        />
      </Stack>
    </Panel>
  );
}

function Optional({ at }: { at: string | null }) {
  return at === null ? <Box muted>–</Box> : <Moment at={at} />;
}

function formatTook({ created_at, finished_at }: Job): string {
  if (finished_at === null) return '–';
  const took = Date.parse(finished_at) - Date.parse(created_at);
  return took < 1000 ? `${took} ms` : formatDuration(took);
}

type Result = Job['results'][number];

/** The result of each record. */
export function JobResults({ job }: { job: Job }) {
  const [shown, setShown] = useState('all');
  const results = job.results.filter(({ status }) => shown === 'all' || status === shown);
  return (
    <Table
      items={results}
      trackBy={({ index }) => String(index)}
      columns={columns}
      label="Results"
      header={<Header counter={`(${job.results.length})`}>Results</Header>}
      filter={
        <SegmentedControl
          label="Filter results"
          selectedId={shown}
          options={[
            { id: 'all', text: 'All' },
            { id: 'failed', text: `Failed (${job.failed})` },
            { id: 'succeeded', text: `Succeeded (${job.succeeded})` },
          ]}
          onChange={setShown}
        />
      }
      empty={<Box center>{job.results.length === 0 ? 'No results yet.' : 'No matching results.'}</Box>}
    />
  );
}

const columns: readonly Column<Result>[] = [
  { id: 'index', header: 'No.', cell: ({ index }) => index + 1, width: 70 },
  {
    id: 'id',
    header: 'Record',
    isRowHeader: true,
    minWidth: 120,
    cell: ({ id }) => <RecordLink id={id} />,
  },
  {
    id: 'status',
    header: 'Result',
    minWidth: 120,
    cell: ({ status }) => (
      <Status unbroken type={status === 'succeeded' ? 'success' : 'error'}>
        {status === 'succeeded' ? 'Succeeded' : 'Failed'}
      </Status>
    ),
  },
  { id: 'error', header: 'Error', minWidth: 220, cell: ({ error }) => (error ? <Why error={error} /> : '') },
];

/** A bulk request may contain invalid ids. */
function RecordLink({ id }: Pick<Result, 'id'>) {
  const path = toRecordPath(id ?? '');
  return path ? <PageLink to={path}>{id}</PageLink> : <span className="wrapping">{id ?? '–'}</span>;
}

function Why({ error }: { error: NonNullable<Result['error']> }) {
  const { detail, errors = [], allowed_transitions: allowed } = error;
  return (
    <span className="wrapping">
      {formatJobDetail(detail)}
      {errors.map(({ field, message }) => (
        <div key={`${field} ${message}`}>
          <strong>{formatJobField(field)}</strong> {message}
        </div>
      ))}
      {allowed && <div>Allowed: {allowed.map(formatJobState).join(', ') || 'none'}</div>}
    </span>
  );
}

const looks: Readonly<Record<JobSummary['status'], StatusType>> = {
  queued: 'pending',
  running: 'in-progress',
  completed: 'success',
  completed_with_errors: 'warning',
  failed: 'error',
};

export function JobStatus({ status }: Pick<JobSummary, 'status'>) {
  return (
    <Status unbroken type={looks[status]}>
      {jobStatusNames[status]}
    </Status>
  );
}
