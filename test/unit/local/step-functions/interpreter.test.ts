import { aMachine, functionArn, type MachineTest, NamedError, oneState, roleArn } from './machine.ts';

let machine: MachineTest;
afterEach(() => machine.end());

async function run(definition: object, input: unknown = {}, functions: Parameters<typeof aMachine>[1] = {}) {
  machine = await aMachine(definition, functions);
  return machine.result(await machine.start(input));
}

describe('Pass', () => {
  it.each([
    [{ Type: 'Pass' }, { a: 1 }, { a: 1 }],
    [{ Type: 'Pass', Result: { b: 2 } }, { a: 1 }, { b: 2 }],
    [{ Type: 'Pass', Result: 2, ResultPath: '$.b' }, { a: 1 }, { a: 1, b: 2 }],
    [{ Type: 'Pass', Result: 2, ResultPath: null }, { a: 1 }, { a: 1 }],
    [{ Type: 'Pass', InputPath: '$.a' }, { a: [1] }, [1]],
    [{ Type: 'Pass', InputPath: null }, { a: 1 }, {}],
    [{ Type: 'Pass', OutputPath: '$.a' }, { a: 'x' }, 'x'],
    [
      { Type: 'Pass', InputPath: '$.a', Parameters: { 'v.$': '$.b', n: 1 }, ResultPath: '$.r' },
      { a: { b: 2 } },
      { a: { b: 2 }, r: { v: 2, n: 1 } },
    ],
    [
      { Type: 'Pass', Parameters: { 'name.$': '$$.State.Name', 'input.$': '$$.Execution.Input.a' } },
      { a: 1 },
      { name: 'Only', input: 1 },
    ],
  ])('%j', async (state, input, output) => {
    expect(await run(oneState(state), input)).toEqual({ status: 'SUCCEEDED', output });
  });

  it('fails the execution when a path finds nothing', async () => {
    const result = await run(oneState({ Type: 'Pass', InputPath: '$.none' }), { a: 1 });
    expect(result).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(result.cause).toContain("while executing the state 'Only' (entered at the event id #2)");
  });
});

describe('Wait', () => {
  it.each([
    [{ Seconds: 10 }, {}, 10_000],
    [{ SecondsPath: '$.s' }, { s: 3 }, 3000],
    [{ Timestamp: '2026-01-01T00:01:00Z' }, {}, 60_000],
    [{ TimestampPath: '$.t' }, { t: '2026-01-01T00:00:02Z' }, 2000],
  ])('%j', async (fields, input, waitMs) => {
    machine = await aMachine(oneState({ Type: 'Wait', ...fields }));
    const arn = await machine.start(input);
    await machine.ground.clock.advance(waitMs - 1);
    expect(machine.result(arn).status).toBe('RUNNING');
    await machine.ground.clock.advance(1);
    expect(machine.result(arn)).toEqual({ status: 'SUCCEEDED', output: input });
  });

  it('does not wait for a time that has passed', async () => {
    expect(await run(oneState({ Type: 'Wait', Timestamp: '2020-01-01T00:00:00Z' }))).toMatchObject({
      status: 'SUCCEEDED',
    });
  });
});

describe('Choice', () => {
  const definition = {
    StartAt: 'Choose',
    States: {
      Choose: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.n', NumericLessThan: 5, Next: 'Small' },
          { Variable: '$.n', NumericLessThan: 10, Next: 'Medium' },
        ],
      },
      Small: { Type: 'Pass', Result: 'small', End: true },
      Medium: { Type: 'Pass', Result: 'medium', End: true },
    },
  };

  it('takes the first rule that holds', async () => {
    expect(await run(definition, { n: 1 })).toMatchObject({ output: 'small' });
    expect(machine.result(await machine.start({ n: 7 }))).toMatchObject({ output: 'medium' });
  });

  it('fails when no rule holds and there is no default', async () => {
    expect(await run(definition, { n: 70 })).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });
});

