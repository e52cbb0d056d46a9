import type { MessageRequest } from './message.ts';
import { createMessageQueue } from './message-queue.ts';

// How other capabilities reach people. A request is a queue message: once `request` returns, it is durable. The worker
// `send-messages` plans it by the rules of the person and sends it (docs/decisions/0130-messages.md).

export type { MessageRequest };

export interface Messages {
  /** Returns when all requests are durable. Requests that are repeated after a failure are sent once. */
  request(messages: readonly MessageRequest[]): Promise<void>;
}

export function createMessages(): Messages {
  const queue = createMessageQueue();
  return { request: (messages) => queue.send(messages.map((request) => ({ request }))) };
}
