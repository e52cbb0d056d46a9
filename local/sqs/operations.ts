// The operations of the SQS API: validation, required permission and response.
import { AwsError } from '../aws/error.ts';
import type { Access, Input, MemberTypes } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import type { SqsCore } from './core.ts';
import { getQueryCode, invalidValueError, missingParameterError, sqsError, unsupportedError } from './error.ts';
import { computeBodyDigest, type NewMessage, type ReceivedMessage } from './message-store.ts';
import { getMoveAccess, listMoveTasks, startMoveTask } from './move-tasks.ts';
import { maxMessageBytes, parseQueueUrl, type Queue, toQueueArn, toQueueUrl } from './queues.ts';

type Operation = (core: SqsCore, input: Input, queue: Queue) => unknown;

export const memberTypes: MemberTypes = new Map([
  ['AttributeNames', 'strings'],
  ['Entries', 'objects'],
  ['MessageSystemAttributeNames', 'strings'],
  ['QueueNamePrefix', 'string'],
]);

/** A batch operation requires the permission of the single-message operation. */
const actions: Record<string, string> = {
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  ReceiveMessage: 'ReceiveMessage',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  StartMessageMoveTask: 'StartMessageMoveTask',
  ListMessageMoveTasks: 'ListMessageMoveTasks',
  GetQueueUrl: 'GetQueueUrl',
  GetQueueAttributes: 'GetQueueAttributes',
  ListQueues: 'ListQueues',
  PurgeQueue: 'PurgeQueue',
};

export function getAccess(operation: string, input: Input, environment: StackEnvironment): Access[] {
  const action = Object.hasOwn(actions, operation) ? actions[operation] : undefined;
  if (!action) throw unsupportedError(`the SQS operation ${operation}`);
  const resource = getResource(operation, input, environment);
  if (operation === 'StartMessageMoveTask') return getMoveAccess(resource, input.DestinationArn);
  return [{ action: `sqs:${action}`, resource }];
}

export function createOperations(core: SqsCore): (operation: string, input: Input) => Promise<unknown> {
  const { queues, environment } = core;
  return async (operation, input) => {
    if (operation === 'ListQueues') return listQueues(core, input);
    const queue = queues.get(getResource(operation, input, environment));
    return queueOperations[operation]?.(core, input, queue);
  };
}

function getResource(operation: string, input: Input, environment: StackEnvironment): string {
  if (operation === 'ListQueues') return '*';
  if (operation === 'GetQueueUrl') {
    if (!input.QueueName) throw missingParameterError('QueueName');
    return toQueueArn(input.QueueName, environment);
  }
  if (operation.includes('MessageMoveTask')) {
    if (!input.SourceArn) throw missingParameterError('SourceArn');
    return String(input.SourceArn);
  }
  if (!input.QueueUrl) throw missingParameterError('QueueUrl');
  return parseQueueUrl(input.QueueUrl, environment);
}

