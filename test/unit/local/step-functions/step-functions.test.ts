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
import { aGround, aResource, credentials, environment, overHttp, request } from '../sqs/ground.ts';
import { aMachine, functionArn, type MachineTest, machineArn, NamedError, oneState, roleArn } from './machine.ts';

let machine: MachineTest;
afterEach(() => machine?.end());

const call = (operation: string, input: object) =>
  request(machine.parts.service, `AWSStepFunctions.${operation}`, input);

describe('StartExecution', () => {
  const waiting = oneState({ Type: 'Wait', Seconds: 60 });

  it('is the same execution for the same name and input while it runs', async () => {
    machine = await aMachine(waiting);
    const [first, second] = await Promise.all([machine.start({ a: 1 }, 'one'), machine.start({ a: 1 }, 'one')]);
    expect(second).toBe(first);
    const { body } = await call('ListExecutions', { stateMachineArn: machineArn });
    expect(body.executions).toHaveLength(1);
  });

  it('refuses the name for another input, and after the end for 90 days', async () => {
    machine = await aMachine(waiting);
    await machine.start({ a: 1 }, 'one');
    await expect(machine.start({ a: 2 }, 'one')).rejects.toMatchObject({ code: 'ExecutionAlreadyExists' });
    await machine.ground.clock.advance(60_000);
    await expect(machine.start({ a: 1 }, 'one')).rejects.toMatchObject({ code: 'ExecutionAlreadyExists' });
    await machine.ground.clock.advance(90 * 86_400_000);
    expect(machine.result(await machine.start({ a: 1 }, 'one')).status).toBe('RUNNING');
  });

  it.each([
    [{ stateMachineArn: machineArn, name: 'a b' }, 'InvalidName'],
    [{ stateMachineArn: machineArn, name: 'x'.repeat(81) }, 'InvalidName'],
    [{ stateMachineArn: machineArn, input: '{' }, 'InvalidExecutionInput'],
    [{ stateMachineArn: `${machineArn}x` }, 'StateMachineDoesNotExist'],
    [{ stateMachineArn: 'machine' }, 'InvalidArn'],
  ])('refuses %j', async (input, code) => {
    machine = await aMachine(waiting);
    const { status, body } = await call('StartExecution', input);
    expect([status, body.__type]).toEqual([400, code]);
  });

  it('asks for permission on the machine, and on the execution to describe it', async () => {
    machine = await aMachine(waiting);
    const asked: unknown[] = [];
    const executionArn = await machine.start({}, 'one');
    await machine.parts.service.call('StartExecution', { stateMachineArn: machineArn }, (accesses) =>
      asked.push(...accesses),
    );
    await machine.parts.service.call('DescribeExecution', { executionArn }, (accesses) => asked.push(...accesses));
    expect(asked).toEqual([
      { action: 'states:StartExecution', resource: machineArn },
      { action: 'states:DescribeExecution', resource: executionArn },
    ]);
    expect(executionArn).toBe('arn:aws:states:eu-west-1:123456789012:execution:machine:one');
  });
});

describe('after the death of the process', () => {
  it('a wait goes on where it was', async () => {
    const definition = oneState({ Type: 'Wait', Seconds: 1800 });
    machine = await aMachine(definition);
    const arn = await machine.start({ a: 1 });
    await machine.ground.clock.advance(1_000_000);
    machine = await aMachine(definition, {}, machine.ground.afterCrash());
    await machine.ground.clock.advance(799_999);
    expect(machine.result(arn).status).toBe('RUNNING');
    await machine.ground.clock.advance(1);
    expect(machine.result(arn)).toEqual({ status: 'SUCCEEDED', output: { a: 1 } });
  });

  it('a wait that ended meanwhile ends at once', async () => {
    const definition = oneState({ Type: 'Wait', Seconds: 60 });
    machine = await aMachine(definition);
    const arn = await machine.start();
    machine = await aMachine(definition, {}, machine.ground.afterCrash(3_600_000));
    await machine.ground.clock.idle();
    expect(machine.result(arn).status).toBe('SUCCEEDED');
  });

  it('a task that was in flight runs again', async () => {
    const definition = oneState({ Type: 'Task', Resource: functionArn('f') });
    machine = await aMachine(definition, { f: () => new Promise(() => {}) });
    const arn = await machine.parts.startExecution(machineArn, '{}');
    await new Promise((resolve) => setImmediate(resolve));
    expect(machine.invoked).toHaveLength(1);
    machine = await aMachine(definition, { f: () => 'again' }, machine.ground.afterCrash());
    await machine.ground.clock.idle();
    expect(machine.result(arn)).toEqual({ status: 'SUCCEEDED', output: 'again' });
  });

  it('retries are counted on', async () => {
    const fail = () => {
      throw new NamedError('No');
    };
    const definition = oneState({
      Type: 'Task',
      Resource: functionArn('f'),
      Retry: [{ ErrorEquals: ['No'], IntervalSeconds: 10, BackoffRate: 1, MaxAttempts: 3 }],
    });
    machine = await aMachine(definition, { f: fail });
    const arn = await machine.start();
    await machine.ground.clock.advance(10_000);
    expect(machine.invoked).toHaveLength(2);
    machine = await aMachine(definition, { f: fail }, machine.ground.afterCrash());
    await machine.ground.clock.advance(60_000);
    expect(machine.invoked).toHaveLength(2);
    expect(machine.result(arn)).toMatchObject({ status: 'FAILED', error: 'No' });
  });

  it('a Map goes on with the items that were not done', async () => {
    const definition = oneState({
      Type: 'Map',
      MaxConcurrency: 1,
      ItemProcessor: {
        StartAt: 'Work',
        States: {
          Work: { Type: 'Task', Resource: functionArn('f'), Next: 'Rest' },
          Rest: { Type: 'Wait', Seconds: 10, End: true },
        },
      },
    });
    const f = (n: number) => n * 2;
    machine = await aMachine(definition, { f });
    const arn = await machine.start([1, 2, 3]);
    await machine.ground.clock.advance(10_000);
    expect(machine.invoked.map(({ payload }) => payload)).toEqual([1, 2]);
    machine = await aMachine(definition, { f }, machine.ground.afterCrash());
    await machine.ground.clock.advance(20_000);
    expect(machine.invoked.map(({ payload }) => payload)).toEqual([3]);
    expect(machine.result(arn)).toEqual({ status: 'SUCCEEDED', output: [2, 4, 6] });
  });

  it('an execution keeps the definition it was started with', async () => {
    const before = {
      StartAt: 'W',
      States: { W: { Type: 'Wait', Seconds: 10, Next: 'P' }, P: { Type: 'Pass', Result: 'old', End: true } },
    };
    const after = oneState({ Type: 'Pass', Result: 'new' });
    machine = await aMachine(before);
    const old = await machine.start();
    machine = await aMachine(after, {}, machine.ground.afterCrash());
    await machine.ground.clock.advance(10_000);
    expect(machine.result(old).output).toBe('old');
    expect(machine.result(await machine.start()).output).toBe('new');
  });
});

