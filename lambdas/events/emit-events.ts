import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { AuditEntry } from '../../contract/audit.ts';
import type { WorkNote } from '../../contract/work-notes.ts';
import { toAuditEntries } from '../audit/audit-log.ts';
import type { RecordGroupName } from '../identity/group-names.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { type Publish, publishNotification, toNewNotification } from '../notifications/notification.ts';
import {
  buildNoteNotifications,
  buildSlaNotifications,
  buildWorkNotifications,
} from '../notifications/notification-rules.ts';
import { countBy, type Log, toErrorFields } from '../platform/log.ts';
import type { Write } from '../records/item-store.ts';
import { type EventFormatter, type RecordChange, type ServiceEvent, toEvents, toRecordChanges } from './event.ts';
import type { EventLog } from './event-log.ts';

// Turns the stream of committed writes into events, webhook deliveries, notifications and audit entries. A failed batch is
// retried, and each step is idempotent.

export interface EmitTools {
  formatter: EventFormatter;
  events: Pick<EventLog, 'append'>;
  /** Queues the deliveries to webhooks. */
  deliver(events: readonly ServiceEvent[]): Promise<unknown>;
  /** Undefined when the incident is deleted. */
  findIncident(id: string): Promise<IncidentDocument | undefined>;
  /** The writes that record the name of a change's group in the directory. */
  recordGroupName: RecordGroupName;
  /** Writes notifications and group names; skips notifications that exist. */
  notify(writes: readonly Write[]): Promise<unknown>;
  /** Adds to the audit log; skips entries that exist. */
  audit(entries: readonly AuditEntry[]): Promise<unknown>;
  /** Publishes to the subscribers of the service's topic. */
  publish: Publish;
  /** Receives stream entries that cannot be processed. */
  sendToDeadLetterQueue(entry: unknown): Promise<void>;
  log: Log;
}

export async function emitEvents({ Records }: DynamoDBStreamEvent, tools: EmitTools): Promise<DynamoDBBatchResponse> {
  const events: ServiceEvent[] = [];
  const notifications: Write[] = [];
  const audit: AuditEntry[] = [];
  const changes: RecordChange[] = [];
  for (const entry of Records) {
    await runOrSendToDeadLetterQueue(entry, tools, async () => {
      audit.push(...toAuditEntries(entry));
      notifications.push(...(await buildNewNoteNotifications(entry, tools)));
      for (const change of toRecordChanges(entry)) {
        changes.push(change);
        events.push(...toEvents(change, tools.formatter));
        notifications.push(...buildSlaNotifications(change), ...buildWorkNotifications(change));
        notifications.push(...tools.recordGroupName(change));
      }
    });
  }
  if (events.length > 0) {
    await tools.events.append(events);
    await tools.deliver(events);
  }
  await tools.notify(notifications);
  await tools.audit(audit);
  await publishAll(Records, tools);
  countIncidents(changes, events, tools.log);
  return { batchItemFailures: [] };
}

/** Runs after the work is done; a retried batch may count an incident twice. */
function countIncidents(changes: readonly RecordChange[], events: readonly ServiceEvent[], log: Log): void {
  const priorities = new Map(
    changes.map(({ id, version, after }) => [`${id} ${version}`, String((after.document as Prioritized).priority)]),
  );
  const listPriorities = (type: ServiceEvent['type']) =>
    events
      .filter((event) => event.type === type)
      .map(({ recordId, version }) => priorities.get(`${recordId} ${version}`) ?? 'unknown');
  countBy(log, 'IncidentsCreated', 'priority', listPriorities('incident.created'));
  countBy(log, 'SlaBreaches', 'priority', listPriorities('sla.breached'));
}

interface Prioritized {
  priority?: string;
}

async function buildNewNoteNotifications(
  { eventName, dynamodb }: DynamoDBRecord,
  { findIncident }: Pick<EmitTools, 'findIncident'>,
): Promise<Write[]> {
  const { type, document } = dynamodb?.NewImage ?? {};
  if (eventName !== 'INSERT' || type?.S !== 'note' || document?.S === undefined) return [];
  const note: WorkNote = JSON.parse(document.S);
  const incident = await findIncident(note.incident_id);
  return incident ? buildNoteNotifications(note, incident) : [];
}

/** Runs last, so that a retry after an earlier failure does not publish a message twice. */
async function publishAll(entries: readonly DynamoDBRecord[], tools: EmitTools): Promise<void> {
  for (const entry of entries) {
    await runOrSendToDeadLetterQueue(entry, tools, async () => {
      const notification = toNewNotification(entry);
      if (notification) await publishNotification(notification, tools.publish);
    });
  }
}

/** An entry that always fails would block the stream, so it goes to the dead-letter queue, which has an alarm. */
async function runOrSendToDeadLetterQueue(
  entry: DynamoDBRecord,
  tools: EmitTools,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    tools.log('error', 'stream entry sent to the dead-letter queue', {
      keys: entry.dynamodb?.Keys,
      ...toErrorFields(error),
    });
    await tools.sendToDeadLetterQueue(entry);
  }
}
