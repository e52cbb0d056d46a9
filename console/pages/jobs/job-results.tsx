import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { PageLink } from '../../components/page-link.tsx';
import { recordPathOf } from '../../record-path.ts';
import type { Job } from './job-words.ts';

type Result = Job['results'][number];

/** What became of each record. */
export function JobResults({ job }: { job: Job }) {
  const [shown, setShown] = useState('all');
  const results = job.results.filter(({ status }) => shown === 'all' || status === shown);
  return (
    <Table
      items={results}
      trackBy={({ index }) => String(index)}
      columnDefinitions={columns}
      wrapLines
      ariaLabels={{ tableLabel: 'Results' }}
      header={
        <Header variant="h2" counter={`(${job.results.length})`}>
          Results
        </Header>
      }
      filter={
        <SegmentedControl
          label="Filter results"
          selectedId={shown}
          options={[
            { id: 'all', text: 'All' },
            { id: 'failed', text: `Failed (${job.failed})` },
            { id: 'succeeded', text: `Succeeded (${job.succeeded})` },
          ]}
          onChange={({ detail }) => setShown(detail.selectedId)}
        />
      }
      empty={<Box textAlign="center">{job.results.length === 0 ? 'No results yet.' : 'No matching results.'}</Box>}
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<Result>[] = [
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
      <StatusIndicator wrapText={false} type={status === 'succeeded' ? 'success' : 'error'}>
        {status === 'succeeded' ? 'Succeeded' : 'Failed'}
      </StatusIndicator>
    ),
  },
  { id: 'error', header: 'Error', minWidth: 220, cell: ({ error }) => (error ? <Why error={error} /> : '') },
];

/** A bulk request may name ids that no record can have. */
function RecordLink({ id }: Pick<Result, 'id'>) {
  const path = recordPathOf(id ?? '');
  return path ? <PageLink to={path}>{id}</PageLink> : <span className="wrapping">{id ?? '–'}</span>;
}

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
      {allowed && <div>Allowed: {allowed.length === 0 ? 'none' : allowed.join(', ')}</div>}
    </span>
  );
}
