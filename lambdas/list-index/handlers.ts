import type { SQSEvent } from 'aws-lambda';
import { createTaskReports } from '../jobs/job-machine.ts';
import { createFeedStore } from '../lists/feed-store.ts';
import { findUnusableIndexes } from '../lists/search-documents.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { createSearchClient } from '../platform/clients/opensearch.ts';
import { sfnClient } from '../platform/clients/sfn.ts';
import { createDeadLetterQueue, sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { createRecordStore } from '../records/wiring.ts';
import { handleCustomResource } from '../stack/custom-resource.ts';
import { indexKinds } from './index-kinds.ts';
import { retryRecords } from './index-records.ts';
import { createIndexRebuilder } from './rebuild-index.ts';
import { startReindexing } from './reindex-machine.ts';

export const rebuildIndexes = () => {
  const { RECORDS_TABLE, REINDEX_QUEUE_URL } = env('RECORDS_TABLE', 'REINDEX_QUEUE_URL');
  return createIndexRebuilder({
    client: createSearchClient(),
    createFeed: (type) => createFeedStore(dynamodbClient(), RECORDS_TABLE, type),
    reports: createTaskReports(sfnClient()),
    sendLater: createDeadLetterQueue(sqsClient(), REINDEX_QUEUE_URL),
    clock,
    log,
  });
};

/** A custom resource, so that a domain that cannot be used fails the deployment instead of every list. */
export const prepareSearch = () => {
  const { REINDEX_MACHINE, SEARCH_PREFIX } = env('REINDEX_MACHINE', 'SEARCH_PREFIX');
  const client = requireValue(createSearchClient(), 'SEARCH_ENDPOINT');
  return handleCustomResource({
    physicalId: `${SEARCH_PREFIX}/search`,
    async publish() {
      const types = await findUnusableIndexes(client, indexKinds);
      if (types.length > 0) await startReindexing(sfnClient(), REINDEX_MACHINE, types, clock.now());
    },
    async remove() {},
    log,
  });
};

export const retryIndexing = () => {
  const sendToDeadLetterQueue = createDeadLetterQueue(sqsClient(), env('DEAD_LETTER_QUEUE_URL').DEAD_LETTER_QUEUE_URL);
  const client = requireValue(createSearchClient(), 'SEARCH_ENDPOINT');
  const store = createRecordStore();
  return (event: SQSEvent) => retryRecords(event, { client, store, sendToDeadLetterQueue, log });
};
