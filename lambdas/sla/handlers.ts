import { createIncidentRules } from '../incidents/incident.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { createDueIdFinder } from '../records/index-store.ts';
import { createChanger } from '../records/wiring.ts';
import { loadSlaPolicy } from './sla.ts';
import { sweepSla as sweep } from './sla-operations.ts';

export const sweepSla = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const rules = createIncidentRules(loadSlaPolicy());
  const change = createChanger(rules.resource);
  const due = createDueIdFinder(dynamodbClient(), RECORDS_TABLE);
  return () => sweep({ due, change, rules, clock, log });
};
