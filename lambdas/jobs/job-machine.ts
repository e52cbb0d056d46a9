import {
  ExecutionAlreadyExists,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { type Job, listChunks } from './job.ts';

// A job is one execution of a state machine (lib/job-definition.ts). It sends a message with a task token to the queue of
// the workers for each chunk, so the queue limits how many run concurrently. The worker reports the result with the token.

export type StartExecution = (job: Pick<Job, 'job_id' | 'total'>) => Promise<void>;

/** Starts one execution per job, even if it is called twice: the name is the job id, and the input is the same. */
export function createExecutionStarter(client: SFNClient, machineArn: string): StartExecution {
  return async (job) => {
    const input = JSON.stringify({ chunks: listChunks(job) });
    try {
      await client.send(new StartExecutionCommand({ stateMachineArn: machineArn, name: job.job_id, input }));
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  };
}

export interface TaskReports {
  succeed(token: string, output: unknown): Promise<void>;
  fail(token: string, error: Error): Promise<void>;
}

/** A task that no longer waits, because it timed out or another delivery of its message was faster, needs no report. */
export function createTaskReports(client: SFNClient): TaskReports {
  const ignoreEnded = (error: unknown) => {
    if (!(error instanceof TaskTimedOut || error instanceof TaskDoesNotExist)) throw error;
  };
  return {
    async succeed(taskToken, output) {
      const report = new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) });
      await client.send(report).catch(ignoreEnded);
    },
    async fail(taskToken, { name, message }) {
      const report = new SendTaskFailureCommand({
        taskToken,
        error: name.slice(0, 256),
        cause: message.slice(0, 1_000),
      });
      await client.send(report).catch(ignoreEnded);
    },
  };
}

export interface StartQueue {
  /** Sends a message that starts the job after a while, if it exists by then and has not ended. */
  sendLater(jobId: string): Promise<void>;
}

/** Longer than a request can take, so the job is stored when its message arrives. */
const startAfterSeconds = 60;

export function createStartQueue(client: SQSClient, queueUrl: string): StartQueue {
  return {
    async sendLater(jobId) {
      const MessageBody = JSON.stringify({ job_id: jobId });
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody, DelaySeconds: startAfterSeconds }));
    },
  };
}

/** Without a token, the message asks to start the job. The previous release sent only such messages. */
export function parseJobMessage(messageBody: string): JobMessage {
  return jobMessage.parse(JSON.parse(messageBody));
}

const jobId = z.string().startsWith('job_');
const chunkMessage = z.object({
  job_id: jobId,
  first: z.int().min(0),
  end: z.int().min(1),
  token: z.string(),
  /** Fail the records without a result instead of processing them. */
  give_up: z.boolean().default(false),
});
const jobMessage = z.union([chunkMessage, z.object({ job_id: jobId })]);

export type ChunkMessage = z.output<typeof chunkMessage>;
type JobMessage = z.output<typeof jobMessage>;
