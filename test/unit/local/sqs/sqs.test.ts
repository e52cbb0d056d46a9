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
import { createSqs, type Sqs } from '../../../../local/sqs/sqs.ts';
import {
  aResource,
  aTestRuntime,
  credentials,
  environment,
  overHttp,
  request,
  type TestRuntime,
} from '../test-runtime.ts';

const arn = 'arn:aws:sqs:eu-west-1:123456789012:work';
const deadArn = 'arn:aws:sqs:eu-west-1:123456789012:dead';
const QueueUrl = 'http://somewhere/123456789012/work';

const aQueue = (properties: object = {}) =>
  aResource(resourceTypes, 'AWS::SQS::Queue', 'Work', { QueueName: 'work', ...properties });
const aDeadLetterQueue = () => aResource(resourceTypes, 'AWS::SQS::Queue', 'Dead', { QueueName: 'dead' });

let runtime: TestRuntime;
let sqs: Sqs;

async function start(properties: object = {}) {
  sqs = createSqs(runtime);
  sqs.load([aQueue(properties), aDeadLetterQueue()]);
  await sqs.start();
}

const call = (operation: string, input: object) => request(sqs.service, `AmazonSQS.${operation}`, input);
const release = ({ receiptHandle }: { receiptHandle: string }) =>
  call('ChangeMessageVisibility', { QueueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: 0 });
