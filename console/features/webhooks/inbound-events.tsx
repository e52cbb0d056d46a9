import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import { useApi } from '../../base/api.ts';
import { navigate } from '../../base/router.ts';
import { useLoad, useMore } from '../../base/use-load.ts';
import { MoreTable } from '../../records/tables.tsx';
import { incidentPath } from '../../resources/incident-words.ts';
import { eventPath, type InboundEvent, type InboundWebhook, proofNames } from '../../resources/webhook-words.ts';
import { PageLink } from '../../ui/links.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton, JsonView } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago, Moment } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';

export function EventPage({ id, event_id }: { id: string; event_id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['webhooks', id, 'events', event_id], (signal) =>
    client.getInboundEvent({ id, event_id }, { signal }),
  );
  const action = useAction();
  const replay = () =>
    action.run(async () => {
      const answer = await client.replayInboundEvent({ id, event_id });
      notify({ type: 'success', content: `Event replayed (${answer.status}).` });
      navigate(eventPath(id, answer.event_id));
    });
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description={<span className="wrapping">{event_id}</span>}
          actions={
            <Button variant="primary" onClick={replay} loading={action.busy} disabled={!data}>
              Replay
            </Button>
          }
        >
          Received event
        </Header>
      }
    >
      <SpaceBetween size="l">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        {!data && problem === undefined && <FactsSkeleton facts={4} label="Loading event" />}
        {data && <EventFacts event={data} />}
        {data && (
          <Container>
            <JsonView title="Payload" value={data.payload} />
          </Container>
        )}
      </SpaceBetween>
    </ContentLayout>
  );
}

function EventFacts({ event }: { event: InboundEvent }) {
  const { incident_id: incident, replay_of: original, error } = event;
  return (
    <Container header={<Header variant="h2">Result</Header>}>
      <SpaceBetween size="l">
        {error && (
          <Alert type="error" header="The mapping did not produce a valid incident">
            {error.errors.map(({ field, message }) => (
              <div key={`${field} ${message}`}>
                <strong>{field}</strong> {message}
              </div>
            ))}
          </Alert>
        )}
        <KeyValuePairs
          columns={4}
          minColumnWidth={150}
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
      </SpaceBetween>
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
    cell: ({ error }) => <span className="wrapping">{error ? formatErrors(error) : ''}</span>,
  },
];

function formatErrors({ errors }: NonNullable<InboundEvent['error']>): string {
  return errors.map(({ field, message }) => `${field} ${message}`).join('; ');
}

const looks: Readonly<
  Record<InboundEvent['status'], { type: StatusIndicatorProps.Type; text: string; preview: string }>
> = {
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
    <StatusIndicator wrapText={false} type={looks[status].type}>
      {looks[status][tense]}
    </StatusIndicator>
  );
}
