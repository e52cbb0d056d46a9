// Topics and text messages. What is published to a topic is stored and logged, so that people and tests can read it. Text
// messages go to the outbox.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import {
  type Access,
  type AwsService,
  createQueryService,
  type Input,
  unsupportedOperationError,
} from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { Outbox } from '../ses/outbox.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource } from '../template/resource-type.ts';

export interface SnsOptions {
  storage: Storage;
  clock: Clock;
  outbox: Outbox;
  log: Log;
}

export interface SnsMessage {
  messageId: string;
  topicArn: string;
  message: string;
  subject?: string;
  publishedMs: number;
}

export interface Sns {
  readonly service: Required<AwsService>;
  /** Sets up the topics of the template. */
  load(resources: readonly Resource[]): void;
  /** Lists the last 1,000 messages of each topic, oldest first. */
  listPublished(): SnsMessage[];
}

const maxMessageBytes = 262_144;
const maxStoredPerTopic = 1000;
const parameters = ['Action', 'Version', 'TopicArn', 'TargetArn', 'PhoneNumber', 'Message', 'Subject', 'NextToken'];

/** Without effect here: the type of a text message, and the spending limit of the account. */
const ignoredParameters = /^(?:MessageAttributes|attributes)\.entry\.\d+\./;

const operations = ['Publish', 'ListTopics', 'SetSMSAttributes'];

export function createSns({ storage, clock, outbox, log }: SnsOptions): Sns {
  storage.exec(schema);
  const topics = new Set<string>();

  const publish = async (input: Input): Promise<string> => {
    const topicArn = input.TopicArn ?? input.TargetArn;
    if (!topics.has(topicArn)) throw new AwsError('NotFound', 'Topic does not exist', { status: 404 });
    checkMessage(input);
    const { Message: text, Subject: subject } = input;
    const message: SnsMessage = {
      messageId: randomUUID(),
      topicArn,
      message: text,
      ...(subject === undefined ? {} : { subject }),
      publishedMs: clock.now(),
    };
    await clock.track(() => storage.write(() => store(storage, message)));
    log.info('Published a message', { topic: topicArn, subject, text });
    return message.messageId;
  };

  const sendText = async (input: Input): Promise<string> => {
    checkMessage(input);
    const { PhoneNumber: to, Message: text } = input;
    return outbox.add({ kind: 'sms', from: null, to, subject: null, text, headers: {} });
  };

  const call = async (operation: string, input: Input) => {
    if (operation === 'SetSMSAttributes') return {};
    if (operation === 'ListTopics') return { Topics: { member: [...topics].sort().map((TopicArn) => ({ TopicArn })) } };
    return { MessageId: await (input.PhoneNumber === undefined ? publish(input) : sendText(input)) };
  };

  return {
    service: createQueryService({
      signingName: 'sns',
      namespace: 'http://sns.amazonaws.com/doc/2010-03-31/',
      errorCodes: { AccessDeniedException: 'AuthorizationError' },
      access: (operation, input) => [getAccess(operation, input)],
      call,
    }),
    load(resources) {
      for (const { type, physicalId } of resources) if (type === 'AWS::SNS::Topic') topics.add(physicalId);
    },
    listPublished: () =>
      storage
        .prepare('SELECT message FROM sns_messages ORDER BY sequence')
        .all([])
        .map((row) => JSON.parse(String(row.message))),
  };
}

function getAccess(operation: string, input: Input): Access {
  if (!operations.includes(operation)) throw unsupportedOperationError('sns', operation);
  const unsupported = Object.keys(input).find((name) => !parameters.includes(name) && !ignoredParameters.test(name));
  if (unsupported) throw invalidParameterError(`${unsupported} Reason: the local runtime does not support it`);
  if (operation !== 'Publish') return { action: `sns:${operation}`, resource: '*' };
  if (input.PhoneNumber !== undefined) {
    if (!/^\+[1-9]\d{1,14}$/.test(input.PhoneNumber)) throw invalidParameterError('PhoneNumber');
    return { action: 'sns:Publish', resource: input.PhoneNumber };
  }
  const topicArn = input.TopicArn ?? input.TargetArn;
  if (typeof topicArn === 'string') return { action: 'sns:Publish', resource: topicArn };
  throw invalidParameterError('TopicArn or TargetArn Reason: no value for required parameter');
}

function checkMessage({ Message, Subject }: Input): void {
  if (typeof Message !== 'string' || Message === '') throw invalidParameterError('Empty message');
  if (Buffer.byteLength(Message) > maxMessageBytes) throw invalidParameterError('Message too long');
  if (Subject !== undefined && !/^[\x20-\x7e]{1,100}$/.test(Subject)) throw invalidParameterError('Subject');
}

function invalidParameterError(reason: string): AwsError {
  return new AwsError('InvalidParameter', `Invalid parameter: ${reason}`);
}

const schema = `
  CREATE TABLE IF NOT EXISTS sns_messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    message TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS sns_messages_topic ON sns_messages (topic, sequence);
`;

function store(storage: Storage, message: SnsMessage): void {
  const { topicArn } = message;
  storage.prepare('INSERT INTO sns_messages (topic, message) VALUES (?, ?)').run([topicArn, JSON.stringify(message)]);
  storage
    .prepare(
      `DELETE FROM sns_messages WHERE topic = ? AND sequence <= (
         SELECT sequence FROM sns_messages WHERE topic = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?)`,
    )
    .run([topicArn, topicArn, maxStoredPerTopic]);
}