const countVisible = async () => {
  const { body } = await call('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
  return Number(body.Attributes.ApproximateNumberOfMessages);
};

beforeEach(async () => {
  runtime = aTestRuntime();
  await start();
});
afterEach(async () => {
  await sqs.stop();
  runtime.end();
});

describe('a queue', () => {
  it('hides a received message until its visibility timeout expires', async () => {
    await sqs.send(arn, 'one');
    const [first] = await sqs.receive(arn, 10);
    expect(first).toMatchObject({ body: 'one', attributes: { ApproximateReceiveCount: '1' } });
    expect(await sqs.receive(arn, 10)).toEqual([]);
    await runtime.clock.advance(30_000);
    const [again] = await sqs.receive(arn, 10);
    expect(again).toMatchObject({ messageId: first!.messageId, attributes: { ApproximateReceiveCount: '2' } });
    expect(again!.attributes.ApproximateFirstReceiveTimestamp).toBe(first!.attributes.ApproximateFirstReceiveTimestamp);
    expect(again!.receiptHandle).not.toBe(first!.receiptHandle);
  });

  it('delays a message', async () => {
    await call('SendMessage', { QueueUrl, MessageBody: 'later', DelaySeconds: 10 });
    await runtime.clock.advance(9_999);
    expect(await countVisible()).toBe(0);
    await runtime.clock.advance(1);
    expect(await countVisible()).toBe(1);
  });

  it('deletes a message, and ignores a receipt that is not the latest', async () => {
    await sqs.send(arn, 'one');
    const [first] = await sqs.receive(arn, 1);
    await runtime.clock.advance(30_000);
    const [second] = await sqs.receive(arn, 1);
    await sqs.delete(arn, [first!.receiptHandle]);
    await release(second!);
    const [third] = await sqs.receive(arn, 1);
    await sqs.delete(arn, [third!.receiptHandle]);
    await sqs.delete(arn, [third!.receiptHandle]);
    await runtime.clock.advance(60_000);
    expect(await sqs.receive(arn, 1)).toEqual([]);
  });

  it('deletes a message after its retention', async () => {
    await start({ MessageRetentionPeriod: 60 });
    await sqs.send(arn, 'old');
    await runtime.clock.advance(60_000);
    expect(await countVisible()).toBe(0);
    expect(await sqs.receive(arn, 1)).toEqual([]);
  });

  it('moves a message to the dead-letter queue after maxReceiveCount receives', async () => {
    await start({ RedrivePolicy: { deadLetterTargetArn: deadArn, maxReceiveCount: 2 } });
    await sqs.send(arn, 'poison');
    for (let attempt = 0; attempt < 2; attempt++) {
      const [message] = await sqs.receive(arn, 1);
      await release(message!);
    }
    let deadLetters = 0;
    sqs.onAvailable(deadArn, () => deadLetters++);
    expect(await sqs.receive(arn, 1)).toEqual([]);
    expect(deadLetters).toBe(1);
    const [dead] = await sqs.receive(deadArn, 1);
    expect(dead).toMatchObject({ body: 'poison', attributes: { DeadLetterQueueSourceArn: arn } });
  });

  it('keeps in-flight and delayed messages after a crash', async () => {
    await sqs.send(arn, 'in flight');
    await sqs.receive(arn, 1);
    await call('SendMessage', { QueueUrl, MessageBody: 'delayed', DelaySeconds: 60 });
    runtime = runtime.afterCrash();
    await start();
    const available: number[] = [];
    sqs.onAvailable(arn, () => available.push(runtime.clock.now()));
    const now = runtime.clock.now();
    await runtime.clock.advance(90_000);
    expect(available).toEqual([now + 30_000, now + 60_000]);
    expect((await sqs.receive(arn, 10)).map((message) => message.body)).toEqual(['in flight', 'delayed']);
  });

  it('moves dead letters back to their queue as new messages', async () => {
    await start({ RedrivePolicy: { deadLetterTargetArn: deadArn, maxReceiveCount: 1 } });
    const id = await sqs.send(arn, 'poison');
    await sqs.receive(arn, 1);
    await runtime.clock.advance(30_000);
    expect(await sqs.receive(arn, 1)).toEqual([]);
    expect((await call('StartMessageMoveTask', { SourceArn: deadArn })).body.TaskHandle).toEqual(expect.any(String));
    const [moved] = await sqs.receive(arn, 1);
    expect(moved).toMatchObject({ body: 'poison', attributes: { ApproximateReceiveCount: '1' } });
    expect(moved?.messageId).not.toBe(id);
    const { body } = await call('ListMessageMoveTasks', { SourceArn: deadArn });
    expect(body.Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 }]);
  });

  it('reports dead letters without a source queue, and moves them to the destination of the task', async () => {
    await start({ RedrivePolicy: { deadLetterTargetArn: deadArn, maxReceiveCount: 1 } });
    await sqs.send(deadArn, 'direct');
    await call('StartMessageMoveTask', { SourceArn: deadArn });
    const { body } = await call('ListMessageMoveTasks', { SourceArn: deadArn });
    expect(body.Results).toMatchObject([{ Status: 'FAILED', FailureReason: 'CouldNotDetermineMessageSource' }]);
    await call('StartMessageMoveTask', { SourceArn: deadArn, DestinationArn: arn });
    expect(await sqs.receive(arn, 1)).toMatchObject([{ body: 'direct' }]);
  });

  it('moves messages from dead-letter queues only', async () => {
    const { status, body } = await call('StartMessageMoveTask', { SourceArn: arn });
    expect([status, body.__type]).toEqual([400, 'com.amazonaws.sqs#InvalidParameterValueException']);
  });

  it('lists invalid names, invalid values and unknown dead-letter queues at start', () => {
    expect(() =>
      createSqs(runtime).load([
        aResource(resourceTypes, 'AWS::SQS::Queue', 'A', { QueueName: 'a.fifo' }),
        aResource(resourceTypes, 'AWS::SQS::Queue', 'B', { VisibilityTimeout: 43_201 }),
        aResource(resourceTypes, 'AWS::SQS::Queue', 'C', {
          RedrivePolicy: { deadLetterTargetArn: `${arn}-none`, maxReceiveCount: 1 },
        }),
      ]),
    ).toThrow(/A: a\.fifo is not a valid name[\s\S]*B: .*VisibilityTimeout[\s\S]*Test-C: .*unknown/);
  });
});

