import type { TableProps } from '@cloudscape-design/components/table';
import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { Ago } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { incidentPath } from '../../incidents/incident-words.ts';
import { MoreTable } from '../parts/more-table.tsx';
import { useMore } from '../parts/use-more.ts';
import { eventPath, type InboundEvent, type InboundWebhook, proofNames } from '../webhook-words.ts';
import { EventStatus } from './event-status.tsx';

export function EventsPanel({ webhook: { id } }: { webhook: InboundWebhook }) {
  const { client } = useApi();
  const load = useCallback(
    (page: { limit: number; cursor?: string }, signal: AbortSignal) =>
      client.listInboundEvents({ id, ...page }, { signal }),
    [client, id],
  );
  return (
    <MoreTable
      list={useMore(load)}
      title="Received events"
      description="Retained for 30 days. You can replay failed events."
      columns={columns}
      empty="No events received yet."
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<InboundEvent>[] = [
  {
    id: 'received_at',
    header: 'Received',
    isRowHeader: true,
    cell: ({ id, webhook_id, received_at }) => (
      <PageLink to={eventPath(webhook_id, id)}>
        <Ago at={received_at} />
      </PageLink>
    ),
  },
  { id: 'status', header: 'Result', cell: ({ status }) => <EventStatus status={status} /> },
  {
    id: 'incident_id',
    header: 'Incident',
    cell: ({ incident_id: id }) => (id === null ? '–' : <PageLink to={incidentPath(id)}>{id}</PageLink>),
  },
  {
    id: 'dedup_key',
    header: 'Deduplication key',
    cell: ({ dedup_key }) => <span className="wrapping">{dedup_key ?? '–'}</span>,
  },
  { id: 'proof', header: 'Authenticated by', cell: ({ proof }) => proofNames[proof] },
  {
    id: 'error',
    header: 'Error',
    cell: ({ error }) => <span className="wrapping">{error ? whyText(error) : ''}</span>,
  },
];

function whyText({ errors }: NonNullable<InboundEvent['error']>): string {
  return errors.map(({ field, message }) => `${field} ${message}`).join('; ');
}
