import { jobOperations } from '../../contract/jobs.ts';
import { ciType } from '../cmdb/ci.ts';
import { createIncidentRules } from '../incidents/incident.ts';
import { loadSlaPolicy } from '../incidents/sla/sla.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { buildPostponeWrite, createDueIdFinder } from '../records/index-store.ts';
import { writeWithRetry } from '../records/item-store.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { createCiWork, createIncidentWork } from './bulk-work.ts';
import { createBulkJob, getJob as getJobUseCase, listJobs as listJobsUseCase } from './job-operations.ts';
import { createJobStore, createSqsJobQueue, type JobQueue } from './job-store.ts';
import { createJobWorker, redriveJobs as redrive } from './run-job.ts';

export const bulkIncidents = () =>
  route(jobOperations.bulkIncidents, createBulkJob('bulkIncidents', 'incident', createRecordStore(), createJobQueue()));

export const bulkCis = () =>
  route(jobOperations.bulkCis, createBulkJob('bulkCis', 'ci', createRecordStore(), createJobQueue()));

export const listJobs = () => {
  const store = createRecordStore();
  return route(jobOperations.listJobs, listJobsUseCase(store, createJobStore(store), createCursorSeal()));
};

export const getJob = () => route(jobOperations.getJob, getJobUseCase(createJobStore(createRecordStore())));

export const runJobs = () => {
  const { MAX_JOB_DELIVERIES } = env('MAX_JOB_DELIVERIES');
  const rules = createIncidentRules(loadSlaPolicy());
  const store = createRecordStore();
  const work = {
    incident: createIncidentWork({ store, change: createChanger(rules.resource, store), rules, clock }),
    ci: createCiWork({ store, change: createChanger(ciType, store), clock }),
  };
  return createJobWorker({ jobs: createJobStore(store), work, clock, log }, Number(MAX_JOB_DELIVERIES));
};

export const redriveJobs = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const store = createRecordStore();
  const tools = {
    due: createDueIdFinder(dynamodbClient(), RECORDS_TABLE),
    postpone: (jobId: string, nowMs: number) => writeWithRetry(store, [buildPostponeWrite(jobId, nowMs)]),
    jobs: createJobStore(store),
    queue: createJobQueue(),
    clock,
    log,
  };
  return () => redrive(tools);
};

function createJobQueue(): JobQueue {
  const { JOBS_QUEUE_URL } = env('JOBS_QUEUE_URL');
  return createSqsJobQueue(sqsClient(), JOBS_QUEUE_URL);
}
