import { incidentType } from '../incidents/incident.ts';
import { backoff } from '../platform/backoff.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { recordChanger } from '../records/change-record.ts';
import { itemStore } from '../records/item-store.ts';
import { parseSlaPolicy } from '../sla/policy.ts';
import type { InboundTools } from './event-outcome.ts';

/** What events are processed with inside Lambda, from the function's environment. */
export function deployedTools(): InboundTools {
  const { RECORDS_TABLE, SLA_MINUTES, SERVICE_DOMAIN } = env('RECORDS_TABLE', 'SLA_MINUTES', 'SERVICE_DOMAIN');
  const policy = parseSlaPolicy(SLA_MINUTES);
  const store = itemStore(dynamodbClient(), RECORDS_TABLE);
  const change = recordChanger(store, incidentType(policy), clock);
  return { store, change, policy, clock, serviceDomain: SERVICE_DOMAIN, inTurn: oneAtATime(), wait: backoff };
}
