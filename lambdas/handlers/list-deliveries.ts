import { deliveryOperations } from '../../contract/deliveries.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { cursorSeal } from '../records/cursor.ts';
import { itemStore } from '../records/item-store.ts';
import { listDeliveries } from '../webhooks/list-deliveries.ts';

const { RECORDS_TABLE, EVENTS_TABLE, CURSOR_KEY } = env('RECORDS_TABLE', 'EVENTS_TABLE', 'CURSOR_KEY');
const records = itemStore(dynamodbClient(), RECORDS_TABLE);
const events = itemStore(dynamodbClient(), EVENTS_TABLE);

export const handler = route(
  deliveryOperations.listDeliveries,
  listDeliveries(records, events, cursorSeal(CURSOR_KEY)),
);
