import { jobQueue } from '../jobs/job-queue.ts';
import { jobStore } from '../jobs/job-store.ts';
import { redriveJobs } from '../jobs/redrive-jobs.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { dueIds } from '../records/due-store.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE, JOBS_QUEUE_URL } = env('RECORDS_TABLE', 'JOBS_QUEUE_URL');
const jobs = jobStore(itemStore(dynamodbClient(), RECORDS_TABLE));
const queue = jobQueue(sqsClient(), JOBS_QUEUE_URL);
const due = dueIds(dynamodbClient(), RECORDS_TABLE);

export const handler = () => redriveJobs({ due, jobs, queue, clock, log });
