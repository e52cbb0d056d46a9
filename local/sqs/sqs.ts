// Durable standard queues on the runtime's clock. SDK clients use `service`; event source mappings use the same queues
// in-process.
import { type AwsService, createJsonService } from '../aws/service.ts';
import type { RuntimeService } from '../runtime-service.ts';
import type { Resource } from '../template/resource-type.ts';
import { SqsCore, type SqsOptions } from './core.ts';
import type { ReceivedMessage } from './message-store.ts';
import { createOperations, getAccess, memberTypes } from './operations.ts';

/** A received message with the field names of a Lambda event record. */
export interface SqsMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: Record<string, never>;
  md5OfBody: string;
}

export interface Sqs extends RuntimeService {
  readonly service: Required<AwsService>;
  /** Sets up the template's queues; throws an error that lists all unsupported features. */
  load(resources: readonly Resource[]): void;
  send(queueArn: string, body: string): Promise<string>;
  /** Receives visible messages without waiting, and hides them for the queue's visibility timeout. */
  receive(queueArn: string, max: number): Promise<SqsMessage[]>;
  delete(queueArn: string, receiptHandles: readonly string[]): Promise<void>;
  /** Calls back when messages become visible, and also if some already are. Returns a function that unsubscribes. */
  onAvailable(queueArn: string, listener: () => void): () => void;
  visibilityTimeoutSeconds(queueArn: string): number;
  countVisible(): { name: string; visible: number }[];
}

export function createSqs(options: SqsOptions): Sqs {
  const core = new SqsCore(options);
  const { queues, environment } = core;
  return {
    name: 'sqs',
    service: createJsonService({
      signingName: 'sqs',
      jsonVersion: '1.0',
      errorPrefix: 'com.amazonaws.sqs#',
      memberTypes,
      access: (operation, input) => getAccess(operation, input, environment),
      call: createOperations(core),
    }),
    load: (resources) => queues.load(resources),
    start: async () => core.start(),
    stop: async () => core.stop(),
    async send(arn, body) {
      const queue = queues.get(arn);
      return core.send(queue, { body, senderId: environment.accountId, delaySeconds: queue.settings.DelaySeconds });
    },
    async receive(arn, max) {
      const queue = queues.get(arn);
      return (await core.receive(queue, max, queue.settings.VisibilityTimeout)).map(toLambdaMessage);
    },
    delete: async (arn, handles) => core.delete(queues.get(arn), handles),
    onAvailable: (arn, listener) => core.onAvailable(queues.get(arn), listener),
    visibilityTimeoutSeconds: (arn) => queues.get(arn).settings.VisibilityTimeout,
    countVisible: () =>
      queues
        .list()
        .map((queue) => ({ name: queue.name, visible: core.messages.count(queue, core.clock.now()).visible })),
  };
}

function toLambdaMessage({ id, receiptHandle, body, bodyDigest, systemAttributes }: ReceivedMessage): SqsMessage {
  return {
    messageId: id,
    receiptHandle,
    body,
    attributes: systemAttributes,
    messageAttributes: {},
    md5OfBody: bodyDigest,
  };
}
