import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';

/**
 * A message carries only the job id. The work is stored with the job, because a message can be lost or delivered twice.
 */
export interface JobQueue {
  send(jobId: string): Promise<void>;
}

export function createSqsJobQueue(client: SQSClient, queueUrl: string): JobQueue {
  return {
    async send(jobId) {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ job_id: jobId }) }));
    },
  };
}

export function parseJobId(messageBody: string): string {
  return message.parse(JSON.parse(messageBody)).job_id;
}

const message = z.object({ job_id: z.string().startsWith('job_') });
