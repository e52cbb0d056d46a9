import type { DynamoDBStreamEvent } from 'aws-lambda';
import { eventOperations } from '../../contract/events.ts';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { createGroupNameRecorder } from '../identity/group-names.ts';
import { indexRecords } from '../list-index/index-records.ts';
import { createHiddenRecordFinder } from '../lists/record-store.ts';
import { listFollowers } from '../notifications/inbox.ts';
import { createMessages } from '../oncall/channels/messages.ts';
import { createPageQueue } from '../oncall/pages/page-queue.ts';
import { followIncidents } from '../oncall/pages/start-pages.ts';
import { createSearchClient } from '../platform/clients/opensearch.ts';
import { createTopicPublisher, snsClient } from '../platform/clients/sns.ts';
import { createDeadLetterQueue, sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { memoize } from '../platform/memoize.ts';
import { recordSortKey, toRecord } from '../records/record-item.ts';
import { createEventStore, createRecordStore } from '../records/wiring.ts';
import { writeWithRetry } from '../records/write-items.ts';
import { createDeliveryTools, queueEvents } from '../webhooks/outbound/delivery-queue.ts';
import { emitEvents as emit } from './emit-events.ts';
import { eventRules } from './event.ts';
import { createEventLog } from './event-log.ts';
import { listEvents as listEventsUseCase } from './list-events.ts';

export const listEvents = () =>
  route(
    eventOperations.listEvents,
    listEventsUseCase(createEventLog(createEventStore(), clock), createHiddenRecordFinder()),
  );

/** A batch may contain many incidents of one group. */
const followersCacheMs = 1_000;

export const emitEvents = () => {
  const { DEAD_LETTER_QUEUE_URL, ALERTS_TOPIC, SERVICE_INSTANCE, ALLOWED_ORIGIN } = env(
    'DEAD_LETTER_QUEUE_URL',
    'ALERTS_TOPIC',
    'SERVICE_INSTANCE',
    'ALLOWED_ORIGIN',
  );
  const records = createRecordStore();
  const events = createEventStore();
  const deliveryTools = createDeliveryTools();
  const pageQueues = createPageQueues();
  const tools: Parameters<typeof emit>[1] = {
    formatter: {
      rules: eventRules,
      serviceInstance: SERVICE_INSTANCE,
      apiUrl: `${ALLOWED_ORIGIN}/${stageName}${apiPrefixes[0]}`,
    },
    events: createEventLog(events, clock),
    page: (changes, checkedPages) => followIncidents(changes, checkedPages, { store: records, clock, ...pageQueues }),
    audit: (entries) => recordAudit(events, entries),
    async findDocument(id) {
      const item = await records.get(id, recordSortKey);
      const record = item && toRecord<object>(item);
      return record?.deleted === false ? record.document : undefined;
    },
    findExisting: (keys) => records.getMany(keys, ['pk', 'sk']),
    recordGroupName: createGroupNameRecorder(),
    notify: (writes) => Promise.all(writes.map((write) => writeWithRetry(records, [write]))),
    messages: createMessages(),
    listFollowers: memoize((group) => listFollowers(records, group, clock.now()), followersCacheMs, clock.now),
    deliver: (emitted) => queueEvents(emitted, deliveryTools),
    publish: createTopicPublisher(snsClient(), ALERTS_TOPIC),
    sendToDeadLetterQueue: createDeadLetterQueue(sqsClient(), DEAD_LETTER_QUEUE_URL),
    ...createIndexer(),
    log,
  };
  return (batch: DynamoDBStreamEvent) => emit(batch, tools);
};

function createPageQueues() {
  const { PAGES_QUEUE_URL, PAGE_CHECKS_QUEUE_URL } = env('PAGES_QUEUE_URL', 'PAGE_CHECKS_QUEUE_URL');
  return {
    enqueue: createPageQueue(sqsClient(), PAGES_QUEUE_URL),
    check: createPageQueue(sqsClient(), PAGE_CHECKS_QUEUE_URL),
  };
}

function createIndexer(): Pick<Parameters<typeof emit>[1], 'index'> {
  const client = createSearchClient();
  if (!client) return {};
  const sendToRetryQueue = createDeadLetterQueue(sqsClient(), env('INDEX_RETRY_QUEUE_URL').INDEX_RETRY_QUEUE_URL);
  return { index: (entries) => indexRecords(entries, { client, sendToRetryQueue, log }) };
}
