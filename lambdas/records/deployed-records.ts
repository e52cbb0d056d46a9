import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { type Changer, recordChanger } from './change-record.ts';
import { type CursorSeal, cursorSeal } from './cursor.ts';
import { type ItemStore, itemStore } from './item-store.ts';
import type { RecordType } from './record.ts';

// What operations on records stand on inside Lambda, from the function's environment.

export function deployedStore(): ItemStore {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return itemStore(dynamodbClient(), RECORDS_TABLE);
}

export function deployedChanger<Document>(type: RecordType<Document>): Changer<Document> {
  return recordChanger(deployedStore(), type, clock);
}

export function deployedSeal(): CursorSeal {
  const { CURSOR_KEY } = env('CURSOR_KEY');
  return cursorSeal(CURSOR_KEY);
}
