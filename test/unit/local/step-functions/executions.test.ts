import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AwsError } from '../../../../local/aws/error.ts';
import { createSqs } from '../../../../local/sqs/sqs.ts';
import {
  checkDefinition,
  type Definition,
  sendMessageResource,
  waitForTokenResource,
} from '../../../../local/step-functions/definition.ts';
import { ExecutionStore } from '../../../../local/step-functions/execution-store.ts';
import { chooseRecovery, StateError } from '../../../../local/step-functions/failure.ts';
import { createStepFunctions } from '../../../../local/step-functions/step-functions.ts';
import { aTestRuntime } from '../test-runtime.ts';
import { crashMachine, crashQueue, machineArn, queueArn } from './crash-stack.ts';
import { aMachine, aMap, aTask, type MachineTest, roleArn, startingWith } from './machine.ts';

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

const listProblems = (states: object, more: object = {}) =>
  checkDefinition({ StartAt: Object.keys(states)[0], States: states, ...more } as unknown as Definition);

describe('checkDefinition', () => {
  it('accepts every supported field', () => {
    const states = {
      Wait: { Type: 'Wait', SecondsPath: '$.wait_seconds', Next: 'Send' },
      Send: {
        Type: 'Task',
        Resource: sendMessageResource,
        Parameters: { QueueUrl: 'q', MessageBody: { 'id.$': '$.delivery.id', all: [{ 'x.$': '$' }] } },
        Retry: [{ ErrorEquals: ['States.ALL'], BackoffRate: 2, MaxDelaySeconds: 60, JitterStrategy: 'FULL' }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Failed' }],
        End: true,
      },
      Failed: { Type: 'Fail', Error: 'Impossible', Cause: 'because' },
      Map: aMap({ ProcessorConfig: { Mode: 'INLINE' } }, { ItemsPath: '$.all', MaxConcurrency: 2 }),
    };
    expect(listProblems(states, { Comment: 'all of it' })).toEqual([]);
  });

  it.each([
    [{ A: { Type: 'Parallel', End: true } }, 'state A: the type Parallel is not supported'],
    [{ A: { Type: 'Parallel', End: true } }, 'the type Parallel is not supported'],
    [{ A: { Type: 'constructor', End: true } }, 'the type constructor is not supported'],
    [{ A: aTask({ Resource: 'arn:aws:states:::lambda:invoke' }) }, 'lambda:invoke is not supported'],
    [{ A: aTask({ Resource: waitForTokenResource }) }, 'TimeoutSeconds is missing'],
    [{ A: aTask({ TimeoutSeconds: 5 }) }, 'the field TimeoutSeconds is not supported without a task token'],
    [{ A: aTask({ Parameters: { 'c.$': '$$.Task.Token' } }) }, 'the path $$.Task.Token is not supported'],
    [{ A: aTask({ ResultPath: '$.a' }) }, 'the field ResultPath is not supported'],
    [{ A: aTask({ QueryLanguage: 'JSONata' }) }, 'the query language JSONata is not supported'],
    [{ A: aTask({ Parameters: undefined }) }, 'Parameters is missing'],
    [{ A: aTask({ Parameters: { b: { 'c.$': '$.x[*]' } } }) }, 'Parameters.b.c.$: the path $.x[*] is not supported'],
    [{ A: aTask({ Parameters: { 'c.$': 'States.UUID()' } }) }, 'the path States.UUID() is not supported'],
    [{ A: aTask({ Parameters: { 'c.$': '$$.Execution.Id' } }) }, 'the path $$.Execution.Id is not supported'],
    [{ A: aTask({ Retry: [{ ErrorEquals: ['X'], BackoffRate: 0.5 }] }) }, 'BackoffRate must be at least 1'],
    [{ A: aTask({ Catch: [{ ErrorEquals: ['X'], Next: 'B' }] }) }, 'Catch: Next names the unknown state B'],
    [
      { A: aTask({ Catch: [{ ErrorEquals: ['X'], ResultPath: '$.e', Next: 'A' }] }) },
      'the ResultPath $.e is not supported',
    ],
    [{ A: aMap({}, { ItemProcessor: undefined }) }, 'ItemProcessor is missing'],
    [{ A: aMap({ ProcessorConfig: { Mode: 'DISTRIBUTED' } }) }, 'the mode DISTRIBUTED is not supported'],
    [{ A: aMap({ States: { B: aMap() }, StartAt: 'B' }) }, 'a Map inside a Map is not supported'],
    [{ A: aMap({ States: { A: aTask() }, StartAt: 'A' }) }, 'the name of the state A is not unique'],
    [{ A: aMap({ States: { B: { Type: 'Pass' } } }) }, 'ItemProcessor: state B: the type Pass is not supported'],
    [{ A: aMap({}, { ItemsPath: '$.a[0]' }) }, 'ItemsPath: the path $.a[0] is not supported'],
    [{ A: aMap({}, { MaxConcurrency: -1 }) }, 'MaxConcurrency must be a non-negative integer'],
    [{ A: aMap({}, { Retry: [{ ErrorEquals: ['X'] }] }) }, 'the field Retry is not supported'],
    [{ A: aMap({}, { ItemSelector: {} }) }, 'the field ItemSelector is not supported'],
    [{ A: { Type: 'Wait', Timestamp: '2026-01-01T00:00:00Z', End: true } }, 'the field Timestamp is not supported'],
    [{ A: { Type: 'Wait', End: true } }, 'requires one of Seconds, SecondsPath and TimestampPath'],
    [{ A: { Type: 'Wait', Seconds: 1, Next: 'B' } }, 'Next names the unknown state B'],
    [{ A: { Type: 'Wait', Seconds: 1 } }, 'requires either Next or End: true'],
  ])('rejects %j', (states, problem) => {
    expect(listProblems(states).join('\n')).toContain(problem);
  });

  it('lists every problem', () => {
    expect(listProblems({ A: { Type: 'Odd' }, B: { Type: 'Strange' } }, { TimeoutSeconds: 5 })).toHaveLength(3);
  });
});

const aState = (fields: object) => ({ Type: 'Task' as const, ...fields });
const failure = (error: string) => new StateError(error, '');

describe('chooseRecovery', () => {
  it('backs off exponentially up to MaxDelaySeconds and fails after MaxAttempts', () => {
    const state = aState({
      Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 4, MaxDelaySeconds: 20 }],
    });
    const delays = [0, 1, 2, 3].map((used) => chooseRecovery(state, failure('A'), [used]));
    expect(delays).toEqual([2000, 6000, 18_000, 20_000].map((delayMs) => ({ kind: 'retry', retrier: 0, delayMs })));
    expect(chooseRecovery(state, failure('A'), [4])).toEqual({ kind: 'fail' });
    expect(chooseRecovery(state, failure('B'), [0])).toEqual({ kind: 'fail' });
  });

  it('defaults to three retries after 1, 2 and 4 seconds', () => {
    const state = aState({ Retry: [{ ErrorEquals: ['States.ALL'] }] });
    expect([0, 1, 2, 3].map((used) => chooseRecovery(state, failure('A'), [used]))).toEqual([
      { kind: 'retry', retrier: 0, delayMs: 1000 },
      { kind: 'retry', retrier: 0, delayMs: 2000 },
      { kind: 'retry', retrier: 0, delayMs: 4000 },
      { kind: 'fail' },
    ]);
  });

  it('randomizes the delay with full jitter', () => {
    const state = aState({ Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 10, JitterStrategy: 'FULL' }] });
    expect(chooseRecovery(state, failure('A'), [], () => 0.25)).toMatchObject({ delayMs: 2500 });
  });

  it.each([
    ['States.ALL', 'Anything', 'catch'],
    ['States.TaskFailed', 'Anything', 'catch'],
    ['States.ALL', 'States.Timeout', 'catch'],
    ['States.TaskFailed', 'States.Timeout', 'fail'],
    ['States.ALL', 'States.Runtime', 'fail'],
    ['States.Runtime', 'States.Runtime', 'fail'],
    ['Other', 'Anything', 'fail'],
  ])('matches %s with %s: %s', (pattern, error, kind) => {
    const state = aState({ Catch: [{ ErrorEquals: [pattern], Next: 'X' }] });
    expect(chooseRecovery(state, failure(error), []).kind).toBe(kind);
  });
});

