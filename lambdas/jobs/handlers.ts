import { jobOperations } from '../../contract/jobs.ts';
import { ciType } from '../cmdb/ci.ts';
import { incidentType } from '../incidents/incident.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { dueIds } from '../records/index-store.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadSlaPolicy } from '../sla/sla.ts';
import { ciWork, incidentWork } from './bulk-work.ts';
import { bulkRecords, getJob as getJobUseCase, listJobs as listJobsUseCase } from './job-operations.ts';
import { type JobQueue, jobQueue } from './job-queue.ts';
import { jobStore } from './job-store.ts';
import { redriveJobs as redrive } from './redrive-jobs.ts';
import { jobWorker } from './run-job.ts';

export const bulkIncidents = () =>
  route(jobOperations.bulkIncidents, bulkRecords('bulkIncidents', 'incident', createRecordStore(), createJobQueue()));

export const bulkCis = () =>
  route(jobOperations.bulkCis, bulkRecords('bulkCis', 'ci', createRecordStore(), createJobQueue()));

export const listJobs = () =>
  route(jobOperations.listJobs, listJobsUseCase(jobStore(createRecordStore()), createCursorSeal()));

export const getJob = () => route(jobOperations.getJob, getJobUseCase(jobStore(createRecordStore())));

export const runJobs = () => {
  const { JOB_DELIVERIES } = env('JOB_DELIVERIES');
  const policy = loadSlaPolicy();
  const store = createRecordStore();
  const work = {
    incident: incidentWork({ store, change: createChanger(incidentType(policy), store), policy, clock }),
    ci: ciWork({ store, change: createChanger(ciType, store), clock }),
  };
  return jobWorker({ jobs: jobStore(store), work, clock, log }, Number(JOB_DELIVERIES));
};

export const redriveJobs = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const tools = {
    due: dueIds(dynamodbClient(), RECORDS_TABLE),
    jobs: jobStore(createRecordStore()),
    queue: createJobQueue(),
    clock,
    log,
  };
  return () => redrive(tools);
};

function createJobQueue(): JobQueue {
  const { JOBS_QUEUE_URL } = env('JOBS_QUEUE_URL');
  return jobQueue(sqsClient(), JOBS_QUEUE_URL);
}
