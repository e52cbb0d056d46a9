import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { type Changer, createRecordChanger } from './change-record.ts';
import { createItemStore, type ItemStore } from './item-store.ts';
import { type CursorSeal, createHmacCursorSeal } from './page.ts';
import type { RecordType } from './record.ts';

// The dependencies of handlers, created from the function's environment.

export function createRecordStore(): ItemStore {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return createItemStore(dynamodbClient(), RECORDS_TABLE);
}

/** Events, deliveries and the audit log. */
export function createEventStore(): ItemStore {
  const { EVENTS_TABLE } = env('EVENTS_TABLE');
  return createItemStore(dynamodbClient(), EVENTS_TABLE);
}

export function createChanger<Document>(type: RecordType<Document>, store = createRecordStore()): Changer<Document> {
  return createRecordChanger(store, type, clock);
}

export function createCursorSeal(): CursorSeal {
  const { CURSOR_KEY } = env('CURSOR_KEY');
  return createHmacCursorSeal(CURSOR_KEY);
}