const queueOperations: Record<string, Operation> = {
  SendMessage: (core, input, queue) => sendMessage(core, input, queue),
  SendMessageBatch(core, { Entries }, queue) {
    checkBatch('SendMessageBatchRequestEntry', Entries);
    const totalBytes = Entries.reduce(
      (sum: number, { MessageBody }: Input) => sum + Buffer.byteLength(`${MessageBody}`),
      0,
    );
    if (totalBytes > maxMessageBytes) {
      const message = `Batch requests cannot be longer than ${maxMessageBytes} bytes. You have sent ${totalBytes} bytes.`;
      throw sqsError('BatchRequestTooLong', message);
    }
    return runBatch(Entries, (entry) => sendMessage(core, entry, queue));
  },
  ReceiveMessage: (core, input, queue) => receiveMessages(core, input, queue),
  DeleteMessage: (core, input, queue) => deleteMessage(core, input, queue),
  DeleteMessageBatch(core, { Entries }, queue) {
    checkBatch('DeleteMessageBatchRequestEntry', Entries);
    return runBatch(Entries, (entry) => deleteMessage(core, entry, queue));
  },
  async ChangeMessageVisibility(core, { ReceiptHandle, VisibilityTimeout }, queue) {
    if (!ReceiptHandle) throw missingParameterError('ReceiptHandle');
    const reason = 'VisibilityTimeout must be an integer between 0 and 43200.';
    checkInteger('VisibilityTimeout', VisibilityTimeout, 0, 43_200, reason);
    if (await core.hide(queue, ReceiptHandle, VisibilityTimeout)) return {};
    throw invalidValueError(
      'ReceiptHandle',
      ReceiptHandle,
      'Message does not exist or is not available for visibility timeout change.',
    );
  },
  StartMessageMoveTask: startMoveTask,
  ListMessageMoveTasks: listMoveTasks,
  GetQueueUrl: ({ environment }, _input, { name }) => ({ QueueUrl: toQueueUrl(name, environment) }),
  GetQueueAttributes: (core, input, queue) => getAttributes(core, queue, input.AttributeNames ?? []),
  async PurgeQueue(core, _input, queue) {
    await core.storage.write(() => core.messages.purge(queue));
    return {};
  },
};

async function sendMessage(core: SqsCore, input: Input, queue: Queue) {
  const message = toNewMessage(input, queue, core.environment.accountId);
  const MessageId = await core.send(queue, message);
  return { MessageId, MD5OfMessageBody: computeBodyDigest(message.body) };
}

const validText = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
const unsupportedFields = ['MessageAttributes', 'MessageSystemAttributes', 'MessageGroupId', 'MessageDeduplicationId'];

