import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { AuditEntry } from '../../contract/audit.ts';
import { toAuditEntries } from '../audit/committed-writes.ts';
import { type Publish, publishNotification, toNewNotification } from '../notifications/publish-notification.ts';
import { slaNotifications } from '../notifications/sla-notifications.ts';
import { errorFields, type Log } from '../platform/log.ts';
import type { Write } from '../records/item-store.ts';
import { type EventFormatter, eventsOf, type ServiceEvent, toRecordChanges } from './event.ts';
import type { EventLog } from './event-log.ts';

// Turns the stream of committed writes into events, webhook deliveries, notifications and audit entries. A failed batch is
// retried, and each step is idempotent.

export interface EmitTools {
  speaker: EventFormatter;
  events: Pick<EventLog, 'append'>;
  /** Queues the deliveries to webhooks. */
  deliver(events: readonly ServiceEvent[]): Promise<unknown>;
  /** Notifies people of SLA breaches; skips notifications that exist. */
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
  for (const entry of Records) {
    await orSendToDeadLetterQueue(entry, tools, async () => {
      audit.push(...toAuditEntries(entry));
      for (const change of toRecordChanges(entry)) {
        events.push(...eventsOf(change, tools.speaker));
        notifications.push(...slaNotifications(change));
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
  return { batchItemFailures: [] };
}

/** Runs last, so that a retry after an earlier failure publishes nothing twice. */
async function publishAll(entries: readonly DynamoDBRecord[], tools: EmitTools): Promise<void> {
  for (const entry of entries) {
    await orSendToDeadLetterQueue(entry, tools, async () => {
      const notification = toNewNotification(entry);
      if (notification) await publishNotification(notification, tools.publish);
    });
  }
}

/** An entry that always fails would block the stream, so it goes to the dead-letter queue, which has an alarm. */
async function orSendToDeadLetterQueue(
  entry: DynamoDBRecord,
  tools: EmitTools,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    tools.log('error', 'stream entry sent to the dead-letter queue', {
      keys: entry.dynamodb?.Keys,
      ...errorFields(error),
    });
    await tools.sendToDeadLetterQueue(entry);
  }
}
