import { request } from '../test-runtime.ts';
import { aMachine, type MachineTest } from './machine.ts';

let machine: MachineTest;
afterEach(() => machine?.end());

/** Waits until a time, sends a message, and repeats that while the report says so. */
const loop = {
  StartAt: 'Wait',
  States: {
    Wait: { Type: 'Wait', TimestampPath: '$.at', Next: 'Send' },
    Send: {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      Parameters: { QueueUrl: 'http://localhost/queue', MessageBody: { 'token.$': '$$.Task.Token' } },
      TimeoutSeconds: 60,
      Next: 'Again?',
    },
    'Again?': {
      Type: 'Choice',
      Choices: [{ Variable: '$.again', BooleanEquals: true, Next: 'Wait' }],
      Default: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};

const inMs = (ms: number) => new Date(machine.runtime.clock.now() + ms).toISOString();

const readToken = (place: number) => {
  const { MessageBody } = machine.calls[place]!.input as { MessageBody: string };
  return JSON.parse(MessageBody).token as string;
};

const report = async (taskToken: string, output: object) => {
  await request(machine.stepFunctions.service, 'AWSStepFunctions.SendTaskSuccess', {
    taskToken,
    output: JSON.stringify(output),
  });
  await machine.runtime.clock.waitUntilIdle();
};

describe('a loop', () => {
  it('waits until each time that a report names, and ends when a report says so', async () => {
    machine = await aMachine(loop);
    const arn = await machine.start({ at: inMs(60_000) });
    await machine.runtime.clock.advance(59_000);
    expect(machine.calls).toEqual([]);
    await machine.runtime.clock.advance(1_000);
    expect(machine.calls).toHaveLength(1);
    await report(readToken(0), { again: true, at: inMs(30_000) });
    await machine.runtime.clock.advance(30_000);
    expect(machine.calls).toHaveLength(2);
    await report(readToken(1), { again: false });
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: { again: false } });
  });

  it('ignores a late report of an earlier round', async () => {
    machine = await aMachine(loop);
    const arn = await machine.start({ at: inMs(0) });
    await machine.runtime.clock.advance(1);
    await report(readToken(0), { again: true, at: inMs(0) });
    await machine.runtime.clock.advance(1);
    expect(readToken(1)).not.toBe(readToken(0));
    await report(readToken(0), { again: false });
    expect(machine.getResult(arn).status).toBe('RUNNING');
  });

  it('fails with a time that is none', async () => {
    machine = await aMachine(loop);
    expect(machine.getResult(await machine.start({ at: 'tomorrow' }))).toMatchObject({ status: 'FAILED' });
  });

  it.each([
    ['a Wait with two times', { ...loop, States: { ...loop.States, Wait: { ...loop.States.Wait, Seconds: 1 } } }],
    [
      'a Choice with another comparison',
      {
        ...loop,
        States: {
          ...loop.States,
          'Again?': { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'Wait' }], Default: 'Done' },
        },
      },
    ],
    [
      'a Choice without rules',
      { ...loop, States: { ...loop.States, 'Again?': { Type: 'Choice', Default: 'Nowhere' } } },
    ],
  ])('rejects %s', async (_what, definition) => {
    await expect(aMachine(definition)).rejects.toThrow(/Wait|Choice/);
    machine = await aMachine(loop);
  });
});
