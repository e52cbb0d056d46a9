import { routes } from '../../contract/routes.ts';
import { createIncident } from '../incidents/create-incident.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';
import { parseSlaPolicy } from '../sla/policy.ts';

const { RECORDS_TABLE, SLA_MINUTES } = env('RECORDS_TABLE', 'SLA_MINUTES');

export const handler = route(
  routes.createIncident,
  createIncident(itemStore(dynamodbClient(), RECORDS_TABLE), parseSlaPolicy(SLA_MINUTES)),
);
