import { incidentType } from '../incidents/incident.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { recordChanger } from '../records/change-record.ts';
import { dueIds } from '../records/due-store.ts';
import { itemStore } from '../records/item-store.ts';
import { parseSlaPolicy } from '../sla/policy.ts';
import { sweepSla } from '../sla/sweep-sla.ts';

const { RECORDS_TABLE, SLA_MINUTES } = env('RECORDS_TABLE', 'SLA_MINUTES');
const policy = parseSlaPolicy(SLA_MINUTES);
const change = recordChanger(itemStore(dynamodbClient(), RECORDS_TABLE), incidentType(policy), clock);
const due = dueIds(dynamodbClient(), RECORDS_TABLE);

export const handler = () => sweepSla({ due, change, policy, clock, log });