/** Reads the input of SendMessage or one entry of SendMessageBatch. */
function toNewMessage(input: Input, queue: Queue, senderId: string): NewMessage {
  const { MessageBody: body, DelaySeconds: delaySeconds = queue.settings.DelaySeconds } = input;
  if (typeof body !== 'string' || body === '') throw missingParameterError('MessageBody');
  if (!validText.test(body)) {
    throw sqsError(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
    );
  }
  const field = unsupportedFields.find((name) => input[name] !== undefined);
  if (field) throw unsupportedError(`the parameter ${field}`);
  if (Buffer.byteLength(body) > maxMessageBytes) {
    throw sqsError(
      'InvalidParameterValueException',
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxMessageBytes} bytes.`,
    );
  }
  checkInteger('DelaySeconds', delaySeconds, 0, 900, 'DelaySeconds must be >= 0 and <= 900.');
  return { body, senderId, delaySeconds };
}

async function receiveMessages(core: SqsCore, input: Input, queue: Queue) {
  const { MaxNumberOfMessages: max = 1, WaitTimeSeconds: waitSeconds = 0 } = input;
  const hideSeconds = input.VisibilityTimeout ?? queue.settings.VisibilityTimeout;
  checkInteger('MaxNumberOfMessages', max, 1, 10, 'Must be between 1 and 10, if provided.');
  checkInteger('VisibilityTimeout', hideSeconds, 0, 43_200, 'Must be between 0 and 43200, if provided.');
  checkInteger('WaitTimeSeconds', waitSeconds, 0, 20, 'Must be >= 0 and <= 20, if provided.');
  const receive = () => core.receive(queue, max, hideSeconds);
  let received = await receive();
  if (received.length === 0 && waitSeconds > 0) received = await poll(core, queue, waitSeconds, receive);
  if (received.length === 0) return {};
  const names: string[] = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])];
  return { Messages: received.map((message) => toMessageResponse(message, names)) };
}

/** Retries until it receives a message or times out, because another caller may take the message first. */
function poll(core: SqsCore, queue: Queue, waitSeconds: number, receive: () => Promise<ReceivedMessage[]>) {
  return new Promise<ReceivedMessage[]>((resolve, reject) => {
    let isReceiving = false;
    const end = (settle: () => void) => {
      unsubscribe();
      unsubscribeStop();
      timer.cancel();
      settle();
    };
    const attempt = async () => {
      if (isReceiving) return;
      isReceiving = true;
      try {
        const received = await receive();
        if (received.length > 0) end(() => resolve(received));
      } catch (error) {
        end(() => reject(error));
      } finally {
        isReceiving = false;
      }
    };
    const unsubscribe = core.onAvailable(queue, () => void attempt());
    const unsubscribeStop = core.onStop(() => end(() => resolve([])));
    const timer = core.clock.after(waitSeconds * 1000, () => end(() => resolve([])));
  });
}

function toMessageResponse(
  { id, receiptHandle, body, bodyDigest, systemAttributes }: ReceivedMessage,
  names: string[],
) {
  const attributes = selectNames(systemAttributes, names);
  return {
    MessageId: id,
    ReceiptHandle: receiptHandle,
    MD5OfBody: bodyDigest,
    Body: body,
    ...(Object.keys(attributes).length > 0 ? { Attributes: attributes } : {}),
  };
}

async function deleteMessage(core: SqsCore, { ReceiptHandle }: Input, queue: Queue) {
  if (!ReceiptHandle) throw missingParameterError('ReceiptHandle');
  await core.delete(queue, [ReceiptHandle]);
  return {};
}

function listQueues({ queues, environment }: SqsCore, { QueueNamePrefix = '' }: Input) {
  const found = queues.list().filter(({ name }) => name.startsWith(QueueNamePrefix));
  return found.length === 0 ? {} : { QueueUrls: found.map(({ name }) => toQueueUrl(name, environment)) };
}

function getAttributes(core: SqsCore, queue: Queue, names: string[]) {
  const { visible, inFlight, delayed } = core.messages.count(queue, core.clock.now());
  const { RedrivePolicy, ...numbers } = queue.settings;
  const attributes: Record<string, string> = {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    MaximumMessageSize: String(maxMessageBytes),
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    ...(RedrivePolicy ? { RedrivePolicy: JSON.stringify(RedrivePolicy) } : {}),
  };
  const selected = selectNames(attributes, names);
  return Object.keys(selected).length > 0 ? { Attributes: selected } : {};
}

function selectNames(attributes: Record<string, string>, names: string[]): Record<string, string> {
  const isSelected = (name: string) => names.includes('All') || names.includes(name);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isSelected(name)));
}

function checkBatch(kind: string, entries: Input): void {
  if (!Array.isArray(entries) || entries.length === 0) {
    throw sqsError('EmptyBatchRequest', `There should be at least one ${kind} in the request.`);
  }
  if (entries.length > 10) {
    const message = `Maximum number of entries per request are 10. You have sent ${entries.length}.`;
    throw sqsError('TooManyEntriesInBatchRequest', message);
  }
  const ids = new Set<string>();
  for (const { Id } of entries) {
    if (!/^[\w-]{1,80}$/.test(String(Id ?? ''))) {
      throw sqsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    if (ids.has(Id)) throw sqsError('BatchEntryIdsNotDistinct', `Id ${Id} repeated.`);
    ids.add(Id);
  }
}

/** The entries of a batch succeed or fail independently. */
async function runBatch(entries: Input[], run: (entry: Input) => Promise<object>) {
  const Successful: object[] = [];
  const Failed: object[] = [];
  await Promise.all(
    entries.map(async (entry) => {
      try {
        Successful.push({ Id: entry.Id, ...(await run(entry)) });
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        Failed.push({ Id: entry.Id, SenderFault: true, Code: getQueryCode(error), Message: error.message });
      }
    }),
  );
  return { Successful, ...(Failed.length > 0 ? { Failed } : {}) };
}

function checkInteger(name: string, value: unknown, min: number, max: number, reason: string): void {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return;
  throw invalidValueError(name, value, reason);
}
