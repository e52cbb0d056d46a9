import { routes } from '../../contract/routes.ts';
import { incidentType } from '../incidents/incident.ts';
import { updateIncident } from '../incidents/update-incident.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';
import { parseSlaPolicy } from '../sla/policy.ts';

const { RECORDS_TABLE, SLA_MINUTES } = env('RECORDS_TABLE', 'SLA_MINUTES');
const policy = parseSlaPolicy(SLA_MINUTES);
const change = recordChanger(itemStore(dynamodbClient(), RECORDS_TABLE), incidentType(policy), clock);

export const handler = route(routes.updateIncident, updateIncident(change, policy));
