import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { Moment } from '../../../components/moment.tsx';
import type { Delivery } from '../webhook-words.ts';

type Attempt = Delivery['attempts'][number];

export function AttemptsTable({ delivery }: { delivery: Delivery }) {
  return (
    <Table
      items={delivery.attempts}
      trackBy={({ attempt }) => String(attempt)}
      columnDefinitions={columns}
      wrapLines
      ariaLabels={{ tableLabel: 'Attempts' }}
      header={
        <Header variant="h2" counter={`(${delivery.attempts.length})`}>
          Attempts
        </Header>
      }
      empty={<Box textAlign="center">No attempts yet.</Box>}
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<Attempt>[] = [
  { id: 'attempt', header: 'No.', isRowHeader: true, width: 70, cell: ({ attempt }) => attempt },
  { id: 'at', header: 'Time', minWidth: 190, cell: ({ at }) => <Moment at={at} /> },
  {
    id: 'status',
    header: 'Response',
    minWidth: 110,
    cell: ({ status, error }) => (
      <StatusIndicator wrapText={false} type={error === null ? 'success' : 'error'}>
        {status ?? 'None'}
      </StatusIndicator>
    ),
  },
  { id: 'duration', header: 'Duration', minWidth: 90, cell: ({ duration_ms }) => `${duration_ms} ms` },
  { id: 'error', header: 'Error', minWidth: 160, cell: ({ error }) => <span className="wrapping">{error ?? ''}</span> },
  {
    id: 'response',
    header: 'Response body (first 1 KB)',
    minWidth: 220,
    cell: ({ response }) =>
      response === null || response === '' ? (
        <Box color="text-status-inactive">empty</Box>
      ) : (
        <code className="wrapping">{response}</code>
      ),
  },
];
