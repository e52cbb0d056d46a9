import { resourceTypes } from '../../../../local/sqs/resource-types.ts';
import { createSqs, type Sqs } from '../../../../local/sqs/sqs.ts';
import { aGround, aResource, environment, type Ground, request } from './ground.ts';

const arn = 'arn:aws:sqs:eu-west-1:123456789012:work';
const deadArn = 'arn:aws:sqs:eu-west-1:123456789012:dead';
const QueueUrl = 'http://somewhere/123456789012/work';

const aQueue = (properties: object = {}) =>
  aResource(resourceTypes, 'AWS::SQS::Queue', 'Work', { QueueName: 'work', ...properties });
const aDeadLetterQueue = () => aResource(resourceTypes, 'AWS::SQS::Queue', 'Dead', { QueueName: 'dead' });

let ground: Ground;
let sqs: Sqs;

async function start(properties: object = {}) {
  sqs = createSqs(ground);
  sqs.load([aQueue(properties), aDeadLetterQueue()]);
  await sqs.start();
}

const call = (operation: string, input: object) => request(sqs.service, `AmazonSQS.${operation}`, input);

beforeEach(async () => {
  ground = aGround();
  await start();
});
afterEach(async () => {
  await sqs.stop();
  ground.end();
});

describe('a queue', () => {
  it('hides a received message until its visibility timeout, then gives it again', async () => {
    await sqs.send(arn, 'one');
    const [first] = await sqs.receive(arn, 10);
    expect(first).toMatchObject({ body: 'one', attributes: { ApproximateReceiveCount: '1' } });
    expect(await sqs.receive(arn, 10)).toEqual([]);
    await ground.clock.advance(30_000);
    const [again] = await sqs.receive(arn, 10);
    expect(again).toMatchObject({ messageId: first!.messageId, attributes: { ApproximateReceiveCount: '2' } });
    expect(again!.attributes.ApproximateFirstReceiveTimestamp).toBe(first!.attributes.ApproximateFirstReceiveTimestamp);
    expect(again!.receiptHandle).not.toBe(first!.receiptHandle);
  });

  it('delays a message', async () => {
    await sqs.send(arn, 'later', { delaySeconds: 10 });
    await ground.clock.advance(9_999);
    expect(sqs.visibleCount(arn)).toBe(0);
    await ground.clock.advance(1);
    expect(sqs.visibleCount(arn)).toBe(1);
  });

  it('forgets a deleted message, and ignores a receipt that is not the latest', async () => {
    await sqs.send(arn, 'one');
    const [first] = await sqs.receive(arn, 1);
    await ground.clock.advance(30_000);
    const [second] = await sqs.receive(arn, 1);
    await sqs.delete(arn, [first!.receiptHandle]);
    await sqs.release(arn, [second!.receiptHandle]);
    const [third] = await sqs.receive(arn, 1);
    await sqs.delete(arn, [third!.receiptHandle]);
    await sqs.delete(arn, [third!.receiptHandle]);
    await ground.clock.advance(60_000);
    expect(await sqs.receive(arn, 1)).toEqual([]);
  });

  it('keeps a message no longer than its retention', async () => {
    await start({ MessageRetentionPeriod: 60 });
    await sqs.send(arn, 'old');
    await ground.clock.advance(60_000);
    expect(sqs.visibleCount(arn)).toBe(0);
    expect(await sqs.receive(arn, 1)).toEqual([]);
  });

  it('moves a message to the dead-letter queue after maxReceiveCount receives', async () => {
    await start({ RedrivePolicy: { deadLetterTargetArn: deadArn, maxReceiveCount: 2 } });
    await sqs.send(arn, 'poison');
    for (let attempt = 0; attempt < 2; attempt++) {
      const [message] = await sqs.receive(arn, 1);
      await sqs.release(arn, [message!.receiptHandle]);
    }
    let deadLetters = 0;
    sqs.onAvailable(deadArn, () => deadLetters++);
    expect(await sqs.receive(arn, 1)).toEqual([]);
    expect(deadLetters).toBe(1);
    const [dead] = await sqs.receive(deadArn, 1);
    expect(dead).toMatchObject({ body: 'poison', attributes: { DeadLetterQueueSourceArn: arn } });
  });

  it('survives the death of the process, in flight and delayed messages too', async () => {
    await sqs.send(arn, 'in flight');
    await sqs.receive(arn, 1);
    await sqs.send(arn, 'delayed', { delaySeconds: 60 });
    ground = ground.afterCrash();
    await start();
    const available: number[] = [];
    sqs.onAvailable(arn, () => available.push(ground.clock.now()));
    const now = ground.clock.now();
    await ground.clock.advance(90_000);
    expect(available).toEqual([now + 30_000, now + 60_000]);
    expect((await sqs.receive(arn, 10)).map((message) => message.body)).toEqual(['in flight', 'delayed']);
  });

  it('refuses FIFO queues, wrong values and unknown dead-letter queues at start, all at once', () => {
    expect(() =>
      createSqs(ground).load([
        aResource(resourceTypes, 'AWS::SQS::Queue', 'A', { QueueName: 'a.fifo', FifoQueue: true }),
        aResource(resourceTypes, 'AWS::SQS::Queue', 'B', { VisibilityTimeout: 43_201 }),
        aResource(resourceTypes, 'AWS::SQS::Queue', 'C', {
          RedrivePolicy: { deadLetterTargetArn: `${arn}-none`, maxReceiveCount: 1 },
        }),
      ]),
    ).toThrow(/A: .*FIFO[\s\S]*B: .*VisibilityTimeout[\s\S]*Test-C: .*unknown/);
  });
});

