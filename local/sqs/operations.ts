// The SQS API: what each operation checks, needs permission for, and answers.
import type { Access, Input } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { checkBatch, runBatch } from './batch.ts';
import type { SqsCore } from './core.ts';
import { invalidValue, missing, sqsError } from './error.ts';
import { messageAttributesDigest } from './message-attributes.ts';
import { bodyDigest } from './message-store.ts';
import { messageSize, newMessage } from './new-message.ts';
import { largestMessageBytes, type Queue, queueArn, queueArnOfUrl } from './queue.ts';
import { queueOperations } from './queue-operations.ts';
import { receive } from './receive.ts';

type Operations = Record<string, (input: Input) => Promise<unknown>>;

/** Batch operations need the permission of the single one. */
const actions: Record<string, string> = {
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  ReceiveMessage: 'ReceiveMessage',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  GetQueueUrl: 'GetQueueUrl',
  GetQueueAttributes: 'GetQueueAttributes',
  SetQueueAttributes: 'SetQueueAttributes',
  ListQueues: 'ListQueues',
  PurgeQueue: 'PurgeQueue',
  CreateQueue: 'CreateQueue',
  DeleteQueue: 'DeleteQueue',
};

export function accessOf(operation: string, input: Input, environment: StackEnvironment): Access[] {
  const action = actions[operation];
  if (!action) {
    throw sqsError('UnsupportedOperation', `The local runtime does not implement the SQS operation ${operation}.`);
  }
  return [{ action: `sqs:${action}`, resource: resourceOf(operation, input, environment) }];
}

export function createOperations(core: SqsCore): (operation: string, input: Input) => Promise<unknown> {
  const queueOf = (input: Input): Queue => core.queues.get(queueArnOfUrl(input.QueueUrl, core.environment));
  const operations: Operations = { ...messageOperations(core, queueOf), ...queueOperations(core, queueOf) };
  return async (operation, input) => operations[operation]!(input);
}

function resourceOf(operation: string, input: Input, environment: StackEnvironment): string {
  if (operation === 'ListQueues') return '*';
  if (operation === 'CreateQueue' || operation === 'GetQueueUrl') {
    if (!input.QueueName) throw missing('QueueName');
    return queueArn(input.QueueName, environment);
  }
  if (!input.QueueUrl) throw missing('QueueUrl');
  return queueArnOfUrl(input.QueueUrl, environment);
}

function messageOperations(core: SqsCore, queueOf: (input: Input) => Queue): Operations {
  return {
    async SendMessage(input) {
      return send(core, queueOf(input), input);
    },
    async SendMessageBatch(input) {
      const queue = queueOf(input);
      checkBatch('SendMessageBatchRequestEntry', input.Entries);
      checkTotal(input.Entries);
      return runBatch(input.Entries, (entry) => send(core, queue, entry));
    },
    async ReceiveMessage(input) {
      return receive(core, queueOf(input), input);
    },
    async DeleteMessage(input) {
      return remove(core, queueOf(input), input);
    },
    async DeleteMessageBatch(input) {
      const queue = queueOf(input);
      checkBatch('DeleteMessageBatchRequestEntry', input.Entries);
      return runBatch(input.Entries, (entry) => remove(core, queue, entry));
    },
    async ChangeMessageVisibility(input) {
      return changeVisibility(core, queueOf(input), input);
    },
    async ChangeMessageVisibilityBatch(input) {
      const queue = queueOf(input);
      checkBatch('ChangeMessageVisibilityBatchRequestEntry', input.Entries);
      return runBatch(input.Entries, (entry) => changeVisibility(core, queue, entry));
    },
  };
}

async function send(core: SqsCore, queue: Queue, input: Input) {
  const message = newMessage(input, queue, core.environment.accountId);
  const [id] = await core.add(queue, [message]);
  const attributes = messageAttributesDigest(message.attributes);
  const system = messageAttributesDigest(message.systemAttributes);
  return {
    MessageId: id,
    MD5OfMessageBody: bodyDigest(message.body),
    ...(attributes === undefined ? {} : { MD5OfMessageAttributes: attributes }),
    ...(system === undefined ? {} : { MD5OfMessageSystemAttributes: system }),
  };
}

function checkTotal(entries: Input[]): void {
  const total = entries.reduce((sum, entry) => sum + messageSize(entry), 0);
  if (total <= largestMessageBytes) return;
  throw sqsError(
    'BatchRequestTooLong',
    `Batch requests cannot be longer than ${largestMessageBytes} bytes. You have sent ${total} bytes.`,
  );
}

async function remove(core: SqsCore, queue: Queue, input: Input) {
  if (!input.ReceiptHandle) throw missing('ReceiptHandle');
  await core.remove(queue, [input.ReceiptHandle]);
  return {};
}

async function changeVisibility(core: SqsCore, queue: Queue, input: Input) {
  if (!input.ReceiptHandle) throw missing('ReceiptHandle');
  const seconds = input.VisibilityTimeout;
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > 43_200) {
    throw invalidValue(
      `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and 43200.`,
    );
  }
  const [changed] = await core.hide(queue, [input.ReceiptHandle], seconds);
  if (changed) return {};
  throw invalidValue(
    `Value ${input.ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
  );
}
