import { ListTopicsCommand, NotFoundException, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { AwsError } from '../../../../local/aws/error.ts';
import { createOutbox, type Outbox } from '../../../../local/ses/outbox.ts';
import { resourceTypes } from '../../../../local/sns/resource-types.ts';
import { createSns, type Sns } from '../../../../local/sns/sns.ts';
import { aResource, aTestRuntime, credentials, overHttp, type TestRuntime } from '../test-runtime.ts';

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:alerts';

const aTopic = () => aResource(resourceTypes, 'AWS::SNS::Topic', 'Alerts', { TopicName: 'alerts' });

let runtime: TestRuntime;
let sns: Sns;
let outbox: Outbox;

const publish = (input: object) => sns.service.call('Publish', { TopicArn: topicArn, ...input }, () => {});

beforeEach(() => {
  runtime = aTestRuntime();
  outbox = createOutbox(runtime);
  sns = createSns({ ...runtime, outbox });
  sns.load([aTopic()]);
});
afterEach(() => runtime.end());

describe('a text message', () => {
  const send = (input: object) => sns.service.call('Publish', { Message: 'Wake up', ...input }, () => {});

  it('goes to the outbox, which has the newest thousand messages', async () => {
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => send({ PhoneNumber: `+49${index}` })));
    expect(outbox.list()).toHaveLength(1_000);
    expect(outbox.list()[0]).toMatchObject({ kind: 'sms', to: '+491000', text: 'Wake up' });
  });

  it('needs a phone number in international form', async () => {
    await expect(send({ PhoneNumber: '0151 123' })).rejects.toThrow('PhoneNumber');
  });

  it('needs a permission that is not on topics', async () => {
    const resources: string[] = [];
    await sns.service.call('Publish', { PhoneNumber: '+4915112', Message: 'x' }, (accesses) => {
      resources.push(...accesses.map(({ resource }) => resource));
    });
    expect(resources).toEqual(['+4915112']);
  });
});

describe('a topic', () => {
  it('stores and logs published messages', async () => {
    const response = await publish({ Message: 'fire', Subject: 'Alarm' });
    const [message] = sns.listPublished();
    expect(message).toMatchObject({ message: 'fire', subject: 'Alarm' });
    expect(response).toEqual({ MessageId: message!.messageId });
    expect(runtime.lines.join()).toContain('"text":"fire"');
  });

  it('stores the last thousand messages', async () => {
    await Promise.all(Array.from({ length: 1003 }, (_, index) => publish({ Message: `m${index}` })));
    const messages = sns.listPublished();
    expect(messages).toHaveLength(1000);
    expect(messages[0]!.message).toBe('m3');
  });

  it('requires permission to publish', async () => {
    const denied = sns.service.call('Publish', { TopicArn: topicArn, Message: 'x' }, (accesses) => {
      expect(accesses).toEqual([{ action: 'sns:Publish', resource: topicArn }]);
      throw new AwsError('AccessDeniedException', 'no');
    });
    await expect(denied).rejects.toThrow('no');
    expect(sns.listPublished()).toEqual([]);
  });
});

describe('the SDK against local SNS', () => {
  it('publishes, lists topics, and returns typed errors', async () => {
    await overHttp(sns.service, async (endpoint) => {
      const client = new SNSClient({ region: 'eu-west-1', endpoint, credentials });
      const send = (input: object) => client.send(new PublishCommand({ TopicArn: topicArn, Message: 'x', ...input }));
      const { MessageId } = await send({ Message: 'a < b & "c"\nümlaut', Subject: 'S' });
      expect(sns.listPublished()).toMatchObject([{ messageId: MessageId, message: 'a < b & "c"\nümlaut' }]);
      expect((await client.send(new ListTopicsCommand({}))).Topics).toEqual([{ TopicArn: topicArn }]);
      await expect(send({ TopicArn: `${topicArn}<x` })).rejects.toBeInstanceOf(NotFoundException);
      await expect(send({ Message: '' })).rejects.toThrow('Empty message');
      await expect(send({ MessageStructure: 'json' })).rejects.toThrow('MessageStructure');
      client.destroy();
    });
  });
});
