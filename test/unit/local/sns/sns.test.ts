import {
  ListTopicsCommand,
  NotFoundException,
  PublishBatchCommand,
  PublishCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import { AwsError } from '../../../../local/aws/error.ts';
import { resourceTypes } from '../../../../local/sns/resource-types.ts';
import { createSns, type Sns } from '../../../../local/sns/sns.ts';
import { aGround, aResource, credentials, type Ground, overHttp } from '../sqs/ground.ts';

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:alerts';
const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:work';
const functionArn = 'arn:aws:lambda:eu-west-1:123456789012:function:f';

const aTopic = () => aResource(resourceTypes, 'AWS::SNS::Topic', 'Alerts', { TopicName: 'alerts' });
const aSubscription = (logicalId: string, properties: object) =>
  aResource(resourceTypes, 'AWS::SNS::Subscription', logicalId, { TopicArn: topicArn, ...properties });

let ground: Ground;
let sns: Sns;
let sent: { queueArn: string; body: string; more: unknown }[];
let invoked: { functionArn: string; event: unknown }[];
let refuse: boolean;

async function start(resources = [aTopic()]) {
  sns = createSns({
    ...ground,
    async send(arn, body, more) {
      if (refuse) throw new Error('the queue is away');
      sent.push({ queueArn: arn, body, more });
    },
    async invoke(arn, event) {
      invoked.push({ functionArn: arn, event });
    },
  });
  sns.load(resources);
  await sns.start();
}

beforeEach(async () => {
  ground = aGround();
  sent = [];
  invoked = [];
  refuse = false;
});
afterEach(async () => {
  await sns.stop();
  ground.end();
});

describe('a topic', () => {
  it('keeps and logs what is published', async () => {
    await start();
    const messageId = await sns.publish(topicArn, 'fire', 'Alarm');
    expect(sns.published()).toMatchObject([{ messageId, message: 'fire', subject: 'Alarm' }]);
    expect(ground.lines.join()).toContain('"text":"fire"');
  });

  it('keeps the last thousand messages', async () => {
    await start();
    await Promise.all(Array.from({ length: 1003 }, (_, index) => sns.publish(topicArn, `m${index}`)));
    const kept = sns.published();
    expect(kept).toHaveLength(1000);
    expect(kept[0]!.message).toBe('m3');
  });

  it('delivers to queues, with or without the envelope', async () => {
    await start([
      aTopic(),
      aSubscription('Enveloped', { Protocol: 'sqs', Endpoint: queueArn }),
      aSubscription('Raw', { Protocol: 'sqs', Endpoint: `${queueArn}-raw`, RawMessageDelivery: true }),
    ]);
    await sns.publish(topicArn, 'fire', 'Alarm');
    await ground.clock.idle();
    expect(JSON.parse(sent[0]!.body)).toMatchObject({
      Type: 'Notification',
      TopicArn: topicArn,
      Subject: 'Alarm',
      Message: 'fire',
      Timestamp: '2026-01-01T00:00:00.000Z',
    });
    expect(sent[1]).toMatchObject({ queueArn: `${queueArn}-raw`, body: 'fire' });
  });

  it('invokes functions with the event of SNS', async () => {
    await start([aTopic(), aSubscription('F', { Protocol: 'lambda', Endpoint: functionArn })]);
    await sns.publish(topicArn, 'fire');
    await ground.clock.idle();
    expect(invoked).toMatchObject([
      { functionArn, event: { Records: [{ EventSource: 'aws:sns', Sns: { Message: 'fire', Subject: null } }] } },
    ]);
  });

  it('gives each protocol its own text', async () => {
    await start([aTopic(), aSubscription('Q', { Protocol: 'sqs', Endpoint: queueArn, RawMessageDelivery: true })]);
    const Message = JSON.stringify({ default: 'for all', sqs: 'for queues' });
    await sns.service.call('publish', { TopicArn: topicArn, Message, MessageStructure: 'json' }, () => {});
    await ground.clock.idle();
    expect(sent).toMatchObject([{ body: 'for queues' }]);
  });

  it('delivers again until it succeeds, also after a crash', async () => {
    const resources = [aTopic(), aSubscription('Q', { Protocol: 'sqs', Endpoint: queueArn })];
    await start(resources);
    refuse = true;
    await sns.publish(topicArn, 'fire');
    await ground.clock.advance(5000);
    ground = ground.afterCrash();
    refuse = false;
    await start(resources);
    await ground.clock.advance(60_000);
    expect(sent).toHaveLength(1);
  });

  it('lists subscriptions that get nothing in the log, and refuses what it cannot do', async () => {
    await start([aTopic(), aSubscription('Mail', { Protocol: 'email', Endpoint: 'a@example.com' })]);
    expect(ground.lines.join()).toContain('a@example.com');
    expect(() =>
      sns.load([
        aResource(resourceTypes, 'AWS::SNS::Topic', 'Fifo', { FifoTopic: true }),
        aSubscription('Odd', { Protocol: 'pigeon', Endpoint: 'x' }),
      ]),
    ).toThrow(/Fifo: FIFO topics are not supported\n- Odd: the protocol pigeon/);
  });

  it('asks for permission to publish on the topic', async () => {
    await start();
    const denied = sns.service.call('publish', { TopicArn: topicArn, Message: 'x' }, (accesses) => {
      expect(accesses).toEqual([{ action: 'sns:Publish', resource: topicArn }]);
      throw new AwsError('AccessDeniedException', 'no');
    });
    await expect(denied).rejects.toThrow('no');
    expect(sns.published()).toEqual([]);
  });
});

describe('the SDK against local SNS', () => {
  it('publishes, in batches too, lists topics, and gets typed errors', async () => {
    await start();
    await overHttp(sns.service, async (endpoint) => {
      const client = new SNSClient({ region: 'eu-west-1', endpoint, credentials });
      const { MessageId } = await client.send(
        new PublishCommand({
          TopicArn: topicArn,
          Message: 'a < b & "c"\nümlaut',
          Subject: 'S',
          MessageAttributes: {
            n: { DataType: 'Number', StringValue: '1' },
            b: { DataType: 'Binary', BinaryValue: Buffer.from('bytes') },
          },
        }),
      );
      expect(sns.published()).toMatchObject([
        {
          messageId: MessageId,
          message: 'a < b & "c"\nümlaut',
          attributes: { n: { DataType: 'Number', StringValue: '1' }, b: { BinaryValue: 'Ynl0ZXM=' } },
        },
      ]);
      const batch = await client.send(
        new PublishBatchCommand({
          TopicArn: topicArn,
          PublishBatchRequestEntries: [
            { Id: 'good', Message: 'x' },
            { Id: 'bad', Message: '' },
          ],
        }),
      );
      expect(batch.Successful).toMatchObject([{ Id: 'good' }]);
      expect(batch.Failed).toMatchObject([{ Id: 'bad', Code: 'InvalidParameter', SenderFault: true }]);
      expect((await client.send(new ListTopicsCommand({}))).Topics).toEqual([{ TopicArn: topicArn }]);
      await expect(client.send(new PublishCommand({ TopicArn: `${topicArn}x`, Message: 'x' }))).rejects.toBeInstanceOf(
        NotFoundException,
      );
      await expect(client.send(new PublishCommand({ PhoneNumber: '+1', Message: 'x' }))).rejects.toThrow('PhoneNumber');
      client.destroy();
    });
  });
});
