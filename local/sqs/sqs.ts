// Standard queues, durable and on the runtime's clock. Functions and the command line come through `service`; event
// source mappings, topics and schedules use the same queues in-process.
import { type AwsService, jsonService } from '../aws/service.ts';
import type { Part } from '../part.ts';
import type { Resource } from '../template/resource-type.ts';
import { SqsCore, type SqsOptions } from './core.ts';
import {
  type LambdaMessageAttributes,
  lambdaMessageAttributes,
  type MessageAttributes,
  messageAttributesDigest,
} from './message-attributes.ts';
import type { TakenMessage } from './message-store.ts';
import { accessOf, createOperations } from './operations.ts';
import { checkQueueName, readSettings } from './queue.ts';

/** A received message with the field names of a Lambda event record. */
export interface SqsMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: LambdaMessageAttributes;
  md5OfBody: string;
  md5OfMessageAttributes?: string;
}

export interface Sqs extends Part {
  readonly service: Required<AwsService>;
  /** Sets up the queues that the template declares; throws a list of what it cannot honour. */
  load(resources: readonly Resource[]): void;
  send(
    queueArn: string,
    body: string,
    more?: { delaySeconds?: number; attributes?: MessageAttributes },
  ): Promise<string>;
  /** Takes what is visible now, without waiting; hidden for the queue's visibility timeout unless told otherwise. */
  receive(queueArn: string, max: number, more?: { visibilityTimeoutSeconds?: number }): Promise<SqsMessage[]>;
  delete(queueArn: string, receiptHandles: readonly string[]): Promise<void>;
  changeVisibility(queueArn: string, receiptHandles: readonly string[], seconds: number): Promise<void>;
  /** Makes messages visible again at once. */
  release(queueArn: string, receiptHandles: readonly string[]): Promise<void>;
  /** Calls back whenever messages became visible, and soon after registering if there are some. Returns the way out. */
  onAvailable(queueArn: string, listener: () => void): () => void;
  visibleCount(queueArn: string): number;
  visibilityTimeoutSeconds(queueArn: string): number;
}

export function createSqs(options: SqsOptions): Sqs {
  const core = new SqsCore(options);
  const { queues, clock, environment } = core;
  const operations = createOperations(core);
  return {
    name: 'sqs',
    service: jsonService({
      signingName: 'sqs',
      jsonVersion: '1.0',
      errorPrefix: 'com.amazonaws.sqs#',
      access: (operation, input) => accessOf(operation, input, environment),
      call: operations,
    }),
    load: (resources) => loadQueues(resources, core),
    start: async () => core.start(),
    stop: async () => core.stop(),
    async send(arn, body, more = {}) {
      const queue = queues.get(arn);
      const [id] = await core.add(queue, [
        {
          body,
          attributes: more.attributes ?? {},
          systemAttributes: {},
          senderId: environment.accountId,
          delaySeconds: more.delaySeconds ?? queue.settings.DelaySeconds,
        },
      ]);
      return id!;
    },
    async receive(arn, max, more = {}) {
      const queue = queues.get(arn);
      const taken = await core.take(queue, max, more.visibilityTimeoutSeconds ?? queue.settings.VisibilityTimeout);
      return taken.map(lambdaShape);
    },
    delete: async (arn, handles) => core.remove(queues.get(arn), handles),
    changeVisibility: async (arn, handles, seconds) => void (await core.hide(queues.get(arn), handles, seconds)),
    release: async (arn, handles) => void (await core.hide(queues.get(arn), handles, 0)),
    onAvailable: (arn, listener) => core.onAvailable(queues.get(arn), listener),
    visibleCount: (arn) => core.messages.counts(queues.get(arn), clock.now()).visible,
    visibilityTimeoutSeconds: (arn) => queues.get(arn).settings.VisibilityTimeout,
  };
}

function lambdaShape(message: TakenMessage): SqsMessage {
  const digest = messageAttributesDigest(message.attributes);
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: message.systemAttributes,
    messageAttributes: lambdaMessageAttributes(message.attributes),
    md5OfBody: message.bodyDigest,
    ...(digest === undefined ? {} : { md5OfMessageAttributes: digest }),
  };
}

function loadQueues(resources: readonly Resource[], core: SqsCore): void {
  const problems: string[] = [];
  const declared = resources.filter((resource) => resource.type === 'AWS::SQS::Queue');
  for (const { logicalId, properties, attributes } of declared) {
    try {
      const { QueueName: _, Tags: __, ...settings } = properties;
      checkQueueName(attributes.QueueName);
      core.queues.put(attributes.QueueName, readSettings(settings), core.clock.now());
    } catch (error) {
      problems.push(`${logicalId}: ${(error as Error).message}`);
    }
  }
  for (const queue of core.queues.all()) {
    const target = queue.settings.RedrivePolicy?.deadLetterTargetArn;
    if (target && !core.queues.find(target)) problems.push(`${queue.name}: its dead-letter queue ${target} is unknown`);
  }
  if (problems.length > 0) throw new Error(`SQS cannot honour the template:\n- ${problems.join('\n- ')}`);
}