/** Kills the child after some acknowledgements and resolves with all that it printed. */
async function killAfter(lines: number, folder: string): Promise<string[]> {
  const script = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line);
    if (acknowledged.length === lines) child.kill('SIGKILL');
  }
  return acknowledged;
}

describe('kill -9', () => {
  it('loses no acknowledged message or execution, and continues their waits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'local-'));
    const acknowledged = await killAfter(60, folder);
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);

    const runtime = aTestRuntime(folder, Date.now());
    const sqs = createSqs(runtime);
    const machines = createStepFunctions({ ...runtime, callAws: async () => ({}) });
    const executions = new ExecutionStore(runtime.storage);
    sqs.load([crashQueue]);
    machines.load([crashMachine]);
    await sqs.start();
    await machines.start();
    await runtime.clock.waitUntilIdle();

    const executionArn = (name: string) => `${machineArn.replace('stateMachine', 'execution')}:${name}`;
    const runs = acknowledged.filter((name) => name.startsWith('run-'));
    expect(new Set(runs.map((name) => executions.find(executionArn(name))?.status))).toEqual(new Set(['RUNNING']));
    const bodies = (await sqs.receive(queueArn, 10_000)).map(({ body }) => body);
    expect(bodies).toEqual(expect.arrayContaining(acknowledged.filter((name) => name.startsWith('message-'))));

    await runtime.clock.advance(3_600_000);
    expect(new Set(runs.map((name) => executions.find(executionArn(name))?.status))).toEqual(new Set(['SUCCEEDED']));
    runtime.end();
  });
});
