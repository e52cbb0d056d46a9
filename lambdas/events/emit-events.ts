import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { errorFields, type Log } from '../platform/log.ts';
import { eventsOf, type ServiceEvent, type Speaker } from './event.ts';
import type { EventLog } from './event-log.ts';
import { recordChange } from './record-change.ts';

// From the stream of committed writes to the feed and to those who are to be told. Whatever fails on the way, the batch
// comes again, and each step does only what is not done yet.

export interface EmitTools {
  speaker: Speaker;
  events: Pick<EventLog, 'append'>;
  /** Tells the webhooks. */
  tell(events: readonly ServiceEvent[]): Promise<unknown>;
  /** Puts aside an entry of the stream that cannot be understood, for people to look at. */
  putAside(entry: unknown): Promise<void>;
  log: Log;
}

export async function emitEvents({ Records }: DynamoDBStreamEvent, tools: EmitTools): Promise<DynamoDBBatchResponse> {
  const events: ServiceEvent[] = [];
  for (const entry of Records) {
    try {
      const change = recordChange(entry);
      if (change) events.push(...eventsOf(change, tools.speaker));
    } catch (error) {
      // It would fail for ever, and everything after it would wait: one change without its events, and an alarm.
      tools.log('error', 'an entry of the stream was put aside', { keys: entry.dynamodb?.Keys, ...errorFields(error) });
      await tools.putAside(entry);
    }
  }
  if (events.length > 0) {
    await tools.events.append(events);
    await tools.tell(events);
  }
  return { batchItemFailures: [] };
}
