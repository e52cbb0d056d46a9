import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { navigate } from '../../base/router.ts';
import { useLoad } from '../../base/use-load.ts';
import { type Delivery, type DeliverySummary, deliveryPath } from '../../resources/webhook-words.ts';
import {
  Box,
  Button,
  type Column,
  Container,
  Header,
  KeyValues,
  Stack,
  Status,
  type StatusType,
  Table,
} from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { JsonView } from '../../ui/panels.tsx';
import { PendingPage } from '../../ui/problem-page.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { nameRecord } from '../../ui/record-names.ts';
import { useNow } from '../../ui/screen.ts';
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
  const loaded = useLoad(['webhooks', id, 'deliveries', delivery_id], load, {
    polling: ended === delivery_id ? undefined : polling,
  });
  useLoad(['webhooks', id, 'name'], async (signal) =>
    nameRecord(id, (await client.getOutboundWebhook({ id }, { signal })).name),
  );
  const action = useAction();
  const { data, problem, reload } = loaded;
  if (!data) return <PendingPage title="Delivery" thing="delivery" loaded={loaded} />;
  const replay = async () => navigate(deliveryPath(id, (await client.replayDelivery({ id, delivery_id })).id));
  return (
    <PageLayout
      title={`${data.event} delivery`}
      description={<span className="wrapping">{delivery_id}</span>}
      actions={
        data.event !== 'ping' && (
          <Button variant="primary" loading={action.busy} onClick={() => action.run(replay)}>
            Replay
          </Button>
        )
      }
    >
      <Stack>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        <DeliveryFacts delivery={data} />
        <AttemptsTable delivery={data} />
        <Container>
          <JsonView title="Payload" description="Identical for every attempt." value={data.payload} />
        </Container>
      </Stack>
    </PageLayout>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { webhook_id, replay_of, next_attempt_at: next, finished_at: finished } = delivery;
  return (
    <Panel title="Status">
      <KeyValues
        columns={4}
        items={[
          { label: 'Status', value: <DeliveryStatus status={delivery.status} /> },
          { label: 'Created', value: <Moment at={delivery.created_at} /> },
          finished === null
            ? { label: 'Next attempt', value: next === null ? '–' : <Due at={next} /> }
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

function Due({ at }: { at: string }) {
  return Date.parse(at) > useNow(1_000) ? <Ago at={at} /> : 'Due now';
}

type Attempt = Delivery['attempts'][number];

export function AttemptsTable({ delivery }: { delivery: Delivery }) {
  return (
    <Table
      items={delivery.attempts}
      trackBy={({ attempt }) => String(attempt)}
      columns={columns}
      label="Attempts"
      header={<Header counter={`(${delivery.attempts.length})`}>Attempts</Header>}
      empty={<Box center>No attempts yet.</Box>}
    />
  );
}

const columns: readonly Column<Attempt>[] = [
  { id: 'attempt', header: 'No.', isRowHeader: true, width: 70, cell: ({ attempt }) => attempt },
  { id: 'at', header: 'Time', minWidth: 190, cell: ({ at }) => <Moment at={at} /> },
  {
    id: 'status',
    header: 'Response',
    minWidth: 110,
    cell: ({ status, error }) => (
      <Status unbroken type={error === null ? 'success' : 'error'}>
        {status ?? 'None'}
      </Status>
    ),
  },
  { id: 'duration', header: 'Duration', minWidth: 90, cell: ({ duration_ms }) => `${duration_ms} ms` },
  { id: 'error', header: 'Error', minWidth: 160, cell: ({ error }) => <span className="wrapping">{error ?? ''}</span> },
  {
    id: 'response',
    header: 'Response body (first 1 KB)',
    minWidth: 220,
    cell: ({ response }) =>
      response === null || response === '' ? <Box muted>empty</Box> : <code className="wrapping">{response}</code>,
  },
];

const looks: Readonly<Record<DeliverySummary['status'], { type: StatusType; text: string }>> = {
  pending: { type: 'pending', text: 'Pending' },
  retrying: { type: 'in-progress', text: 'Retrying' },
  delivered: { type: 'success', text: 'Delivered' },
  failed: { type: 'error', text: 'Failed' },
  cancelled: { type: 'stopped', text: 'Cancelled' },
};

export const deliveryStatuses = Object.entries(looks).map(([value, { text }]) => ({
  value: value as DeliverySummary['status'],
  label: text,
}));

export function DeliveryStatus({ status }: Pick<DeliverySummary, 'status'>) {
  return (
    <Status unbroken type={looks[status].type}>
      {looks[status].text}
    </Status>
  );
}