describe('onAvailable', () => {
  it('calls back on send, on release, on expiry, and for what is already there', async () => {
    await sqs.send(arn, 'one');
    let calls = 0;
    const end = sqs.onAvailable(arn, () => calls++);
    await ground.clock.idle();
    expect(calls).toBe(1);
    await sqs.send(arn, 'two');
    expect(calls).toBe(2);
    const [message] = await sqs.receive(arn, 1);
    await sqs.release(arn, [message!.receiptHandle]);
    expect(calls).toBe(3);
    await sqs.receive(arn, 10);
    await ground.clock.advance(30_000);
    expect(calls).toBe(4);
    end();
    await sqs.send(arn, 'three');
    expect(calls).toBe(4);
  });

  it('leaves the clock at rest when nobody takes a message', async () => {
    await sqs.send(arn, 'unwanted');
    await ground.clock.advance(3_600_000);
    expect(sqs.visibleCount(arn)).toBe(1);
  });
});

describe('the SQS API', () => {
  it('long polls until a message arrives', async () => {
    const polling = call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 });
    await ground.clock.idle();
    await call('SendMessage', { QueueUrl, MessageBody: 'here' });
    expect((await polling).body.Messages).toMatchObject([{ Body: 'here' }]);
  });

  it('gives one message to one of two pollers, and an empty answer to the other when its time is over', async () => {
    const polls = [1, 2].map(() => call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 5 }));
    await ground.clock.idle();
    await call('SendMessage', { QueueUrl, MessageBody: 'here' });
    await ground.clock.advance(5_000);
    const answers = await Promise.all(polls);
    expect(answers.map((answer) => answer.body.Messages?.length ?? 0).sort()).toEqual([0, 1]);
  });

  it('answers waiting polls when it stops', async () => {
    const polling = call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 20 });
    await ground.clock.idle();
    await sqs.stop();
    expect((await polling).body).toEqual({});
  });

  it('digests attributes as AWS does, over those that were asked for', async () => {
    const MessageAttributes = {
      Hello: { DataType: 'String', StringValue: 'There' },
      General: { DataType: 'String', StringValue: 'Kenobi' },
      'Help.Me': { DataType: 'String', StringValue: 'Me' },
    };
    const sent = await call('SendMessage', { QueueUrl, MessageBody: 'msg', MessageAttributes });
    expect(sent.body).toMatchObject({
      MD5OfMessageBody: '6e2baaf3b97dbeef01c0043275f9a0e7',
      MD5OfMessageAttributes: '4c360f3fdafd970e05fae2f149d997f5',
    });
    const receive = async (names: string[]) =>
      (await call('ReceiveMessage', { QueueUrl, VisibilityTimeout: 0, MessageAttributeNames: names })).body.Messages[0];
    expect((await receive(['All'])).MD5OfMessageAttributes).toBe('4c360f3fdafd970e05fae2f149d997f5');
    expect((await receive(['Hello', 'Nope'])).MD5OfMessageAttributes).toBe('a311262e065454b75da111d535b8dacd');
    expect((await receive(['Hel.*'])).MD5OfMessageAttributes).toBe('83fee93c1bcd8b9a5a923ffacdc636c7');
    expect(await receive([])).not.toHaveProperty('MessageAttributes');
  });

  it('digests binary attributes by their bytes', async () => {
    const bytes = Buffer.from('traceparent\x1e00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01', 'latin1');
    const sent = await call('SendMessage', {
      QueueUrl,
      MessageBody: 'test',
      MessageAttributes: { attr1: { DataType: 'Binary', BinaryValue: bytes.toString('base64') } },
    });
    expect(sent.body.MD5OfMessageAttributes).toBe('8cbe4db156db8a94db8b801b7addb984');
  });

  it('names an unknown queue in both the new and the old way', async () => {
    const answer = await call('SendMessage', { QueueUrl: 'http://x/123456789012/none', MessageBody: 'x' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      __type: 'com.amazonaws.sqs#QueueDoesNotExist',
      message: 'The specified queue does not exist.',
    });
    expect(answer.headers['x-amzn-query-error']).toBe('AWS.SimpleQueueService.NonExistentQueue;Sender');
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
    [
      'CreateQueue',
      { QueueName: 'work', Attributes: { DelaySeconds: '3' } },
      'QueueAlreadyExists',
      'attribute DelaySeconds',
    ],
    ['TagQueue', { QueueUrl }, 'AWS.SimpleQueueService.UnsupportedOperation', 'TagQueue'],
  ])('refuses %s %#', async (operation, input, code, message) => {
    const answer = await call(operation, input);
    expect(answer.headers['x-amzn-query-error']).toBe(`${code};Sender`);
    expect(answer.body.message).toContain(message);
  });

  it('accepts the good entries of a batch and names the bad ones', async () => {
    const Entries = [
      { Id: 'good', MessageBody: 'x' },
      { Id: 'bad', MessageBody: '' },
    ];
    const { body } = await call('SendMessageBatch', { QueueUrl, Entries });
    expect(body.Successful).toMatchObject([{ Id: 'good' }]);
    expect(body.Failed).toMatchObject([{ Id: 'bad', Code: 'MissingParameter', SenderFault: true }]);
    expect(sqs.visibleCount(arn)).toBe(1);
  });

  it('counts visible, delayed and in-flight messages', async () => {
    await sqs.send(arn, 'a');
    await sqs.send(arn, 'b', { delaySeconds: 5 });
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

  it('purges once a minute', async () => {
    await sqs.send(arn, 'a');
    expect((await call('PurgeQueue', { QueueUrl })).status).toBe(200);
    expect(sqs.visibleCount(arn)).toBe(0);
    expect((await call('PurgeQueue', { QueueUrl })).status).toBe(403);
    await ground.clock.advance(60_000);
    expect((await call('PurgeQueue', { QueueUrl })).status).toBe(200);
  });

  it('needs the permission of the single operation for a batch', async () => {
    const asked: unknown[] = [];
    await sqs.service.call('SendMessageBatch', { QueueUrl, Entries: [{ Id: 'a', MessageBody: 'x' }] }, (accesses) =>
      asked.push(...accesses),
    );
    expect(asked).toEqual([{ action: 'sqs:SendMessage', resource: arn }]);
  });
});

describe('AWS::SQS::Queue', () => {
  it('refers to its address and keeps generated names within 80 characters', () => {
    const type = resourceTypes['AWS::SQS::Queue']!;
    expect(type.ref('Work', {}, environment)).toBe('http://localhost:3001/123456789012/Test-Work');
    expect(type.attributes!('W'.repeat(100), {}, environment).QueueName).toHaveLength(80);
  });
});
