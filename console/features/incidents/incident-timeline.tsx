import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { useCaller, useHasRole } from '../../base/caller.tsx';
import { toHistoryWords } from '../../records/record-words.ts';
import { Timeline, type TimelineEntry, toLine } from '../../records/timeline.tsx';
import { incidentWords } from '../../resources/incident-words.ts';
import { describeNotification } from '../../resources/notification-words.ts';
import { deliveryPath } from '../../resources/webhook-words.ts';
import { PageLink } from '../../ui/links.tsx';
import type { IncidentVersion } from './incident-change.tsx';

interface IncidentTimelineProps {
  version: IncidentVersion;
  which: 'existing' | 'deleted';
  onAdded(): void;
}

const computed = ['opened_by', 'reopen_count', 'sla_breach_at', 'sla_revision', 'work_notes_count', 'deleted'];

/** What the SLA clock reported, at the calculated times. */
const marks: Readonly<Record<string, string>> = {
  sla_warned_at: 'SLA warning',
  sla_acknowledge_breached_at: 'Acknowledgement overdue',
  sla_breached_at: 'SLA breached',
};
const words = toHistoryWords(incidentWords, computed);

/** Notes, changes, notifications and, for managers, deliveries of an incident. */
export function IncidentTimeline({ version: { record: incident, etag }, which, onAdded }: IncidentTimelineProps) {
  const { id, deleted, opened_by } = incident;
  const { client } = useApi();
  const isAgent = useHasRole('itsm_agent');
  const canSeeDeliveries = useHasRole('itsm_manager');
  const isOwn = useCaller().data?.email === opened_by;
  const address = which === 'deleted' ? { id, include_deleted: true } : { id };
  return (
    <Timeline
      id={id}
      timelineKey={['incidents', id, etag, which]}
      words={words}
      marks={marks}
      history={(page, options) => client.listIncidentHistory({ ...address, ...page }, options)}
      notes={
        which === 'deleted'
          ? undefined
          : {
              label: 'Add work note',
              list: (page, options) => client.listWorkNotes({ id, ...page }, options),
              add: (isAgent || isOwn) && !deleted ? (note) => client.createWorkNote({ id }, note) : undefined,
              onAdded,
            }
      }
      others={async ({ signal }) => [
        ...(await listNotifications(client, id, signal)),
        ...(canSeeDeliveries ? await listDeliveries(client, id, signal) : []),
      ]}
    />
  );
}

async function listNotifications(client: ServiceClient, id: string, signal: AbortSignal): Promise<TimelineEntry[]> {
  const { data } = await client.listNotifications({ limit: 200 }, { signal, retries: 0 });
  return data
    .filter(({ incident_id }) => incident_id === id)
    .map((one) => toLine(one.id, one.created_at, 'notification', describeNotification(one).text));
}

const maxEvents = 50;
const maxWebhooks = 5;

/** The latest deliveries of the latest events of the incident, by the webhooks that are called now. */
async function listDeliveries(client: ServiceClient, id: string, signal: AbortSignal): Promise<TimelineEntry[]> {
  const [events, webhooks] = await Promise.all([
    client.listEvents({ record_id: id, order: 'desc', limit: maxEvents }, { signal, retries: 0 }),
    client.listOutboundWebhooks({ limit: 200 }, { signal, retries: 0 }),
  ]);
  const ids = new Set(events.data.map((event) => event.id));
  if (ids.size === 0) return [];
  const active = webhooks.data.filter((webhook) => webhook.active).slice(0, maxWebhooks);
  const lists = active.map(async ({ id: webhookId, name }) => {
    const { data } = await client.listDeliveries({ id: webhookId, limit: 200 }, { signal, retries: 0 });
    return data
      .filter(({ event_id }) => ids.has(event_id))
      .map((delivery) =>
        toLine(
          delivery.id,
          delivery.created_at,
          'delivery',
          <>
            <PageLink to={deliveryPath(webhookId, delivery.id)}>
              {delivery.event} to {name}
            </PageLink>{' '}
            {delivery.status}
          </>,
        ),
      );
  });
  return (await Promise.all(lists)).flat();
}