describe('Task', () => {
  const task = (more: object = {}) => oneState({ Type: 'Task', Resource: functionArn('f'), ...more });

  it('invokes a function as the role of the machine', async () => {
    const result = await run(task({ ResultPath: '$.doubled' }), { n: 2 }, { f: ({ n }: { n: number }) => n * 2 });
    expect(result).toEqual({ status: 'SUCCEEDED', output: { n: 2, doubled: 4 } });
    expect(machine.invoked).toMatchObject([{ payload: { n: 2 }, caller: { roleArn, name: 'machine' } }]);
  });

  it('invokes through lambda:invoke with Parameters and ResultSelector', async () => {
    const definition = oneState({
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'f', 'Payload.$': '$.inner' },
      ResultSelector: { 'answer.$': '$.Payload.ok', 'status.$': '$.StatusCode' },
    });
    const result = await run(definition, { inner: { a: 1 } }, { f: () => ({ ok: true }) });
    expect(result).toEqual({ status: 'SUCCEEDED', output: { answer: true, status: 200 } });
    expect(machine.invoked[0]!.payload).toEqual({ a: 1 });
  });

  it('fails with the name of the error that the function threw', async () => {
    const f = () => {
      throw new NamedError('CustomError', 'broken');
    };
    expect(await run(task(), {}, { f })).toEqual({
      status: 'FAILED',
      error: 'CustomError',
      cause: '{"errorType":"CustomError","errorMessage":"broken"}',
    });
  });

  it('names a call that Lambda refused after the service', async () => {
    expect(await run(task())).toMatchObject({ status: 'FAILED', error: 'Lambda.ResourceNotFoundException' });
  });

  it('retries with growing delays, then catches', async () => {
    const definition = task({
      Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 30, BackoffRate: 4, MaxAttempts: 2 }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.problem', Next: 'Caught' }],
    });
    const f = () => {
      throw new NamedError('Busy');
    };
    machine = await aMachine(
      { ...definition, States: { ...definition.States, Caught: { Type: 'Pass', End: true } } },
      { f },
    );
    const arn = await machine.start({ id: 7 });
    await machine.ground.clock.advance(3_600_000);
    const [first] = machine.invoked;
    expect(machine.invoked.map(({ atMs }) => atMs - first!.atMs)).toEqual([0, 30_000, 150_000]);
    expect(machine.result(arn)).toMatchObject({ status: 'SUCCEEDED', output: { id: 7, problem: { Error: 'Busy' } } });
  });

  it('times out on the clock, and ignores the late answer', async () => {
    let answer: (value: unknown) => void = () => {};
    const definition = task({ TimeoutSeconds: 5, Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Late' }] });
    machine = await aMachine(
      { ...definition, States: { ...definition.States, Late: { Type: 'Pass', Result: 'late', End: true } } },
      { f: () => new Promise((resolve) => (answer = resolve)) },
    );
    const { clock } = machine.ground;
    const arn = await machine.parts.startExecution('arn:aws:states:eu-west-1:123456789012:stateMachine:machine', '{}');
    // The task is under way, so the clock cannot be moved past it: only its timer is played.
    await new Promise((resolve) => setImmediate(resolve));
    clock.offset[0] = clock.offset[0]! + 5000;
    clock.after(0, () => {});
    await clock.idle();
    expect(machine.result(arn)).toEqual({ status: 'SUCCEEDED', output: 'late' });
    answer('too late');
    await clock.idle();
    expect(machine.result(arn)).toEqual({ status: 'SUCCEEDED', output: 'late' });
  });

  it('calls services, with text where the service wants text, as the role of the machine', async () => {
    const send = oneState({
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage',
      Parameters: { QueueUrl: 'q', MessageBody: { 'id.$': '$.id' } },
    });
    await run(send, { id: 7 }, { 'sqs:SendMessage': () => ({ MessageId: 'm' }) });
    expect(machine.called).toEqual([
      {
        service: 'sqs',
        operation: 'SendMessage',
        input: { QueueUrl: 'q', MessageBody: '{"id":7}' },
        caller: { roleArn, name: 'machine' },
      },
    ]);
  });

  it('writes Step Functions fields in PascalCase', async () => {
    const nested = oneState({
      Type: 'Task',
      Resource: 'arn:aws:states:::states:startExecution',
      Parameters: { StateMachineArn: 'other', Input: { a: 1 } },
    });
    const result = await run(nested, {}, { 'states:StartExecution': () => ({ executionArn: 'e' }) });
    expect(machine.called[0]).toMatchObject({
      service: 'states',
      input: { stateMachineArn: 'other', input: '{"a":1}' },
    });
    expect(result.output).toEqual({ ExecutionArn: 'e' });
  });

  it('refuses more than 256 KiB of data', async () => {
    expect(await run(task(), {}, { f: () => 'x'.repeat(262_145) })).toMatchObject({
      error: 'States.DataLimitExceeded',
    });
  });
});

