import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { listInboundEvents } from '../inbound/list-inbound-events.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { cursorSeal } from '../records/cursor.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE, CURSOR_KEY } = env('RECORDS_TABLE', 'CURSOR_KEY');

export const handler = route(
  inboundEventOperations.listInboundEvents,
  listInboundEvents(itemStore(dynamodbClient(), RECORDS_TABLE), cursorSeal(CURSOR_KEY)),
);
