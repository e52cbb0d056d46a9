import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  InvalidExecutionInput,
  InvalidName,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StateMachineDoesNotExist,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { resourceTypes } from '../../../../local/step-functions/resource-types.ts';
import { createStepFunctions } from '../../../../local/step-functions/step-functions.ts';
import { aResource, aTestRuntime, credentials, overHttp, request } from '../test-runtime.ts';
import {
  aMachine,
  aMachineResource,
  aTask,
  type MachineTest,
  machineArn,
  roleArn,
  startExecution,
  startingWith,
} from './machine.ts';

let machine: MachineTest;
afterEach(() => machine?.end());

const call = (operation: string, input: object) =>
  request(machine.stepFunctions.service, `AWSStepFunctions.${operation}`, input);

describe('StartExecution', () => {
  const waiting = startingWith({ Type: 'Wait', Seconds: 60 });

  it('returns the running execution for the same name and input', async () => {
    machine = await aMachine(waiting);
    const [first, second] = await Promise.all([machine.start({ a: 1 }, 'one'), machine.start({ a: 1 }, 'one')]);
    expect(second).toBe(first);
    const { body } = await call('ListExecutions', { stateMachineArn: machineArn });
    expect(body.executions).toHaveLength(1);
  });

  it('rejects a used name for another input, and for 90 days after the end', async () => {
    machine = await aMachine(waiting);
    await machine.start({ a: 1 }, 'one');
    await expect(machine.start({ a: 2 }, 'one')).rejects.toMatchObject({ code: 'ExecutionAlreadyExists' });
    await machine.runtime.clock.advance(60_000);
    await expect(machine.start({ a: 1 }, 'one')).rejects.toMatchObject({ code: 'ExecutionAlreadyExists' });
    await machine.runtime.clock.advance(90 * 86_400_000);
    expect(machine.getResult(await machine.start({ a: 1 }, 'one')).status).toBe('RUNNING');
  });

  it.each([
    [{ stateMachineArn: machineArn, name: 'a b' }, 'InvalidName'],
    [{ stateMachineArn: machineArn, name: 'x'.repeat(81) }, 'InvalidName'],
    [{ stateMachineArn: machineArn, input: '{' }, 'InvalidExecutionInput'],
    [{ stateMachineArn: `${machineArn}x` }, 'StateMachineDoesNotExist'],
    [{ stateMachineArn: 'machine' }, 'InvalidArn'],
  ])('rejects %j', async (input, code) => {
    machine = await aMachine(waiting);
    const { status, body } = await call('StartExecution', input);
    expect([status, body.__type]).toEqual([400, code]);
  });

  it('requires permission on the machine, and on the execution to describe it', async () => {
    machine = await aMachine(waiting);
    const accesses: unknown[] = [];
    const executionArn = await machine.start({}, 'one');
    await machine.stepFunctions.service.call('StartExecution', { stateMachineArn: machineArn }, (required) =>
      accesses.push(...required),
    );
    await machine.stepFunctions.service.call('DescribeExecution', { executionArn }, (required) =>
      accesses.push(...required),
    );
    expect(accesses).toEqual([
      { action: 'states:StartExecution', resource: machineArn },
      { action: 'states:DescribeExecution', resource: executionArn },
    ]);
    expect(executionArn).toBe('arn:aws:states:eu-west-1:123456789012:execution:machine:one');
  });
});

describe('after a crash', () => {
  it('continues a wait', async () => {
    const definition = startingWith({ Type: 'Wait', Seconds: 1800 });
    machine = await aMachine(definition);
    const arn = await machine.start({ a: 1 });
    await machine.runtime.clock.advance(1_000_000);
    machine = await aMachine(definition, undefined, machine.runtime.afterCrash());
    await machine.runtime.clock.advance(799_999);
    expect(machine.getResult(arn).status).toBe('RUNNING');
    await machine.runtime.clock.advance(1);
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: { a: 1 } });
  });

  it('ends a wait that expired meanwhile', async () => {
    const definition = startingWith({ Type: 'Wait', Seconds: 60 });
    machine = await aMachine(definition);
    const arn = await machine.start();
    machine = await aMachine(definition, undefined, machine.runtime.afterCrash(3_600_000));
    await machine.runtime.clock.waitUntilIdle();
    expect(machine.getResult(arn).status).toBe('SUCCEEDED');
  });

  it('runs a task again that was in flight', async () => {
    const definition = startingWith(aTask());
    machine = await aMachine(definition, () => new Promise(() => {}));
    const arn = await startExecution(machine.stepFunctions, '{}');
    await new Promise((resolve) => setImmediate(resolve));
    expect(machine.calls).toHaveLength(1);
    machine = await aMachine(definition, () => ({ MessageId: 'second' }), machine.runtime.afterCrash());
    await machine.runtime.clock.waitUntilIdle();
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: { MessageId: 'second' } });
  });

  it('keeps counting retries', async () => {
    const fail = () => {
      throw new Error('no');
    };
    const retrier = { ErrorEquals: ['States.ALL'], IntervalSeconds: 10, BackoffRate: 1, MaxAttempts: 3 };
    const definition = startingWith(aTask({ Retry: [retrier] }));
    machine = await aMachine(definition, fail);
    const arn = await machine.start();
    await machine.runtime.clock.advance(10_000);
    expect(machine.calls).toHaveLength(2);
    machine = await aMachine(definition, fail, machine.runtime.afterCrash());
    await machine.runtime.clock.advance(60_000);
    expect(machine.calls).toHaveLength(2);
    expect(machine.getResult(arn)).toMatchObject({ status: 'FAILED', error: 'SQS.ServiceException' });
  });

  it('continues an execution that an earlier release stored', async () => {
    const definition = startingWith({ Type: 'Wait', Seconds: 60 });
    machine = await aMachine(definition);
    const arn = await machine.start({ a: 1 });
    const { storage } = machine.runtime;
    const more = { visit: 2, path: [], enteredMs: 0, lastEvent: 2 };
    const data = JSON.stringify({ state: 'First', input: { a: 1 }, attempts: [], ...more });
    storage.writeNow(() => storage.prepare('UPDATE sfn_threads SET data = ?').run([data]));
    machine = await aMachine(definition, undefined, machine.runtime.afterCrash(60_000));
    await machine.runtime.clock.waitUntilIdle();
    expect(machine.getResult(arn)).toEqual({ status: 'SUCCEEDED', output: { a: 1 } });
  });

  it('keeps the definition that an execution was started with', async () => {
    const waitThenFail = (error: string) =>
      startingWith(
        { Type: 'Wait', Seconds: 10, Next: 'Last', End: undefined },
        { Last: { Type: 'Fail', Error: error } },
      );
    machine = await aMachine(waitThenFail('Old'));
    const before = await machine.start();
    machine = await aMachine(waitThenFail('New'), undefined, machine.runtime.afterCrash());
    const after = await machine.start();
    await machine.runtime.clock.advance(10_000);
    expect(machine.getResult(before).error).toBe('Old');
    expect(machine.getResult(after).error).toBe('New');
  });
});

