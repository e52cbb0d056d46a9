import { PublishCommand, SetSMSAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { clientDefaults, createSharedClient } from './shared-client.ts';

export const snsClient = createSharedClient(() => new SNSClient(clientDefaults));

export function createTopicPublisher(client: SNSClient, topicArn: string) {
  return async (subject: string, message: string): Promise<void> => {
    await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: message }));
  };
}

/** One attempt: the sender logs every attempt and schedules the next one. */
const smsClient = createSharedClient(() => new SNSClient({ ...clientDefaults, maxAttempts: 1 }));

/** Sends a text message. Returns SNS's id of the message. */
export function createTextSender(): (phoneNumber: string, text: string) => Promise<string> {
  const MessageAttributes = { 'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' } };
  return async (PhoneNumber, Message) => {
    const { MessageId = '' } = await smsClient().send(new PublishCommand({ PhoneNumber, Message, MessageAttributes }));
    return MessageId;
  };
}

/** Sets the limit of the account's spending on text messages. SNS stops sending within minutes after it is reached. */
export async function setTextLimit(limitUsd: string): Promise<void> {
  await snsClient().send(new SetSMSAttributesCommand({ attributes: { MonthlySpendLimit: limitUsd } }));
}
