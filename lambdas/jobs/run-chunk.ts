import pMap from 'p-map';
import type { BulkRequest, JobResult } from '../../contract/jobs.ts';
import type { Clock } from '../platform/clock.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import { type Chunk, type Counts, countResults, findUnfinished, finishJob, type Job, startJob } from './job.ts';
import { changeJob, type JobStore } from './job-store.ts';
import { AlreadyProcessed, processRecord, toFailedResult, type WorkByKind } from './process-record.ts';

// Runs a chunk of a job. A message may arrive twice, and a worker may stop anywhere. Each run processes the records
// without a result, and a result is written with its effect, so any number of concurrent runs process each record once.
// The run that finds a result for every record of the job finishes it.

export interface RunTools {
  jobs: JobStore;
  work: WorkByKind;
  clock: Clock;
  log: Log;
}

export interface Run {
  /** Gives every record without a result a failed one, so that the job ends. */
  give_up: boolean;
  remainingMs(): number;
}

/** The state machine retries the chunk, and gives up after several retries. */
class RecordsUnfinished extends Error {
  override readonly name = 'RecordsUnfinished';
}

/** The job has ended, but the service failed some of its records: the execution fails, which raises an alarm. */
class RecordsFailed extends Error {
  override readonly name = 'RecordsFailed';
}

/** Returns the counts of the chunk for the history of the execution. */
export async function runChunk(chunk: Chunk, run: Run, tools: RunTools): Promise<Counts> {
  const { jobs, clock, log } = tools;
  const { job_id: jobId } = chunk;
  const found = await jobs.find(jobId, clock.now());
  if (!found) {
    log('warn', 'ignored a message: its job no longer exists', { job: jobId });
    return { succeeded: 0, failed: 0 };
  }
  const open = findUnfinished(chunk, found.results);
  if (open.length > 0) await processRecords(found.job, open, run, tools);
  const results = await jobs.results(jobId);
  const left = findUnfinished(chunk, results).length;
  if (left > 0) throw new RecordsUnfinished(`${left} records of ${jobId} are unfinished`);
  if (results.length === found.job.total) await finish(found.job, results, tools);
  return countResults(results.filter(({ index }) => index >= chunk.first && index < chunk.end));
}

async function start(job: Job, { jobs, clock }: RunTools): Promise<Job> {
  return changeJob(jobs, job, (current) => (current.status === 'queued' ? startJob(current, clock.now()) : current));
}

async function finish(job: Job, results: readonly JobResult[], { jobs, clock }: RunTools): Promise<void> {
  await changeJob(jobs, job, (current) =>
    current.finished_at === null ? finishJob(current, countResults(results), clock.now()) : current,
  );
  const failures = results.filter(({ error }) => error?.code === 'internal_error').length;
  if (failures > 0) throw new RecordsFailed(`${failures} records of ${job.job_id} have the result internal_error`);
}

/** The records of a full chunk take five rounds. Imports share their calls, so they take one. */
const concurrency = 10;
const importConcurrency = 50;

/** Enough time to finish the records in progress. */
const reserveMs = 5_000;

async function processRecords(found: Job, open: readonly number[], run: Run, tools: RunTools): Promise<void> {
  const [job, request] = await Promise.all([start(found, tools), tools.jobs.source(found.job_id)]);
  const process = run.give_up ? failRecord : attemptRecord;
  const attempt = async (index: number) => {
    if (run.remainingMs() >= reserveMs) await process(job, request, index, tools);
  };
  await pMap(open, attempt, { concurrency: request.operation === 'import' ? importConcurrency : concurrency });
}

/** A caller's error is a result. A failure of the service is retried with the chunk. */
async function attemptRecord(job: Job, request: BulkRequest, index: number, tools: RunTools): Promise<void> {
  try {
    await processRecord(job, request, index, tools.work);
  } catch (error) {
    if (error instanceof AlreadyProcessed) return;
    if (error instanceof ServiceError && error.status < 500) {
      await tools.jobs.addResult(job, toFailedResult(index, request, error));
      return;
    }
    tools.log('error', 'failed to process a record of a job', { job: job.job_id, index, ...toErrorFields(error) });
  }
}

/** A record has only one result, written together with its effect, so a late worker can no longer apply it. */
async function failRecord(job: Job, request: BulkRequest, index: number, { jobs }: RunTools): Promise<void> {
  const failure = new ServiceError('internal_error', 'The record could not be processed.');
  await jobs.addResult(job, toFailedResult(index, request, failure));
}
