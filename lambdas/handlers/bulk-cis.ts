import { jobOperations } from '../../contract/jobs.ts';
import { bulkRecords } from '../jobs/bulk-records.ts';
import { jobQueue } from '../jobs/job-queue.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { sqsClient } from '../platform/clients/sqs.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE, JOBS_QUEUE_URL } = env('RECORDS_TABLE', 'JOBS_QUEUE_URL');

export const handler = route(
  jobOperations.bulkCis,
  bulkRecords('bulkCis', 'ci', itemStore(dynamodbClient(), RECORDS_TABLE), jobQueue(sqsClient(), JOBS_QUEUE_URL)),
);
