import { AwsError } from '../../../../local/aws/error.ts';
import { aMachine, aTask, type MachineTest, roleArn, startingWith } from './machine.ts';

let machine: MachineTest;
afterEach(() => machine.end());

const rejectMessage = () => {
  throw new AwsError('OverLimit', 'too many');
};

async function run(definition: object, input: unknown = {}, send?: () => unknown) {
  machine = await aMachine(definition, send);
  return machine.getResult(await machine.start(input));
}

describe('Wait', () => {
  it.each([
    [{ Seconds: 10 }, {}, 10_000],
    [{ SecondsPath: '$.a.s' }, { a: { s: 3 } }, 3000],
  ])('waits for %j and passes its input on', async (fields, input, waitMs) => {
    machine = await aMachine(startingWith({ Type: 'Wait', ...fields }));
    const arn = await machine.start(input);
    await machine.runtime.clock.advance(waitMs - 1);
    expect(machine.getResult(arn).status).toBe('RUNNING');
    await machine.runtime.clock.advance(1);
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: input });
  });

  it.each([[{ s: -1 }], [{ s: '3' }], [{}], [{ s: null }]])('fails the execution for the input %j', async (input) => {
    const result = await run(startingWith({ Type: 'Wait', SecondsPath: '$.s' }), input);
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(result.cause).toContain("while executing the state 'First' (entered at the event id #2)");
  });
});

describe('Task', () => {
  it('sends a message body as JSON text, as the role of the machine', async () => {
    const body = { known: { 'id.$': '$.id' }, list: [{ 'n.$': '$.a.n' }], fixed: true };
    const task = aTask({ Parameters: { QueueUrl: 'q', MessageBody: body } });
    expect(await run(startingWith(task), { id: 7, a: { n: 1 } })).toEqual({
      status: 'SUCCEEDED',
      output: { MessageId: 'm' },
    });
    expect(machine.calls).toMatchObject([
      {
        service: 'sqs',
        operation: 'SendMessage',
        input: { QueueUrl: 'q', MessageBody: '{"known":{"id":7},"list":[{"n":1}],"fixed":true}' },
        caller: { roleArn, name: 'machine' },
      },
    ]);
  });

  it('fails the execution when a path is not in the input', async () => {
    const task = aTask({ Parameters: { 'QueueUrl.$': '$.none' }, Retry: [{ ErrorEquals: ['States.ALL'] }] });
    expect(await run(startingWith(task))).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });

  it('names an error after the service', async () => {
    expect(await run(startingWith(aTask()), {}, rejectMessage)).toEqual({
      status: 'FAILED',
      error: 'SQS.OverLimitException',
      cause: 'too many (Status Code: 400; Error Code: OverLimit)',
    });
  });

  it('retries with backoff, then catches', async () => {
    const task = aTask({
      Retry: [
        { ErrorEquals: ['Other'] },
        { ErrorEquals: ['SQS.OverLimitException'], IntervalSeconds: 30, BackoffRate: 4, MaxAttempts: 2 },
      ],
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
    });
    machine = await aMachine(startingWith(task, { Caught: { Type: 'Wait', Seconds: 0, End: true } }), rejectMessage);
    const arn = await machine.start();
    await machine.runtime.clock.advance(3_600_000);
    const [first] = machine.calls;
    expect(machine.calls.map(({ timeMs }) => timeMs - first!.timeMs)).toEqual([0, 30_000, 150_000]);
    expect(machine.getResult(arn)).toMatchObject({
      status: 'SUCCEEDED',
      output: { Error: 'SQS.OverLimitException', Cause: expect.stringContaining('too many') },
    });
  });
});

describe('Fail', () => {
  it('fails the execution with its Error and Cause', async () => {
    const fail = { Type: 'Fail', Error: 'E1', Cause: 'it failed', End: undefined };
    expect(await run(startingWith(fail))).toEqual({ status: 'FAILED', error: 'E1', cause: 'it failed' });
  });
});

describe('an endless loop', () => {
  it('fails when its history is full', async () => {
    const wait = (Next: string) => ({ Type: 'Wait', Seconds: 0, Next });
    const definition = { StartAt: 'A', States: { A: wait('B'), B: wait('A') } };
    expect(await run(definition)).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });
});
