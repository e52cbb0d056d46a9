import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { resourceTypes } from '../../../../local/sqs/resource-types.ts';
import { createSqs } from '../../../../local/sqs/sqs.ts';
import { aGround, aResource, credentials, overHttp } from './ground.ts';

describe('the SDK against local SQS', () => {
  it('sends, receives, hides, deletes, and checks every digest on the way', async () => {
    const ground = aGround();
    const sqs = createSqs(ground);
    sqs.load([aResource(resourceTypes, 'AWS::SQS::Queue', 'Work', { QueueName: 'work' })]);
    await sqs.start();
    await overHttp(sqs.service, async (endpoint) => {
      const client = new SQSClient({ region: 'eu-west-1', endpoint, credentials });
      const QueueUrl = `${endpoint}/123456789012/work`;
      await client.send(
        new SendMessageCommand({
          QueueUrl,
          MessageBody: 'grüße',
          MessageAttributes: { n: { DataType: 'Number', StringValue: '7' } },
        }),
      );
      await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'a', MessageBody: 'two' }] }));
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
      );
      expect(Messages.map((message) => message.Body)).toEqual(['grüße', 'two']);
      expect(Messages[0]!.MessageAttributes).toEqual({ n: { DataType: 'Number', StringValue: '7' } });
      const [first, second] = Messages.map((message) => message.ReceiptHandle!);
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first! }));
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: second!, VisibilityTimeout: 0 }));
      const again = await client.send(new ReceiveMessageCommand({ QueueUrl }));
      expect(again.Messages).toMatchObject([{ Body: 'two' }]);
      await expect(
        client.send(new SendMessageCommand({ QueueUrl: `${endpoint}/123456789012/none`, MessageBody: 'x' })),
      ).rejects.toBeInstanceOf(QueueDoesNotExist);
      client.destroy();
    });
    await sqs.stop();
    ground.end();
  });
});
