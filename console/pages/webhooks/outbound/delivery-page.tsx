import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback, useState } from 'react';
import { useApi } from '../../../api.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { Ago, Moment } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { navigate } from '../../../location.ts';
import { useAction } from '../../../use-action.ts';
import { usePolling } from '../../../use-load.ts';
import { JsonView } from '../parts/json-view.tsx';
import { type Delivery, deliveryPath } from '../webhook-words.ts';
import { AttemptsTable } from './attempts-table.tsx';
import { DeliveryStatus } from './delivery-status.tsx';

const polling = { intervalMs: 1_500, maxIntervalMs: 60_000, maxPolls: 400 };

/** Asks again until the delivery has come to an end. */
export function DeliveryPage({ id, delivery_id }: { id: string; delivery_id: string }) {
  const { client } = useApi();
  const [ended, setEnded] = useState<string>();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const delivery = await client.getDelivery({ id, delivery_id }, { signal });
      if (delivery.finished_at !== null) setEnded(delivery_id);
      return delivery;
    },
    [client, id, delivery_id],
  );
  const { data: loaded, problem, reload } = usePolling(load, ended === delivery_id ? undefined : polling);
  // Another delivery's data may still be there while this one's is on its way.
  const data = loaded?.id === delivery_id ? loaded : undefined;
  const action = useAction();
  const replay = async () => navigate(deliveryPath(id, (await client.replayDelivery({ id, delivery_id })).id));
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description={<span className="wrapping">{delivery_id}</span>}
          actions={
            data?.event !== 'ping' && (
              <Button variant="primary" disabled={!data} loading={action.busy} onClick={() => action.run(replay)}>
                Replay
              </Button>
            )
          }
        >
          {data ? `${data.event} delivery` : 'Delivery'}
        </Header>
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
    </ContentLayout>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { webhook_id, replay_of, next_attempt_at: next, finished_at: finished } = delivery;
  return (
    <Container header={<Header variant="h2">Status</Header>}>
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
    </Container>
  );
}
