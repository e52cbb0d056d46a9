import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { toErrorFields } from '../platform/log.ts';
import { type ChunkMessage, parseJobMessage, type StartExecution, type TaskReports } from './job-machine.ts';
import { type RunTools, runChunk } from './run-chunk.ts';

export interface WorkerTools extends RunTools {
  start: StartExecution;
  reports: TaskReports;
}

type Deadline = Pick<Context, 'getRemainingTimeInMillis'>;

/** Processes queue messages. SQS redelivers those whose outcome cannot be reported to the state machine. */
export function createJobWorker(tools: WorkerTools) {
  return async ({ Records }: SQSEvent, context: Deadline): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const { messageId, body } of Records) {
      try {
        const message = parseJobMessage(body);
        await ('token' in message ? runTask(message, context, tools) : startStoredJob(message.job_id, tools));
      } catch (error) {
        tools.log('error', 'failed to process a job message; SQS will redeliver it', {
          message_id: messageId,
          ...toErrorFields(error),
        });
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
}

async function runTask({ token, give_up, ...chunk }: ChunkMessage, context: Deadline, tools: WorkerTools) {
  const run = { give_up, remainingMs: () => context.getRemainingTimeInMillis() };
  const outcome = await runChunk(chunk, run, tools).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) return tools.reports.succeed(token, outcome);
  tools.log('error', 'failed to process a chunk of a job', { job: chunk.job_id, ...toErrorFields(outcome) });
  return tools.reports.fail(token, outcome);
}

/** Most jobs have ended by now. A job that does not exist was not stored: its request failed or was a repetition. */
async function startStoredJob(jobId: string, { jobs, start, clock }: WorkerTools): Promise<void> {
  const found = await jobs.find(jobId, clock.now());
  if (found && found.job.finished_at === null) await start(found.job);
}