describe('StopExecution', () => {
  it('aborts a wait, and a second stop has no effect', async () => {
    machine = await aMachine(startingWith({ Type: 'Wait', Seconds: 60 }));
    const executionArn = await machine.start();
    await call('StopExecution', { executionArn, error: 'E', cause: 'C' });
    const stopped = machine.getResult(executionArn);
    expect(stopped).toEqual({ status: 'ABORTED', error: 'E', cause: 'C' });
    await machine.runtime.clock.advance(120_000);
    expect((await call('StopExecution', { executionArn })).status).toBe(200);
    expect(machine.getResult(executionArn)).toEqual(stopped);
  });
});

describe('GetExecutionHistory', () => {
  it('lists every step', async () => {
    machine = await aMachine(startingWith(aTask()));
    const executionArn = await machine.start({ a: 1 });
    const { body } = await call('GetExecutionHistory', { executionArn });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
    expect(body.events[1]).toMatchObject({
      id: 2,
      previousEventId: 1,
      stateEnteredEventDetails: { name: 'First', input: '{"a":1}' },
    });
    const page = await call('GetExecutionHistory', { executionArn, reverseOrder: true, maxResults: 1 });
    expect(page.body.events[0].type).toBe('ExecutionSucceeded');
    expect(page.body.nextToken).toBeDefined();
  });
});

describe('the SDK against local Step Functions', () => {
  it('starts, describes, lists and stops executions, and returns typed errors', async () => {
    machine = await aMachine(startingWith({ Type: 'Wait', Seconds: 60 }));
    await overHttp(machine.stepFunctions.service, async (endpoint) => {
      const client = new SFNClient({ region: 'eu-west-1', endpoint, credentials });
      const started = await client.send(
        new StartExecutionCommand({ stateMachineArn: machineArn, name: 'n', input: '{}' }),
      );
      expect(started.startDate).toEqual(new Date(machine.runtime.clock.now()));
      const { executionArn } = started;
      expect(await client.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
        status: 'RUNNING',
        input: '{}',
      });
      expect(await client.send(new DescribeStateMachineCommand({ stateMachineArn: machineArn }))).toMatchObject({
        roleArn,
      });
      await client.send(new StopExecutionCommand({ executionArn }));
      const listed = await client.send(
        new ListExecutionsCommand({ stateMachineArn: machineArn, statusFilter: 'ABORTED' }),
      );
      expect(listed.executions).toHaveLength(1);
      expect((await client.send(new GetExecutionHistoryCommand({ executionArn }))).events).toHaveLength(3);
      const start = (input: object) =>
        client.send(new StartExecutionCommand({ stateMachineArn: machineArn, ...input }));
      await expect(start({ name: 'n' })).rejects.toBeInstanceOf(ExecutionAlreadyExists);
      await expect(start({ name: 'a/b' })).rejects.toBeInstanceOf(InvalidName);
      await expect(start({ input: 'x' })).rejects.toBeInstanceOf(InvalidExecutionInput);
      await expect(start({ stateMachineArn: `${machineArn}x` })).rejects.toBeInstanceOf(StateMachineDoesNotExist);
      await expect(
        client.send(new DescribeExecutionCommand({ executionArn: `${executionArn}x` })),
      ).rejects.toBeInstanceOf(ExecutionDoesNotExist);
      client.destroy();
    });
  });
});

describe('AWS::StepFunctions::StateMachine', () => {
  it('lists everything that it does not support', () => {
    const runtime = aTestRuntime();
    const service = createStepFunctions({ ...runtime, callAws: async () => ({}) });
    expect(() =>
      service.load([
        aMachineResource({}, 'a'),
        aMachineResource(startingWith({ Type: 'Pass' }), 'b'),
        aMachineResource('x', 'c'),
      ]),
    ).toThrow(/Machine: States is missing\n- Machine: state First: the type Pass is not supported\n- Machine: /);
    runtime.end();
  });

  it('derives its name from the stack and the logical id', () => {
    const resource = aResource(resourceTypes, 'AWS::StepFunctions::StateMachine', 'Machine', {});
    expect(resource.physicalId).toBe('arn:aws:states:eu-west-1:123456789012:stateMachine:Test-Machine');
    expect(resource.attributes.Name).toBe('Test-Machine');
  });
});
