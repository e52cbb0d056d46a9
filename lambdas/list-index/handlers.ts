import type { SQSEvent } from 'aws-lambda';
import { createSearchClient } from '../platform/clients/opensearch.ts';
import { createDeadLetterQueue, sqsClient } from '../platform/clients/sqs.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { createRecordStore } from '../records/wiring.ts';
import { retryRecords } from './index-records.ts';

export const retryIndexing = () => {
  const sendToDeadLetterQueue = createDeadLetterQueue(sqsClient(), env('DEAD_LETTER_QUEUE_URL').DEAD_LETTER_QUEUE_URL);
  const client = requireValue(createSearchClient(), 'SEARCH_ENDPOINT');
  const store = createRecordStore();
  return (event: SQSEvent) => retryRecords(event, { client, store, sendToDeadLetterQueue, log });
};
