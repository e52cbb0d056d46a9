import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { navigate } from '../../base/router.ts';
import { useLoad } from '../../base/use-load.ts';
import { type Delivery, type DeliverySummary, deliveryPath } from '../../resources/webhook-words.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { FactsSkeleton, JsonView } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago, Moment } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';

const polling = { intervalMs: 1_500, maxIntervalMs: 60_000, maxPolls: 400 };

/** Polls until the delivery is finished. */
export function DeliveryPage({ id, delivery_id }: { id: string; delivery_id: string }) {
  const { client } = useApi();
  const [ended, setEnded] = useState<string>();
  const load = async (signal: AbortSignal) => {
    const delivery = await client.getDelivery({ id, delivery_id }, { signal });
    if (delivery.finished_at !== null) setEnded(delivery_id);
    return delivery;
  };
  const { data, problem, reload } = useLoad(['webhooks', id, 'deliveries', delivery_id], load, {
    polling: ended === delivery_id ? undefined : polling,
  });
  const action = useAction();
  const replay = async () => navigate(deliveryPath(id, (await client.replayDelivery({ id, delivery_id })).id));
  return (
    <PageLayout
      title={data ? `${data.event} delivery` : 'Delivery'}
      description={<span className="wrapping">{delivery_id}</span>}
      actions={
        data?.event !== 'ping' && (
          <Button variant="primary" disabled={!data} loading={action.busy} onClick={() => action.run(replay)}>
            Replay
          </Button>
        )
      }
    >
      <SpaceBetween size="l">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        {!data && problem === undefined && <FactsSkeleton facts={4} label="Loading delivery" />}
        {data && <DeliveryFacts delivery={data} />}
        {data && <AttemptsTable delivery={data} />}
        {data && (
          <Container>
            <JsonView title="Payload" description="Identical for every attempt." value={data.payload} />
          </Container>
        )}
      </SpaceBetween>
    </PageLayout>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { webhook_id, replay_of, next_attempt_at: next, finished_at: finished } = delivery;
  return (
    <Panel title="Status">
      <KeyValuePairs
        columns={4}
        minColumnWidth={150}
        items={[
          { label: 'Status', value: <DeliveryStatus status={delivery.status} /> },
          { label: 'Created', value: <Moment at={delivery.created_at} /> },
          finished === null
            ? { label: 'Next attempt', value: next === null ? '–' : <Ago at={next} /> }
            : { label: 'Finished', value: <Moment at={finished} /> },
          { label: 'Event', value: <span className="wrapping">{delivery.event_id}</span> },
          ...(replay_of === null
            ? []
            : [
                {
                  label: 'Replay of',
                  value: <PageLink to={deliveryPath(webhook_id, replay_of)}>original delivery</PageLink>,
                },
              ]),
        ]}
      />
    </Panel>
  );
}

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

type Status = DeliverySummary['status'];

const looks: Readonly<Record<Status, { type: StatusIndicatorProps.Type; text: string }>> = {
  pending: { type: 'pending', text: 'Pending' },
  retrying: { type: 'in-progress', text: 'Retrying' },
  delivered: { type: 'success', text: 'Delivered' },
  failed: { type: 'error', text: 'Failed' },
  cancelled: { type: 'stopped', text: 'Cancelled' },
};

export const deliveryStatuses = Object.entries(looks).map(([value, { text }]) => ({
  value: value as Status,
  label: text,
}));

export function DeliveryStatus({ status }: { status: Status }) {
  return (
    <StatusIndicator wrapText={false} type={looks[status].type}>
      {looks[status].text}
    </StatusIndicator>
  );
}