describe('onAvailable', () => {
  it('notifies on send, release and expiry, and for messages that are visible already', async () => {
    await sqs.send(arn, 'one');
    let calls = 0;
    const end = sqs.onAvailable(arn, () => calls++);
    await runtime.clock.waitUntilIdle();
    expect(calls).toBe(1);
    await sqs.send(arn, 'two');
    expect(calls).toBe(2);
    const [message] = await sqs.receive(arn, 1);
    await release(message!);
    expect(calls).toBe(3);
    await sqs.receive(arn, 10);
    await runtime.clock.advance(30_000);
    expect(calls).toBe(4);
    end();
    await sqs.send(arn, 'three');
    expect(calls).toBe(4);
  });

  it('sets no timer for a visible message', async () => {
    await sqs.send(arn, 'unwanted');
    await runtime.clock.advance(3_600_000);
    expect(await countVisible()).toBe(1);
  });
});

describe('the SQS API', () => {
  it('long polls until a message arrives', async () => {
    const polling = call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 });
    await runtime.clock.waitUntilIdle();
    await call('SendMessage', { QueueUrl, MessageBody: 'here' });
    expect((await polling).body.Messages).toMatchObject([{ Body: 'here' }]);
  });

  it('returns a message to one of two pollers and nothing to the other', async () => {
    const polls = [1, 2].map(() => call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 5 }));
    await runtime.clock.waitUntilIdle();
    await call('SendMessage', { QueueUrl, MessageBody: 'here' });
    await runtime.clock.advance(5_000);
    const responses = await Promise.all(polls);
    expect(responses.map(({ body }) => body.Messages?.length ?? 0).sort()).toEqual([0, 1]);
  });

  it('ends waiting polls when it stops', async () => {
    const polling = call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 });
    await runtime.clock.waitUntilIdle();
    await sqs.stop();
    expect((await polling).body).toEqual({});
  });

  it('returns the JSON and the query code for an unknown queue', async () => {
    const response = await call('SendMessage', { QueueUrl: 'http://x/123456789012/none', MessageBody: 'x' });
    expect(response.status).toBe(400);
    expect(response.body).toEqual({
      __type: 'com.amazonaws.sqs#QueueDoesNotExist',
      message: 'The specified queue does not exist.',
    });
    expect(response.headers['x-amzn-query-error']).toBe('AWS.SimpleQueueService.NonExistentQueue;Sender');
  });

  it.each([
    ['SendMessage', { QueueUrl }, 'MissingParameter', 'The request must contain the parameter MessageBody.'],
    ['SendMessage', { QueueUrl, MessageBody: 'x\u0000' }, 'InvalidMessageContents', 'Invalid characters found.'],
    [
      'SendMessage',
      { QueueUrl, MessageBody: 'x'.repeat(1_048_577) },
      'InvalidParameterValue',
      'shorter than 1048576 bytes',
    ],
    [
      'SendMessage',
      { QueueUrl, MessageBody: 'x', DelaySeconds: 901 },
      'InvalidParameterValue',
      'Value 901 for parameter DelaySeconds',
    ],
    [
      'ReceiveMessage',
      { QueueUrl, MaxNumberOfMessages: 11 },
      'InvalidParameterValue',
      'Must be between 1 and 10, if provided.',
    ],
    ['ReceiveMessage', { QueueUrl, WaitTimeSeconds: 21 }, 'InvalidParameterValue', 'WaitTimeSeconds'],
    [
      'DeleteMessage',
      { QueueUrl, ReceiptHandle: 'x' },
      'ReceiptHandleIsInvalid',
      'The input receipt handle "x" is not a valid receipt handle.',
    ],
    [
      'DeleteMessageBatch',
      { QueueUrl, Entries: [] },
      'AWS.SimpleQueueService.EmptyBatchRequest',
      'DeleteMessageBatchRequestEntry',
    ],
    [
      'SendMessageBatch',
      { QueueUrl, Entries: Array.from({ length: 11 }, (_, i) => ({ Id: `${i}`, MessageBody: 'x' })) },
      'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
      'You have sent 11.',
    ],
    [
      'SendMessageBatch',
      { QueueUrl, Entries: [1, 2].map(() => ({ Id: 'same', MessageBody: 'x' })) },
      'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
      'Id same repeated.',
    ],
    ['CreateQueue', { QueueName: 'new' }, 'AWS.SimpleQueueService.UnsupportedOperation', 'CreateQueue'],
    [
      'SendMessage',
      { QueueUrl, MessageBody: 'x', MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } } },
      'AWS.SimpleQueueService.UnsupportedOperation',
      'the parameter MessageAttributes',
    ],
  ])('rejects %s %#', async (operation, input, code, message) => {
    const response = await call(operation, input);
    expect(response.headers['x-amzn-query-error']).toBe(`${code};Sender`);
    expect(response.body.message).toContain(message);
  });

  it('accepts the valid entries of a batch and reports the invalid ones', async () => {
    const Entries = [
      { Id: 'good', MessageBody: 'x' },
      { Id: 'bad', MessageBody: '' },
    ];
    const { body } = await call('SendMessageBatch', { QueueUrl, Entries });
    expect(body.Successful).toMatchObject([{ Id: 'good' }]);
    expect(body.Failed).toMatchObject([{ Id: 'bad', Code: 'MissingParameter', SenderFault: true }]);
    expect(await countVisible()).toBe(1);
  });

  it('counts visible, delayed and in-flight messages', async () => {
    await sqs.send(arn, 'a');
    await call('SendMessage', { QueueUrl, MessageBody: 'b', DelaySeconds: 5 });
    await sqs.send(arn, 'c');
    await sqs.receive(arn, 1);
    const { body } = await call('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
    expect(body.Attributes).toMatchObject({
      QueueArn: arn,
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesDelayed: '1',
      ApproximateNumberOfMessagesNotVisible: '1',
      VisibilityTimeout: '30',
      MaximumMessageSize: '1048576',
    });
  });

  it('purges a queue', async () => {
    await sqs.send(arn, 'a');
    expect((await call('PurgeQueue', { QueueUrl })).status).toBe(200);
    expect(await countVisible()).toBe(0);
  });

  it('lists queues by prefix', async () => {
    const { body } = await call('ListQueues', { QueueNamePrefix: 'de' });
    expect(body).toEqual({ QueueUrls: ['http://localhost:3001/123456789012/dead'] });
    expect((await call('GetQueueUrl', { QueueName: 'dead' })).body).toEqual({ QueueUrl: body.QueueUrls[0] });
  });

  it('requires the permission of the single operation for a batch', async () => {
    const required: unknown[] = [];
    await sqs.service.call('SendMessageBatch', { QueueUrl, Entries: [{ Id: 'a', MessageBody: 'x' }] }, (accesses) =>
      required.push(...accesses),
    );
    expect(required).toEqual([{ action: 'sqs:SendMessage', resource: arn }]);
  });
});

