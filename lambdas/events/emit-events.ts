import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { AuditEntry } from '../../contract/audit.ts';
import { toAuditEntries } from '../audit/committed-writes.ts';
import { newNotification, type Publish, publishNotification } from '../notifications/publish-notification.ts';
import { slaNotifications } from '../notifications/sla-notifications.ts';
import { errorFields, type Log } from '../platform/log.ts';
import type { Write } from '../records/item-store.ts';
import { eventsOf, recordChange, type ServiceEvent, type Speaker } from './event.ts';
import type { EventLog } from './event-log.ts';

// From the stream of committed writes to the feed and to those who are to be told. Whatever fails on the way, the batch
// comes again, and each step does only what is not done yet.

export interface EmitTools {
  speaker: Speaker;
  events: Pick<EventLog, 'append'>;
  /** Tells the webhooks. */
  tell(events: readonly ServiceEvent[]): Promise<unknown>;
  /** Notifies people of what became late; what was written before is left as it is. */
  notify(writes: readonly Write[]): Promise<unknown>;
  /** Adds to the audit log; an entry that is there already stays as it is. */
  audit(entries: readonly AuditEntry[]): Promise<unknown>;
  /** Tells those who subscribed to the service's topic. */
  publish: Publish;
  /** Puts aside an entry of the stream that cannot be handled, for people to look at. */
  putAside(entry: unknown): Promise<void>;
  log: Log;
}

export async function emitEvents({ Records }: DynamoDBStreamEvent, tools: EmitTools): Promise<DynamoDBBatchResponse> {
  const events: ServiceEvent[] = [];
  const notifications: Write[] = [];
  const audit: AuditEntry[] = [];
  for (const entry of Records) {
    await orPutAside(entry, tools, async () => {
      audit.push(...toAuditEntries(entry));
      const change = recordChange(entry);
      if (!change) return;
      events.push(...eventsOf(change, tools.speaker));
      notifications.push(...slaNotifications(change));
    });
  }
  if (events.length > 0) {
    await tools.events.append(events);
    await tools.tell(events);
  }
  await tools.notify(notifications);
  await tools.audit(audit);
  await publishAll(Records, tools);
  return { batchItemFailures: [] };
}

/** Last, so that a batch that comes again because of its events publishes nothing twice. */
async function publishAll(entries: readonly DynamoDBRecord[], tools: EmitTools): Promise<void> {
  for (const entry of entries) {
    await orPutAside(entry, tools, async () => {
      const notification = newNotification(entry);
      if (notification) await publishNotification(notification, tools.publish);
    });
  }
}

/** It might fail for ever, and everything after it would wait: it waits for people instead, and there is an alarm. */
async function orPutAside(entry: DynamoDBRecord, tools: EmitTools, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tools.log('error', 'an entry of the stream was put aside', { keys: entry.dynamodb?.Keys, ...errorFields(error) });
    await tools.putAside(entry);
  }
}
