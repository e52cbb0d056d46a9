import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { Publish } from './published.ts';

export function topic(client: SNSClient, topicArn: string): Publish {
  return async (subject, message) => {
    await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: message }));
  };
}
