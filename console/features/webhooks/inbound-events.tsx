import { useApi } from '../../base/api.ts';
import { navigate } from '../../base/router.ts';
import { useLoad, useMore } from '../../base/use-load.ts';
import { MoreTable } from '../../records/tables.tsx';
import { incidentPath } from '../../resources/incident-words.ts';
import { eventPath, type InboundEvent, type InboundWebhook, proofNames } from '../../resources/webhook-words.ts';
import {
  Alert,
  Button,
  type Column,
  Container,
  Header,
  KeyValues,
  Stack,
  Status,
  type StatusType,
} from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { notify } from '../../ui/notices.ts';
import { JsonView } from '../../ui/panels.tsx';
import { PendingPage } from '../../ui/problem-page.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { nameRecord } from '../../ui/record-names.ts';
import { Ago, Moment } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';

export function EventPage({ id, event_id }: { id: string; event_id: string }) {
  const { client } = useApi();
  const loaded = useLoad(['webhooks', id, 'events', event_id], (signal) =>
    client.getInboundEvent({ id, event_id }, { signal }),
  );
  useLoad(['webhooks', id, 'name'], async (signal) =>
    nameRecord(id, (await client.getInboundWebhook({ id }, { signal })).name),
  );
  const action = useAction();
  const replay = () =>
    action.run(async () => {
      const answer = await client.replayInboundEvent({ id, event_id });
      notify({ type: 'success', content: `Event replayed (${answer.status}).` });
      navigate(eventPath(id, answer.event_id));
    });
  const { data } = loaded;
  if (!data) return <PendingPage title="Received event" thing="event" loaded={loaded} />;
  return (
    <Stack>
      <Header
        variant="h1"
        description={<span className="wrapping">{event_id}</span>}
        actions={
          <Button variant="primary" onClick={replay} loading={action.busy}>
            Replay
          </Button>
        }
      >
        Received event
      </Header>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <EventFacts event={data} />
      <Container>
        <JsonView title="Payload" value={data.payload} />
      </Container>
    </Stack>
  );
}

function EventFacts({ event }: { event: InboundEvent }) {
  const { incident_id: incident, replay_of: original, error } = event;
  return (
    <Container header={<Header>Result</Header>}>
      <Stack>
        {error && (
          <Alert type="error" header="The mapping did not produce a valid incident">
            {error.errors.map(({ field, message }) => (
              <div key={`${field} ${message}`}>
                <strong>{field}</strong> {message}
              </div>
            ))}
          </Alert>
        )}
        <KeyValues
          columns={4}
          items={[
            { label: 'Result', value: <EventStatus status={event.status} /> },
            {
              label: 'Incident',
              value: incident === null ? '–' : <PageLink to={incidentPath(incident)}>{incident}</PageLink>,
            },
            { label: 'Received', value: <Moment at={event.received_at} /> },
            { label: 'Authenticated by', value: proofNames[event.proof] },
            { label: 'Deduplication key', value: <span className="wrapping">{event.dedup_key ?? '–'}</span> },
            { label: 'Size', value: `${event.size_bytes.toLocaleString('en')} bytes` },
            ...(original === null
              ? []
              : [
                  {
                    label: 'Replay of',
                    value: <PageLink to={eventPath(event.webhook_id, original)}>original event</PageLink>,
                  },
                ]),
          ]}
        />
      </Stack>
    </Container>
  );
}

export function EventsPanel({ webhook: { id } }: { webhook: InboundWebhook }) {
  const { client } = useApi();
  const list = useMore(['webhooks', id, 'events'], (page, signal) =>
    client.listInboundEvents({ id, ...page }, { signal }),
  );
  return (
    <MoreTable
      list={list}
      title="Received events"
      description="Retained for 30 days. You can replay failed events."
      columns={columns}
      empty="No events received yet."
    />
  );
}

const columns: readonly Column<InboundEvent>[] = [
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
    cell: ({ error }) => <span className="wrapping">{error ? formatErrors(error) : ''}</span>,
  },
];

function formatErrors({ errors }: NonNullable<InboundEvent['error']>): string {
  return errors.map(({ field, message }) => `${field} ${message}`).join('; ');
}

const looks: Readonly<Record<InboundEvent['status'], { type: StatusType; text: string; preview: string }>> = {
  created: { type: 'success', text: 'Created', preview: 'Would create' },
  updated: { type: 'success', text: 'Updated', preview: 'Would update' },
  deduplicated: { type: 'info', text: 'Duplicate', preview: 'Would be a duplicate' },
  filtered: { type: 'stopped', text: 'Filtered out', preview: 'Would be filtered out' },
  ignored: { type: 'stopped', text: 'Ignored: no open incident', preview: 'Would be ignored: no open incident' },
  confirmed: { type: 'success', text: 'Subscription confirmed', preview: 'Would confirm the subscription' },
  failed: { type: 'error', text: 'Failed', preview: 'Would fail' },
};

interface EventStatusProps {
  status: InboundEvent['status'];
  /** `preview` for a test that changes nothing. */
  tense?: 'text' | 'preview';
}

export function EventStatus({ status, tense = 'text' }: EventStatusProps) {
  return (
    <Status unbroken type={looks[status].type}>
      {looks[status][tense]}
    </Status>
  );
}
