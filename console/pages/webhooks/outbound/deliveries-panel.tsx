import Button from '@cloudscape-design/components/button';
import Select from '@cloudscape-design/components/select';
import type { TableProps } from '@cloudscape-design/components/table';
import { useCallback, useState } from 'react';
import { useApi } from '../../../api.ts';
import { Ago } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { MoreTable } from '../parts/more-table.tsx';
import { useMore } from '../parts/use-more.ts';
import { type DeliverySummary, deliveryPath, type OutboundWebhook } from '../webhook-words.ts';
import { DeliveryStatus, deliveryStatuses } from './delivery-status.tsx';
import { RecoverModal } from './recover-modal.tsx';

const all = { value: '', label: 'All deliveries' };

export function DeliveriesPanel({ webhook }: { webhook: OutboundWebhook }) {
  const { client } = useApi();
  const { id } = webhook;
  const [status, setStatus] = useState('');
  const [recovering, setRecovering] = useState(false);
  const load = useCallback(
    (page: { limit: number; cursor?: string }, signal: AbortSignal) =>
      client.listDeliveries(
        { id, ...page, ...(status === '' ? {} : { status: status as DeliverySummary['status'] }) },
        { signal },
      ),
    [client, id, status],
  );
  const list = useMore(load);
  return (
    <>
      <MoreTable
        list={list}
        title="Deliveries"
        description="Up to five attempts per delivery: immediately, then after 30 s, 2 min, 10 min and 30 min. Retained for 30 days."
        columns={columns}
        empty="No deliveries."
        filter={<StatusFilter status={status} onChange={setStatus} />}
        actions={
          <Button disabled={!webhook.active} onClick={() => setRecovering(true)}>
            {' '}
            Retry failed{' '}
          </Button>
        }
      />
      {recovering && (
        <RecoverModal
          webhook={webhook}
          onClose={() => {
            setRecovering(false);
            list.reload();
          }}
        />
      )}
    </>
  );
}

function StatusFilter({ status, onChange }: { status: string; onChange(status: string): void }) {
  const options = [all, ...deliveryStatuses];
  return (
    <Select
      ariaLabel="Filter deliveries"
      selectedOption={options.find(({ value }) => value === status)!}
      options={options}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<DeliverySummary>[] = [
  {
    id: 'created_at',
    header: 'Created',
    isRowHeader: true,
    cell: ({ id, webhook_id, created_at }) => (
      <PageLink to={deliveryPath(webhook_id, id)}>
        <Ago at={created_at} />
      </PageLink>
    ),
  },
  { id: 'event', header: 'Event', cell: ({ event }) => <code>{event}</code> },
  { id: 'status', header: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts_made }) => attempts_made },
  { id: 'last_status', header: 'Last response', cell: ({ last_status }) => last_status ?? '–' },
  {
    id: 'next_attempt_at',
    header: 'Next attempt',
    cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Ago at={at} />),
  },
  { id: 'replay_of', header: 'Replay', cell: ({ replay_of }) => (replay_of === null ? '' : 'Yes') },
];
