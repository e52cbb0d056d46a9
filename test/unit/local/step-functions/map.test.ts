import { SendTaskFailureCommand, SendTaskSuccessCommand, SFNClient, TaskTimedOut } from '@aws-sdk/client-sfn';
import { credentials, overHttp, request } from '../test-runtime.ts';
import { aMachine, aMap, aTask, aTokenTask, type MachineTest, machineArn, startingWith } from './machine.ts';

let machine: MachineTest;
afterEach(() => machine.end());

const call = (operation: string, input: object) =>
  request(machine.stepFunctions.service, `AWSStepFunctions.${operation}`, input);

/** The messages that were sent, in order. */
const messages = () =>
  machine.calls.map(({ input }) => JSON.parse((input as { MessageBody: string }).MessageBody)) as {
    item: unknown;
    token: string;
  }[];

const sentItems = () => messages().map(({ item }) => item);

async function succeed(message: number, output: unknown = {}) {
  const { token } = messages()[message]!;
  const { status, body } = await call('SendTaskSuccess', { taskToken: token, output: JSON.stringify(output) });
  await machine.runtime.clock.waitUntilIdle();
  return status === 200 ? 'accepted' : body.__type;
}

async function fail(message: number, error = 'Broken') {
  const { token } = messages()[message]!;
  const { status, body } = await call('SendTaskFailure', { taskToken: token, error, cause: 'because' });
  await machine.runtime.clock.waitUntilIdle();
  return status === 200 ? 'accepted' : body.__type;
}

describe('a task with a token', () => {
  it('lasts until its result is reported, and rejects a second report', async () => {
    machine = await aMachine(startingWith(aTokenTask()));
    const arn = await machine.start(7);
    expect(machine.getResult(arn).status).toBe('RUNNING');
    expect(await succeed(0, { done: true })).toBe('accepted');
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: { done: true } });
    expect([await succeed(0), await fail(0)]).toEqual(['TaskTimedOut', 'TaskTimedOut']);
  });

  it('fails with States.Timeout without a report', async () => {
    machine = await aMachine(startingWith(aTokenTask()));
    const arn = await machine.start();
    await machine.runtime.clock.advance(59_999);
    expect(machine.getResult(arn).status).toBe('RUNNING');
    await machine.runtime.clock.advance(1);
    expect(machine.getResult(arn)).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  it('gets a new token with each retry, then is caught with its input', async () => {
    const state = aTokenTask({
      Retry: [
        { ErrorEquals: ['Final'], MaxAttempts: 0 },
        { ErrorEquals: ['States.ALL'], IntervalSeconds: 5, MaxAttempts: 1 },
      ],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Caught' }],
    });
    machine = await aMachine(startingWith(state, { Caught: { Type: 'Wait', Seconds: 0, End: true } }));
    const arn = await machine.start({ a: 1 });
    expect(await fail(0)).toBe('accepted');
    await machine.runtime.clock.advance(5_000);
    expect(sentItems()).toEqual([{ a: 1 }, { a: 1 }]);
    expect(await succeed(0)).toBe('TaskTimedOut');
    await fail(1);
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: { a: 1 } });
    const final = await machine.start({ a: 2 });
    await fail(2, 'Final');
    expect(machine.getResult(final)).toEqual({ status: 'SUCCEEDED', output: { a: 2 } });
    expect(machine.calls).toHaveLength(3);
  });

  it('accepts a report that arrives before the message is known to be sent', async () => {
    let confirm = () => {};
    machine = await aMachine(startingWith(aTokenTask()), () => new Promise((resolve) => (confirm = () => resolve({}))));
    const started = machine.start();
    while (machine.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const report = call('SendTaskSuccess', { taskToken: messages()[0]!.token, output: '"early"' });
    expect((await report).status).toBe(200);
    confirm();
    expect(machine.getResult(await started)).toEqual({ status: 'SUCCEEDED', output: 'early' });
  });

  it('keeps its token over a crash', async () => {
    const definition = startingWith(aTokenTask());
    machine = await aMachine(definition);
    const arn = await machine.start();
    const before = messages()[0]!;
    machine = await aMachine(definition, undefined, machine.runtime.afterCrash(30_000));
    expect(machine.calls).toEqual([]);
    await call('SendTaskSuccess', { taskToken: before.token, output: '1' });
    await machine.runtime.clock.waitUntilIdle();
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: 1 });
  });

  it('requires permission on the machine and a correct token', async () => {
    machine = await aMachine(startingWith(aTokenTask()));
    await machine.start();
    const accesses: unknown[] = [];
    await machine.stepFunctions.service.call(
      'SendTaskSuccess',
      { taskToken: messages()[0]!.token, output: '{}' },
      (required) => accesses.push(...required),
    );
    expect(accesses).toEqual([{ action: 'states:SendTaskSuccess', resource: machineArn }]);
    expect((await call('SendTaskSuccess', { taskToken: 'x', output: '{}' })).body.__type).toBe('InvalidToken');
  });

  it('works with the SDK', async () => {
    machine = await aMachine(startingWith(aTokenTask()));
    await machine.start();
    await overHttp(machine.stepFunctions.service, async (endpoint) => {
      const client = new SFNClient({ region: 'eu-west-1', endpoint, credentials });
      const taskToken = messages()[0]!.token;
      await client.send(new SendTaskFailureCommand({ taskToken, error: 'E', cause: 'C' }));
      const again = client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }));
      await expect(again).rejects.toBeInstanceOf(TaskTimedOut);
      client.destroy();
    });
  });
});

