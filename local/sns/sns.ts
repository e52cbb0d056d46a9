// Topics: what is published is kept, logged, and delivered to subscribed queues and functions.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Access, AwsService, Input } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { Part } from '../part.ts';
import { Courier, type Delivery } from '../scheduler/courier.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import {
  checkMessage,
  invalidParameter,
  lambdaEvent,
  notification,
  type SnsMessage,
  type Subscription,
} from './message.ts';
import { MessageStore } from './message-store.ts';
import { accessOf, readInput } from './operations.ts';
import { readForm, type XmlValue, xmlAnswer, xmlError } from './query-protocol.ts';
import { loadTopics } from './topics.ts';

export interface SnsOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  /** Invokes a function asynchronously: resolves when the event was accepted. */
  invoke(functionArn: string, event: unknown): Promise<unknown>;
  /** Sends to a queue. */
  send(
    queueArn: string,
    body: string,
    more?: { attributes?: Record<string, { DataType: string; StringValue?: string; BinaryValue?: string }> },
  ): Promise<unknown>;
}

export interface Sns extends Part {
  readonly service: Required<AwsService>;
  /** Sets up the topics that the template declares; throws a list of what it cannot honour. */
  load(resources: readonly Resource[]): void;
  publish(topicArn: string, message: string, subject?: string): Promise<string>;
  /** The last 1,000 messages of each topic, oldest first. */
  published(): SnsMessage[];
}

interface Letter {
  message: SnsMessage;
  subscription: Subscription;
}

export function createSns(options: SnsOptions): Sns {
  const store = new MessageStore(options.storage);
  const topics = new Map<string, Subscription[]>();
  const courier = new Courier<Letter>({
    ...options,
    table: 'sns_deliveries',
    deliver: ({ content }) => deliver(content, options),
    retryAfterMs,
  });
  const publisher: Publisher = { ...options, store, topics, courier };
  const operations = operationsOf(publisher);
  const run = async (operation: string, input: Input, authorize: (accesses: readonly Access[]) => void) => {
    authorize(accessOf(operation, input));
    return operations[operation]!(input);
  };
  return {
    name: 'sns',
    service: {
      signingName: 'sns',
      call: (operation, input, authorize) => run(operation[0]!.toUpperCase() + operation.slice(1), input, authorize),
      async handle(request, authorize) {
        const form = readForm(request.body.toString('utf8'));
        const operation = form.get('Action') ?? '';
        try {
          return xmlAnswer(operation, await run(operation, readInput(form), authorize));
        } catch (error) {
          if (!(error instanceof AwsError)) throw error;
          return xmlError(error);
        }
      },
    },
    load: (resources) => loadTopics(resources, topics, options),
    async start() {
      courier.start();
    },
    async stop() {
      courier.stop();
    },
    publish: (TopicArn, Message, Subject) => publish(publisher, { TopicArn, Message, ...(Subject ? { Subject } : {}) }),
    published: () => store.all(),
  };
}

interface Publisher extends SnsOptions {
  store: MessageStore;
  topics: ReadonlyMap<string, Subscription[]>;
  courier: Courier<Letter>;
}

function operationsOf(publisher: Publisher): Record<string, (input: Input) => Promise<XmlValue>> {
  return {
    async Publish(input) {
      return { MessageId: await publish(publisher, input) };
    },
    async PublishBatch(input) {
      return publishBatch(publisher, input);
    },
    async ListTopics() {
      return { Topics: [...publisher.topics.keys()].sort().map((TopicArn) => ({ TopicArn })) };
    },
  };
}

async function publish(publisher: Publisher, input: Input): Promise<string> {
  const { clock, storage, store, topics, courier, log } = publisher;
  const subscriptions = topics.get(input.TopicArn ?? input.TargetArn);
  if (!subscriptions) throw new AwsError('NotFound', 'Topic does not exist', { status: 404 });
  checkMessage(input);
  const message: SnsMessage = {
    messageId: randomUUID(),
    topicArn: input.TopicArn ?? input.TargetArn,
    message: input.Message,
    ...(input.Subject === undefined ? {} : { subject: input.Subject }),
    ...(input.MessageStructure === undefined ? {} : { structure: input.MessageStructure }),
    attributes: input.MessageAttributes ?? {},
    publishedMs: clock.now(),
  };
  return clock.busy(async () => {
    await storage.write(() => {
      store.add(message);
      for (const subscription of subscriptions) courier.add({ message, subscription });
    });
    log.info('published', { topic: message.topicArn, subject: message.subject, text: message.message });
    courier.deliverDue();
    return message.messageId;
  });
}

async function publishBatch(publisher: Publisher, input: Input): Promise<XmlValue> {
  const entries: Input[] = input.PublishBatchRequestEntries ?? [];
  const refuse = (code: string, message: string) => new AwsError(code, message);
  if (entries.length === 0) throw refuse('EmptyBatchRequest', "The batch request doesn't contain any entries.");
  if (entries.length > 10) {
    throw refuse('TooManyEntriesInBatchRequest', 'The batch request contains more entries than permissible.');
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw refuse('BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.');
  }
  if (!publisher.topics.has(input.TopicArn)) throw new AwsError('NotFound', 'Topic does not exist', { status: 404 });
  const Successful: XmlValue[] = [];
  const Failed: XmlValue[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, MessageId: await publish(publisher, { ...entry, TopicArn: input.TopicArn }) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Failed.push({ Id: entry.Id, Code: error.code, Message: error.message, SenderFault: 'true' });
    }
  }
  return { Successful, Failed };
}

async function deliver({ message, subscription }: Letter, { invoke, send }: SnsOptions): Promise<void> {
  const { protocol, endpoint, raw } = subscription;
  if (protocol === 'lambda') await invoke(endpoint, lambdaEvent(message, subscription));
  else if (protocol === 'sqs' && raw) {
    await send(endpoint, notification(message, subscription).Message, { attributes: message.attributes });
  } else if (protocol === 'sqs') await send(endpoint, JSON.stringify(notification(message, subscription)));
  else throw invalidParameter(`Protocol ${protocol}`);
}

/** SNS's own policy for queues and functions: at once, then every second, then more slowly, for about 23 days. */
function retryAfterMs({ attempts }: Delivery<Letter>): number | undefined {
  if (attempts < 3) return 0;
  if (attempts < 5) return 1000;
  if (attempts < 15) return Math.round(1000 * 20 ** ((attempts - 5) / 9));
  return attempts < 100_015 ? 20_000 : undefined;
}