describe('Parallel', () => {
  const branch = (name: string, more: object = {}) => ({
    StartAt: name,
    States: { [name]: { Type: 'Task', Resource: functionArn(name), End: true, ...more } },
  });

  it('runs its branches and gathers their results in order', async () => {
    const definition = oneState({ Type: 'Parallel', Branches: [branch('a'), branch('b')], ResultPath: '$.both' });
    const result = await run(definition, { n: 1 }, { a: () => 'A', b: () => 'B' });
    expect(result).toEqual({ status: 'SUCCEEDED', output: { n: 1, both: ['A', 'B'] } });
  });

  it('fails with the first branch that fails, and retries as a whole', async () => {
    let calls = 0;
    const flaky = () => {
      if (++calls < 3) throw new NamedError('Flaky');
      return 'B';
    };
    const definition = oneState({
      Type: 'Parallel',
      Branches: [{ StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 60, End: true } } }, branch('b')],
      Retry: [{ ErrorEquals: ['Flaky'], IntervalSeconds: 1, BackoffRate: 1 }],
    });
    machine = await aMachine(definition, { b: flaky });
    const arn = await machine.start({ n: 1 });
    await machine.ground.clock.advance(61_000);
    expect(machine.result(arn).status).toBe('RUNNING');
    await machine.ground.clock.advance(1000);
    expect(machine.result(arn)).toEqual({ status: 'SUCCEEDED', output: [{ n: 1 }, 'B'] });
  });

  it('hands a failure in a branch to its Catch', async () => {
    const definition = {
      StartAt: 'Both',
      States: {
        Both: {
          Type: 'Parallel',
          Branches: [branch('a'), { StartAt: 'No', States: { No: { Type: 'Fail', Error: 'Nope', Cause: 'because' } } }],
          Catch: [{ ErrorEquals: ['Nope'], Next: 'After' }],
          End: true,
        },
        After: { Type: 'Pass', End: true },
      },
    };
    expect(await run(definition, {}, { a: () => 1 })).toEqual({
      status: 'SUCCEEDED',
      output: { Error: 'Nope', Cause: 'because' },
    });
  });
});

describe('Map', () => {
  const definition = (more: object = {}) =>
    oneState({
      Type: 'Map',
      ItemsPath: '$.items',
      ItemProcessor: {
        StartAt: 'Each',
        States: { Each: { Type: 'Task', Resource: functionArn('each'), End: true } },
      },
      ...more,
    });

  it('runs the processor for each item and keeps their order', async () => {
    const result = await run(definition({ ResultPath: '$.out' }), { items: [1, 2, 3] }, { each: (n: number) => n * n });
    expect(result).toEqual({ status: 'SUCCEEDED', output: { items: [1, 2, 3], out: [1, 4, 9] } });
  });

  it('shapes items with ItemSelector', async () => {
    const selector = { 'i.$': '$$.Map.Item.Index', 'v.$': '$$.Map.Item.Value.n', 'all.$': '$.label' };
    const result = await run(
      definition({ ItemSelector: selector }),
      { label: 'L', items: [{ n: 5 }] },
      { each: (x: unknown) => x },
    );
    expect(result.output).toEqual([{ i: 0, v: 5, all: 'L' }]);
  });

  it('never runs more than MaxConcurrency items at once', async () => {
    let now = 0;
    let most = 0;
    const each = async (n: number) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return n;
    };
    const items = Array.from({ length: 20 }, (_, index) => index);
    expect((await run(definition({ MaxConcurrency: 3 }), { items }, { each })).output).toEqual(items);
    expect(most).toBe(3);
  });

  it('gives an empty list for no items', async () => {
    expect((await run(definition(), { items: [] })).output).toEqual([]);
  });

  it('fails when the items are not a list', async () => {
    expect(await run(definition(), { items: 3 })).toMatchObject({ error: 'States.Runtime' });
  });

  it('shows the item in states nested further down', async () => {
    const inner = {
      StartAt: 'P',
      States: {
        P: {
          Type: 'Parallel',
          Branches: [
            { StartAt: 'Q', States: { Q: { Type: 'Pass', Parameters: { 'i.$': '$$.Map.Item.Index' }, End: true } } },
          ],
          End: true,
        },
      },
    };
    expect((await run(oneState({ Type: 'Map', Iterator: inner }), ['a', 'b'])).output).toEqual([
      [{ i: 0 }],
      [{ i: 1 }],
    ]);
  });
});

describe('Fail and Succeed', () => {
  it('fails with what the paths and functions give', async () => {
    const definition = oneState({
      Type: 'Fail',
      ErrorPath: '$.name',
      CausePath: "States.Format('{} failed', $.what)",
      End: undefined,
    });
    expect(await run(definition, { name: 'E1', what: 'it' })).toEqual({
      status: 'FAILED',
      error: 'E1',
      cause: 'it failed',
    });
  });

  it('succeeds at once', async () => {
    expect(await run(oneState({ Type: 'Succeed', OutputPath: '$.a', End: undefined }), { a: 1 })).toEqual({
      status: 'SUCCEEDED',
      output: 1,
    });
  });
});

describe('a machine', () => {
  it('ends as timed out after its TimeoutSeconds', async () => {
    machine = await aMachine({ ...oneState({ Type: 'Wait', Seconds: 600 }), TimeoutSeconds: 60 });
    const arn = await machine.start();
    await machine.ground.clock.advance(60_000);
    expect(machine.result(arn)).toEqual({ status: 'TIMED_OUT', error: 'States.Timeout' });
    await machine.ground.clock.advance(600_000);
    expect(machine.result(arn).status).toBe('TIMED_OUT');
  });

  it('ends when its history is full', async () => {
    const definition = { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } } };
    expect(await run(definition)).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });
});
