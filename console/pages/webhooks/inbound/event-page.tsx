import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { navigate } from '../../../location.ts';
import { notify } from '../../../notices.ts';
import { useAction } from '../../../use-action.ts';
import { useLoad } from '../../../use-load.ts';
import { incidentPath } from '../../incidents/incident-words.ts';
import { JsonView } from '../parts/json-view.tsx';
import { eventPath, type InboundEvent, proofNames } from '../webhook-words.ts';
import { EventStatus } from './event-status.tsx';

export function EventPage({ id, event_id }: { id: string; event_id: string }) {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => client.getInboundEvent({ id, event_id }, { signal }),
    [client, id, event_id],
  );
  const { data, problem, reload } = useLoad(load);
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