describe('AWS::SQS::Queue', () => {
  it('generates names of at most 80 characters', () => {
    const type = resourceTypes['AWS::SQS::Queue']!;
    expect(type.ref('Work', {}, environment)).toBe('http://localhost:3001/123456789012/Test-Work');
    expect(type.attributes!('W'.repeat(100), {}, environment).QueueName).toHaveLength(80);
  });
});

describe('the SDK against local SQS', () => {
  it('sends, receives, hides and deletes messages, and verifies their digests', async () => {
    await overHttp(sqs.service, async (endpoint) => {
      const client = new SQSClient({ region: 'eu-west-1', endpoint, credentials });
      const QueueUrl = `${endpoint}/123456789012/work`;
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'grüße' }));
      await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'a', MessageBody: 'two' }] }));
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      expect(Messages.map(({ Body }) => Body)).toEqual(['grüße', 'two']);
      const [first, second] = Messages.map(({ ReceiptHandle }) => ReceiptHandle!);
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first! }));
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: second!, VisibilityTimeout: 0 }));
      expect((await client.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toMatchObject([{ Body: 'two' }]);
      const unknown = new SendMessageCommand({ QueueUrl: `${endpoint}/123456789012/none`, MessageBody: 'x' });
      await expect(client.send(unknown)).rejects.toBeInstanceOf(QueueDoesNotExist);
      client.destroy();
    });
  });
});
