import { jobOperations } from '../../contract/jobs.ts';
import { getJob } from '../jobs/get-job.ts';
import { jobStore } from '../jobs/job-store.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { itemStore } from '../records/item-store.ts';

const { RECORDS_TABLE } = env('RECORDS_TABLE');

export const handler = route(jobOperations.getJob, getJob(jobStore(itemStore(dynamodbClient(), RECORDS_TABLE))));
