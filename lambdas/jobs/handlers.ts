import { jobOperations } from '../../contract/jobs.ts';
import { sfnClient } from '../platform/clients/sfn.ts';
import { sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { createExecutionStarter, createStartQueue, createTaskReports } from './job-machine.ts';
import {
  createBulkJob,
  getJob as getJobUseCase,
  listJobs as listJobsUseCase,
  type Starters,
} from './job-operations.ts';
import { createJobStore } from './job-store.ts';
import { createJobWorker } from './job-worker.ts';
import { createWork } from './work.ts';

export const bulkIncidents = () =>
  route(jobOperations.bulkIncidents, createBulkJob('bulkIncidents', 'incident', createRecordStore(), createStarters()));

export const bulkProblems = () =>
  route(jobOperations.bulkProblems, createBulkJob('bulkProblems', 'problem', createRecordStore(), createStarters()));

export const bulkCis = () =>
  route(jobOperations.bulkCis, createBulkJob('bulkCis', 'ci', createRecordStore(), createStarters()));

export const listJobs = () => {
  const store = createRecordStore();
  return route(jobOperations.listJobs, listJobsUseCase(store, createJobStore(store), createCursorSeal()));
};

export const getJob = () => route(jobOperations.getJob, getJobUseCase(createJobStore(createRecordStore())));

export const runJobs = () => {
  const { JOBS_MACHINE } = env('JOBS_MACHINE');
  const store = createRecordStore();
  const start = createExecutionStarter(sfnClient(), JOBS_MACHINE);
  return createJobWorker({
    jobs: createJobStore(store),
    work: createWork(store),
    clock,
    log,
    start,
    reports: createTaskReports(sfnClient()),
  });
};

function createStarters(): Starters {
  const { JOBS_QUEUE_URL, JOBS_MACHINE } = env('JOBS_QUEUE_URL', 'JOBS_MACHINE');
  return {
    queue: createStartQueue(sqsClient(), JOBS_QUEUE_URL),
    start: createExecutionStarter(sfnClient(), JOBS_MACHINE),
  };
}
