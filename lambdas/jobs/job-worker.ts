import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { errorFields } from '../platform/log.ts';
import { jobIdOf } from './job-queue.ts';
import { type RunTools, runJob } from './run-job.ts';

/** Works off messages of the queue; those whose job is not done come again. */
export function jobWorker(tools: RunTools, mostDeliveries: number) {
  return async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const { messageId, body, attributes } of Records) {
      const isLast = Number(attributes.ApproximateReceiveCount) >= mostDeliveries;
      try {
        await runJob(jobIdOf(body), { isLast, remainingMs: () => context.getRemainingTimeInMillis() }, tools);
      } catch (error) {
        tools.log('error', 'a message will come again', { message_id: messageId, ...errorFields(error) });
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
}
