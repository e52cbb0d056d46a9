import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { clientDefaults, createSharedClient } from './shared-client.ts';

export const snsClient = createSharedClient(() => new SNSClient(clientDefaults));

export function createTopicPublisher(client: SNSClient, topicArn: string) {
  return async (subject: string, message: string): Promise<void> => {
    await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: message }));
  };
}
