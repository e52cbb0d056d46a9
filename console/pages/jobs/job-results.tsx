import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { PageLink } from '../../components/page-link.tsx';
import { type Job, recordPath } from './job-words.ts';

type Result = Job['results'][number];

/** What became of each record. */
export function JobResults({ job }: { job: Job }) {
  const [shown, setShown] = useState('all');
  const results = job.results.filter(({ status }) => shown === 'all' || status === shown);
  return (
    <Table
      items={results}
      trackBy={({ index }) => String(index)}
      columnDefinitions={columnsOf(job)}
      wrapLines
      ariaLabels={{ tableLabel: 'Results' }}
      header={
        <Header variant="h2" counter={`(${job.results.length})`}>
          Results
        </Header>
      }
      filter={
        <SegmentedControl
          label="Which results"
          selectedId={shown}
          options={[
            { id: 'all', text: 'All' },
            { id: 'failed', text: `Failed (${job.failed})` },
            { id: 'succeeded', text: `Succeeded (${job.succeeded})` },
          ]}
          onChange={({ detail }) => setShown(detail.selectedId)}
        />
      }
      empty={<Box textAlign="center">{job.results.length === 0 ? 'No results yet.' : 'None of these.'}</Box>}
    />
  );
}

const columnsOf = (job: Job): readonly TableProps.ColumnDefinition<Result>[] => [
  { id: 'index', header: 'No.', cell: ({ index }) => index + 1, width: 70 },
  {
    id: 'id',
    header: 'Record',
    isRowHeader: true,
    minWidth: 120,
    cell: ({ id }) => (id === null ? '–' : <PageLink to={recordPath(id, job)}>{id}</PageLink>),
  },
  {
    id: 'status',
    header: 'Result',
    minWidth: 120,
    cell: ({ status }) => (
      <StatusIndicator wrapText={false} type={status === 'succeeded' ? 'success' : 'error'}>
        {status === 'succeeded' ? 'Succeeded' : 'Failed'}
      </StatusIndicator>
    ),
  },
  { id: 'error', header: 'Why', minWidth: 220, cell: ({ error }) => (error ? <Why error={error} /> : '') },
];

function Why({ error }: { error: NonNullable<Result['error']> }) {
  const { detail, errors = [], allowed_transitions: allowed } = error;
  return (
    <span className="wrapping">
      {detail}
      {errors.map(({ field, message }) => (
        <div key={`${field} ${message}`}>
          <strong>{field}</strong> {message}
        </div>
      ))}
      {allowed && <div>Possible: {allowed.length === 0 ? 'none' : allowed.join(', ')}</div>}
    </span>
  );
}
