// What a message must be before a queue takes it.
import type { Input } from '../aws/service.ts';
import { invalidValue, missing, sqsError } from './error.ts';
import { checkMessageAttributes, messageAttributesSize } from './message-attributes.ts';
import type { NewMessage } from './message-store.ts';
import type { Queue } from './queue.ts';

const validText = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

/** Reads SendMessage's input, or one entry of SendMessageBatch. */
export function newMessage(input: Input, queue: Queue, senderId: string): NewMessage {
  if (typeof input.MessageBody !== 'string' || input.MessageBody === '') throw missing('MessageBody');
  if (!validText.test(input.MessageBody)) {
    throw sqsError(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
    );
  }
  checkMessageAttributes(input.MessageAttributes ?? {});
  refuseFifo(input);
  if (messageSize(input) > queue.settings.MaximumMessageSize) {
    throw invalidValue(
      `One or more parameters are invalid. Reason: Message must be shorter than ${queue.settings.MaximumMessageSize} bytes.`,
    );
  }
  return {
    body: input.MessageBody,
    attributes: input.MessageAttributes ?? {},
    systemAttributes: input.MessageSystemAttributes ?? {},
    senderId,
    delaySeconds: delaySeconds(input.DelaySeconds, queue),
  };
}

export function messageSize(input: Input): number {
  return Buffer.byteLength(String(input.MessageBody ?? '')) + messageAttributesSize(input.MessageAttributes ?? {});
}

function delaySeconds(given: unknown, queue: Queue): number {
  if (given === undefined || given === null) return queue.settings.DelaySeconds;
  if (!Number.isInteger(given) || Number(given) < 0 || Number(given) > 900) {
    throw invalidValue(
      `Value ${given} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`,
    );
  }
  return Number(given);
}

/** MessageGroupId alone is legal on a standard queue (fair queues) and changes nothing when one machine serves it. */
function refuseFifo(input: Input): void {
  if (input.MessageDeduplicationId === undefined) return;
  throw invalidValue(
    `Value ${input.MessageDeduplicationId} for parameter MessageDeduplicationId is invalid. Reason: The request include ` +
      'parameter that is not valid for this queue type.',
  );
}
