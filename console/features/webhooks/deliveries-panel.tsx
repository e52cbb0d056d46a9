import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { maxAttempts, retryDelaysText } from '../../../contract/retry-schedule.ts';
import { useApi } from '../../base/api.ts';
import { serverNow } from '../../base/server-clock.ts';
import { useMore } from '../../base/use-load.ts';
import { MoreTable } from '../../records/tables.tsx';
import { type DeliverySummary, deliveryPath, type OutboundWebhook } from '../../resources/webhook-words.ts';
import { formatCount } from '../../ui/count.ts';
import { PageLink } from '../../ui/links.tsx';
import { DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';
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
  return (
    <Select
      ariaLabel="Filter deliveries"
      selectedOption={options.find(({ value }) => value === status) ?? null}
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
  const action = useAction();
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
    onClose();
  };
  return (
    <DecisionModal
      title={`Retry failed deliveries of ${name}`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Retry"
      onConfirm={() => action.run(recover)}
      busy={action.busy}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <FormField label="Period" description="Retries every event that was never delivered successfully.">
        <Select
          selectedOption={span}
          options={spans}
          onChange={({ detail }) => setSpan(detail.selectedOption as typeof span)}
        />
      </FormField>
    </DecisionModal>
  );
}
