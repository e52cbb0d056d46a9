// What may be published, and how a message looks to each kind of subscriber.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';

export interface SnsMessageAttribute {
  DataType: string;
  StringValue?: string;
  /** Base64. */
  BinaryValue?: string;
}

export interface SnsMessage {
  messageId: string;
  topicArn: string;
  message: string;
  subject?: string;
  structure?: string;
  attributes: Record<string, SnsMessageAttribute>;
  publishedMs: number;
}

export interface Subscription {
  arn: string;
  topicArn: string;
  protocol: string;
  endpoint: string;
  raw: boolean;
}

export const largestMessageBytes = 262_144;

export const invalidParameter = (reason: string) => new AwsError('InvalidParameter', `Invalid parameter: ${reason}`);

export function checkMessage(input: Input): void {
  if (typeof input.Message !== 'string' || input.Message === '') throw invalidParameter('Empty message');
  if (Buffer.byteLength(input.Message) > largestMessageBytes) throw invalidParameter('Message too long');
  if (input.Subject !== undefined && !/^[\x20-\x7e]{1,100}$/.test(input.Subject)) throw invalidParameter('Subject');
  if (input.MessageStructure === 'json' && textFor('default', input.Message) === undefined) {
    throw invalidParameter('Message Structure - No default entry in JSON message body');
  }
}

/** The text a subscriber of this protocol gets of a message that has one for each. */
export function textFor(protocol: string, message: string): string | undefined {
  try {
    const texts = JSON.parse(message) as Record<string, string>;
    return texts[protocol] ?? texts.default;
  } catch {
    throw invalidParameter('Message Structure - JSON message body failed to parse');
  }
}

/** The notification that SQS and Lambda get. */
export function notification(published: SnsMessage, subscription: Subscription) {
  const { messageId, topicArn, subject, structure, message, attributes, publishedMs } = published;
  const text = structure === 'json' ? textFor(subscription.protocol, message)! : message;
  const MessageAttributes = Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      { Type: attribute.DataType, Value: attribute.StringValue ?? attribute.BinaryValue },
    ]),
  );
  return {
    Type: 'Notification',
    MessageId: messageId,
    TopicArn: topicArn,
    ...(subject === undefined ? {} : { Subject: subject }),
    Message: text,
    Timestamp: new Date(publishedMs).toISOString(),
    SignatureVersion: '1',
    Signature: 'unsigned',
    ...(Object.keys(attributes).length > 0 ? { MessageAttributes } : {}),
  };
}

/** The event of a subscribed function. */
export function lambdaEvent(published: SnsMessage, subscription: Subscription) {
  const {
    Subject = null,
    MessageAttributes = {},
    ...rest
  } = notification(published, subscription) as Record<string, unknown>;
  return {
    Records: [
      {
        EventSource: 'aws:sns',
        EventVersion: '1.0',
        EventSubscriptionArn: subscription.arn,
        Sns: { ...rest, Subject, MessageAttributes },
      },
    ],
  };
}