describe('StopExecution', () => {
  it('aborts a wait, and a second stop changes nothing', async () => {
    machine = await aMachine(oneState({ Type: 'Wait', Seconds: 60 }));
    const executionArn = await machine.start();
    await call('StopExecution', { executionArn, error: 'E', cause: 'C' });
    const stopped = machine.result(executionArn);
    expect(stopped).toEqual({ status: 'ABORTED', error: 'E', cause: 'C' });
    await machine.ground.clock.advance(120_000);
    expect((await call('StopExecution', { executionArn })).status).toBe(200);
    expect(machine.result(executionArn)).toEqual(stopped);
  });
});

describe('GetExecutionHistory', () => {
  it('tells what happened, step by step', async () => {
    machine = await aMachine(oneState({ Type: 'Task', Resource: functionArn('f') }), { f: () => 1 });
    const executionArn = await machine.start({ a: 1 });
    const { body } = await call('GetExecutionHistory', { executionArn });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'LambdaFunctionScheduled',
      'LambdaFunctionStarted',
      'LambdaFunctionSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
    expect(body.events[1]).toMatchObject({
      id: 2,
      previousEventId: 1,
      stateEnteredEventDetails: { name: 'Only', input: '{"a":1}' },
    });
    const page = await call('GetExecutionHistory', { executionArn, reverseOrder: true, maxResults: 1 });
    expect(page.body.events[0].type).toBe('ExecutionSucceeded');
    expect(page.body.nextToken).toBeDefined();
  });
});

describe('the SDK against local Step Functions', () => {
  it('starts, describes, lists and stops, with typed errors', async () => {
    machine = await aMachine(oneState({ Type: 'Wait', Seconds: 60 }));
    await overHttp(machine.parts.service, async (endpoint) => {
      const client = new SFNClient({ region: 'eu-west-1', endpoint, credentials });
      const started = await client.send(
        new StartExecutionCommand({ stateMachineArn: machineArn, name: 'n', input: '{}' }),
      );
      expect(started.startDate).toEqual(new Date(machine.ground.clock.now()));
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
  const type = 'AWS::StepFunctions::StateMachine';

  it('refuses, with a list, what it cannot run', () => {
    const ground = aGround();
    const parts = createStepFunctions({
      ...ground,
      invoke: async () => ({ payload: null }),
      callAws: async () => ({}),
    });
    expect(() =>
      parts.load([
        aResource(resourceTypes, type, 'A', { DefinitionString: '{}' }),
        aResource(resourceTypes, type, 'B', { StateMachineType: 'EXPRESS', Definition: oneState({ Type: 'Pass' }) }),
        aResource(resourceTypes, type, 'C', { DefinitionString: 'x' }),
      ]),
    ).toThrow(/A: States is missing\n- B: the type EXPRESS is not supported\n- C: /);
    ground.end();
  });

  it('replaces DefinitionSubstitutions and refers to its ARN', async () => {
    const ground = aGround();
    const parts = createStepFunctions({
      ...ground,
      invoke: async () => ({ payload: null }),
      callAws: async () => ({}),
    });
    const resource = aResource(resourceTypes, type, 'Machine', {
      DefinitionString: JSON.stringify(oneState({ Type: 'Task', Resource: `$\{Function}` })),
      DefinitionSubstitutions: { Function: functionArn('f') },
    });
    expect(resource.physicalId).toBe('arn:aws:states:eu-west-1:123456789012:stateMachine:Test-Machine');
    parts.load([resource]);
    const { body } = await request(parts.service, 'AWSStepFunctions.DescribeStateMachine', {
      stateMachineArn: resource.physicalId,
    });
    expect(JSON.parse(body.definition).States.Only.Resource).toBe(functionArn('f'));
    expect(resourceTypes[type]!.attributes!('Machine', {}, environment).Name).toBe('Test-Machine');
    ground.end();
  });
});
