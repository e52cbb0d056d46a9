import { createFeedStore } from '../../lists/feed-store.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { log } from '../../platform/log.ts';
import { buildPostponeWrite, createDueIdFinder } from '../../records/index-store.ts';
import { writeWithRetry } from '../../records/item-store.ts';
import { createChanger, createRecordStore } from '../../records/wiring.ts';
import { createIncidentRules } from '../incident.ts';
import { createPolicyPass } from './apply-policy.ts';
import { loadSlaPolicy } from './sla.ts';
import { sweepSla as sweep } from './sla-operations.ts';

export const sweepSla = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const policy = loadSlaPolicy();
  const rules = createIncidentRules(policy);
  const store = createRecordStore();
  const change = createChanger(rules.resource, store);
  const due = createDueIdFinder(dynamodbClient(), RECORDS_TABLE);
  const feed = createFeedStore(dynamodbClient(), RECORDS_TABLE, rules.resource.name);
  const applyPolicy = createPolicyPass({ store, feed, policy, clock });
  const postpone = (id: string, nowMs: number) => writeWithRetry(store, [buildPostponeWrite(id, nowMs)]);
  return () => sweep({ due, postpone, applyPolicy, change, rules, clock, log });
};
