import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { getInboundEvent } from '../inbound/get-inbound-event.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');

export const handler = route(
  inboundEventOperations.getInboundEvent,
  getInboundEvent(itemStore(dynamodbClient(), RECORDS_TABLE)),
);
