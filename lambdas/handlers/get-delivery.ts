import { deliveryOperations } from '../../contract/deliveries.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';
import { deliveryStore } from '../webhooks/delivery-store.ts';
import { getDelivery } from '../webhooks/get-delivery.ts';

const { RECORDS_TABLE, EVENTS_TABLE } = env('RECORDS_TABLE', 'EVENTS_TABLE');
const records = itemStore(dynamodbClient(), RECORDS_TABLE);

export const handler = route(
  deliveryOperations.getDelivery,
  getDelivery(records, deliveryStore(dynamodbClient(), EVENTS_TABLE)),
);
