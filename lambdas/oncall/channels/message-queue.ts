import { sendMessages, sqsClient, toMessageBody } from '../../platform/clients/sqs.ts';
import { env } from '../../platform/env.ts';
import type { MessageKey, MessageRequest } from './message.ts';

/** A new request, or a stored message that has more to send. */
export type QueueEntry = { request: MessageRequest } | { message: MessageKey };

export interface MessageQueue {
  send(entries: readonly QueueEntry[], delaySeconds?: number): Promise<void>;
}

/** The longest delay of SQS. A longer wait takes several messages. */
export const maxDelaySeconds = 900;

export function createMessageQueue(): MessageQueue {
  const { MESSAGES_QUEUE_URL } = env('MESSAGES_QUEUE_URL');
  return {
    send: (entries, delaySeconds = 0) =>
      sendMessages(
        sqsClient(),
        MESSAGES_QUEUE_URL,
        entries.map(toMessageBody),
        Math.min(delaySeconds, maxDelaySeconds),
      ),
  };
}
