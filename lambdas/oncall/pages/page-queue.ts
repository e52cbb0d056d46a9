import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendMessages } from '../../platform/clients/sqs.ts';

/** Queues pages for a worker. */
export function createPageQueue(client: SQSClient, queueUrl: string): (pageIds: readonly string[]) => Promise<void> {
  return async (pageIds) => {
    if (pageIds.length === 0) return;
    await sendMessages(
      client,
      queueUrl,
      pageIds.map((page_id) => JSON.stringify({ page_id })),
    );
  };
}
