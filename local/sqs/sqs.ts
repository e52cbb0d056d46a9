// Standard queues, durable and on the runtime's clock. Functions and the command line come through `service`; event
// source mappings, topics and schedules use the same queues in-process.
import { type AwsService, jsonService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { Part } from '../part.ts';
import { createAlarm } from '../scheduler/alarm.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import type { MessageAttributes } from './message-attributes.ts';
import {
  type LambdaMessageAttributes,
  lambdaMessageAttributes,
  messageAttributesDigest,
} from './message-attributes.ts';
import { createMessageStore, type MessageStore, type NewMessage, type TakenMessage } from './message-store.ts';
import { accessOf, createOperations } from './operations.ts';
import { checkQueueName, type Queue, readSettings } from './queue.ts';
import { createQueueStore, type QueueStore } from './queue-store.ts';
import { readReceipt } from './receipt.ts';

export interface SqsOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
}

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

/** What the operations and the in-process calls have in common. */
export interface SqsCore {
  environment: StackEnvironment;
  clock: Clock;
  storage: Storage;
  queues: QueueStore;
  messages: MessageStore;
  add(queue: Queue, messages: readonly NewMessage[]): Promise<string[]>;
  take(queue: Queue, max: number, hideSeconds: number): Promise<TakenMessage[]>;
  /** For each handle, whether it changed anything. */
  hide(queue: Queue, handles: readonly string[], seconds: number): Promise<boolean[]>;
  remove(queue: Queue, handles: readonly string[]): Promise<void>;
  onAvailable(queueArn: string, listener: () => void): () => void;
  onStop(listener: () => void): () => void;
}

export function createSqs(options: SqsOptions): Sqs {
  const core = createCore(options);
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
    start: core.start,
    stop: core.stop,
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
    onAvailable: (arn, listener) => core.onAvailable(queues.get(arn).arn, listener),
    visibleCount: (arn) => core.messages.counts(queues.get(arn), clock.now()).visible,
    visibilityTimeoutSeconds: (arn) => queues.get(arn).settings.VisibilityTimeout,
  };
}

function createCore({ storage, clock, environment, log }: SqsOptions) {
  const queues = createQueueStore(storage, environment);
  const messages = createMessageStore(storage);
  const listeners = new Map<string, Set<() => void>>();
  const stopping = new Set<() => void>();
  let started = false;
  let seenMs = 0;

  const notify = (queueArn: string) => {
    if (!started) return;
    for (const listener of [...(listeners.get(queueArn) ?? [])]) listener();
  };
  const alarm = createAlarm(clock, log, () => {
    if (!started) return;
    const now = clock.now();
    const arns = messages.becameVisible(seenMs, now);
    seenMs = now;
    for (const arn of arns) notify(arn);
    wake();
  });
  const wake = () => {
    const nextMs = messages.nextVisibleMs(seenMs);
    if (nextMs !== undefined && nextMs !== null) alarm.by(nextMs);
  };

  return {
    environment,
    clock,
    storage,
    queues,
    messages,
    async start() {
      started = true;
      seenMs = clock.now();
      for (const queue of queues.all()) if (messages.hasVisible(queue, seenMs)) notify(queue.arn);
      wake();
    },
    async stop() {
      started = false;
      alarm.cancel();
      for (const listener of [...stopping]) listener();
      listeners.clear();
    },
    add: (queue: Queue, added: readonly NewMessage[]) =>
      clock.busy(async () => {
        const now = clock.now();
        const ids = await storage.write(() => added.map((message) => messages.add(queue, message, now)));
        if (added.some((message) => message.delaySeconds === 0)) notify(queue.arn);
        for (const { delaySeconds } of added) if (delaySeconds > 0) alarm.by(now + delaySeconds * 1000);
        return ids;
      }),
    take: (queue: Queue, max: number, hideSeconds: number) =>
      clock.busy(async () => {
        if (!messages.hasVisible(queue, clock.now())) return [];
        const now = clock.now();
        const { taken, deadLetterQueues } = await storage.write(() => messages.take(queue, max, hideSeconds, now));
        if (taken.length > 0) alarm.by(now + hideSeconds * 1000);
        for (const arn of deadLetterQueues) notify(arn);
        return taken;
      }),
    hide: (queue: Queue, handles: readonly string[], seconds: number) =>
      clock.busy(async () => {
        const receipts = handles.map((handle) => readReceipt(handle, queue.name));
        const now = clock.now();
        const changed = await storage.write(() =>
          receipts.map((receipt) => messages.hide(queue, receipt, now + seconds * 1000, now)),
        );
        if (seconds === 0 && changed.includes(true)) notify(queue.arn);
        else alarm.by(now + seconds * 1000);
        return changed;
      }),
    remove: (queue: Queue, handles: readonly string[]) =>
      clock.busy(async () => {
        const receipts = handles.map((handle) => readReceipt(handle, queue.name));
        await storage.write(() => {
          for (const receipt of receipts) messages.delete(queue, receipt);
        });
      }),
    onAvailable(queueArn: string, listener: () => void) {
      const known = listeners.get(queueArn) ?? new Set();
      listeners.set(queueArn, known.add(listener));
      const queue = queues.get(queueArn);
      if (started && messages.hasVisible(queue, clock.now())) clock.after(0, () => known.has(listener) && listener());
      return () => void known.delete(listener);
    },
    onStop(listener: () => void) {
      stopping.add(listener);
      return () => void stopping.delete(listener);
    },
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
