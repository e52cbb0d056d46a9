import { apiPrefixes, stageName } from '../../contract/addresses.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { topic } from '../notifications/topic.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { snsClient } from '../platform/clients/sns.ts';
import { sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { itemStore } from '../records/item-store.ts';
import { written } from '../records/written.ts';
import type { EmitTools } from './emit-events.ts';
import { eventLog } from './event-log.ts';
import { putAsideQueue } from './put-aside-queue.ts';
import { rulesOfRecords } from './rules-of-records.ts';

/** What events are made with inside Lambda, from the function's environment. */
export function deployedEmitter(): Omit<EmitTools, 'tell'> {
  const { EVENTS_TABLE, PUT_ASIDE_QUEUE_URL, ALERTS_TOPIC, SERVICE_INSTANCE, ALLOWED_ORIGIN } = env(
    'EVENTS_TABLE',
    'PUT_ASIDE_QUEUE_URL',
    'ALERTS_TOPIC',
    'SERVICE_INSTANCE',
    'ALLOWED_ORIGIN',
  );
  const records = deployedStore();
  const events = itemStore(dynamodbClient(), EVENTS_TABLE);
  return {
    speaker: {
      rules: rulesOfRecords,
      serviceInstance: SERVICE_INSTANCE,
      apiUrl: `${ALLOWED_ORIGIN}/${stageName}${apiPrefixes[0]}`,
    },
    events: eventLog(events, clock),
    audit: (entries) => recordAudit(events, entries),
    notify: (writes) => Promise.all(writes.map((write) => written(records, [write]))),
    publish: topic(snsClient(), ALERTS_TOPIC),
    putAside: putAsideQueue(sqsClient(), PUT_ASIDE_QUEUE_URL),
    log,
  };
}