describe('Map', () => {
  it('runs the iterations in parallel and returns their outputs in the order of the items', async () => {
    machine = await aMachine(startingWith(aMap({}, { ItemsPath: '$.all' })));
    const arn = await machine.start({ all: ['a', 'b', 'c'] });
    expect(sentItems()).toEqual(['a', 'b', 'c']);
    for (const message of [2, 0, 1]) await succeed(message, message);
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: [0, 1, 2] });
  });

  it('runs no more than MaxConcurrency iterations at once', async () => {
    machine = await aMachine(startingWith(aMap({}, { MaxConcurrency: 2 })));
    const arn = await machine.start([1, 2, 3, 4, 5]);
    expect(sentItems()).toEqual([1, 2]);
    await succeed(1);
    expect(sentItems()).toEqual([1, 2, 3]);
    for (const message of [0, 2, 3]) await succeed(message);
    expect(sentItems()).toEqual([1, 2, 3, 4, 5]);
    expect(machine.getResult(arn).status).toBe('RUNNING');
    await succeed(4);
    expect(machine.getResult(arn)).toMatchObject({ status: 'SUCCEEDED', output: [{}, {}, {}, {}, {}] });
  });

  it('retries and catches each iteration alone', async () => {
    const Item = aTokenTask({
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 10, MaxAttempts: 1 }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Give up' }],
    });
    machine = await aMachine(startingWith(aMap({ States: { Item, 'Give up': aTask() } })));
    const arn = await machine.start(['a', 'b']);
    await fail(0);
    await succeed(1, 'good');
    await machine.runtime.clock.advance(10_000);
    await fail(2);
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: [{ MessageId: 'm' }, 'good'] });
  });

  it('fails with the first iteration that fails, and ends the others', async () => {
    machine = await aMachine(startingWith(aMap()));
    const arn = await machine.start(['a', 'b']);
    await fail(0);
    expect(machine.getResult(arn)).toEqual({ status: 'FAILED', error: 'Broken', cause: 'because' });
    expect(await succeed(1)).toBe('TaskTimedOut');
    await machine.runtime.clock.advance(60_000);
    expect(machine.getResult(arn).error).toBe('Broken');
  });

  it.each([
    [{ all: [] }, { status: 'SUCCEEDED', output: [] }],
    [{ all: 'text' }, { status: 'FAILED', error: 'States.Runtime' }],
    [{}, { status: 'FAILED', error: 'States.Runtime' }],
  ])('ends at once for the input %j', async (input, result) => {
    machine = await aMachine(startingWith(aMap({}, { ItemsPath: '$.all' })));
    expect(machine.getResult(await machine.start(input))).toMatchObject(result);
  });

  it('continues after a crash where it was', async () => {
    const definition = startingWith(aMap({}, { MaxConcurrency: 2 }));
    machine = await aMachine(definition);
    const arn = await machine.start([1, 2, 3]);
    await succeed(0, 'one');
    const [, second, third] = messages();
    machine = await aMachine(definition, undefined, machine.runtime.afterCrash(30_000));
    for (const { token } of [second!, third!]) await call('SendTaskSuccess', { taskToken: token, output: '"later"' });
    await machine.runtime.clock.waitUntilIdle();
    expect(machine.calls).toEqual([]);
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: ['one', 'later', 'later'] });
  });

  it('lists its iterations in the history', async () => {
    machine = await aMachine(startingWith(aMap()));
    const executionArn = await machine.start([1]);
    await succeed(0);
    const { body } = await call('GetExecutionHistory', { executionArn });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'ExecutionStarted',
      'MapStateEntered',
      'MapStateStarted',
      'MapIterationStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSubmitted',
      'TaskSucceeded',
      'TaskStateExited',
      'MapIterationSucceeded',
      'MapStateSucceeded',
      'MapStateExited',
      'ExecutionSucceeded',
    ]);
    expect(body.events[3].mapIterationStartedEventDetails).toEqual({ name: 'First', index: 0 });
  });
});
