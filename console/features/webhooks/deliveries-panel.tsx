import { useState } from 'react';
import { maxAttempts, retryDelaysText } from '../../../contract/retry-schedule.ts';
import { useApi } from '../../base/api.ts';
import { serverNow } from '../../base/server-clock.ts';
import { useMore } from '../../base/use-load.ts';
import { MoreTable } from '../../records/tables.tsx';
import { type DeliverySummary, deliveryPath, type OutboundWebhook } from '../../resources/webhook-words.ts';
import { formatCount } from '../../ui/count.ts';
import { Button, type Column, FormField, Select } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { ActionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { Ago } from '../../ui/text.tsx';
import { DeliveryStatus, deliveryStatuses } from './delivery-page.tsx';

const all = { value: '', label: 'All deliveries' };

export function DeliveriesPanel({ webhook }: { webhook: OutboundWebhook }) {
  const { client } = useApi();
  const { id } = webhook;
  const [status, setStatus] = useState('');
  const [recovering, setRecovering] = useState(false);
  const list = useMore(['webhooks', id, 'deliveries', { status }], (page, signal) =>
    client.listDeliveries(
      { id, ...page, ...(status === '' ? {} : { status: status as DeliverySummary['status'] }) },
      { signal },
    ),
  );
  return (
    <>
      <MoreTable
        list={list}
        title="Deliveries"
        description={`Up to ${maxAttempts} attempts per delivery: immediately, then after ${retryDelaysText}. Retained for 30 days.`}
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
  return <Select ariaLabel="Filter deliveries" value={status} options={options} onChange={onChange} />;
}

const columns: readonly Column<DeliverySummary>[] = [
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
  {
    id: 'event',
    header: 'Event',
    cell: ({ event, replay_of }) => (
      <>
        <code>{event}</code>
        {replay_of !== null && ' (replay)'}
      </>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts_made }) => attempts_made },
  { id: 'last_status', header: 'Last response', cell: ({ last_status }) => last_status ?? '–' },
  {
    id: 'next_attempt_at',
    header: 'Next attempt',
    cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Ago at={at} />),
  },
];

const hour = 3_600_000;
const defaultSpan = { value: String(24 * hour), label: 'Last 24 hours' };
const spans = [
  { value: String(hour), label: 'Last hour' },
  defaultSpan,
  { value: String(7 * 24 * hour), label: 'Last 7 days' },
  { value: String(30 * 24 * hour), label: 'Last 30 days' },
];

/** The service retries a limited number per request and reports whether there are more. */
const maxRounds = 50;

export function RecoverModal({ webhook: { id, name }, onClose }: { webhook: OutboundWebhook; onClose(): void }) {
  const { client } = useApi();
  const [span, setSpan] = useState(defaultSpan);
  const recover = async () => {
    const since = new Date(serverNow() - Number(span.value)).toISOString();
    let count = 0;
    for (let round = 0; round < maxRounds; round += 1) {
      const { replayed, more } = await client.recoverDeliveries({ id }, { since });
      count += replayed;
      if (!more) break;
    }
    notify({
      type: 'success',
      content:
        count === 0 ? 'No failed deliveries found.' : `Retrying ${formatCount(count, 'delivery', 'deliveries')}.`,
    });
  };
  return (
    <ActionModal title={`Retry failed deliveries of ${name}`} confirmText="Retry" run={recover} onClose={onClose}>
      <FormField label="Period" description="Retries every event that was never delivered successfully.">
        <Select
          value={span.value}
          options={spans}
          onChange={(value) => setSpan(spans.find((each) => each.value === value) ?? span)}
        />
      </FormField>
    </ActionModal>
  );
}
