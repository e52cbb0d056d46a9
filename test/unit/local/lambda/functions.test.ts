import { mkdtempSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFunctionAccessKeyId } from '../../../../local/aws/access-keys.ts';
import { AwsError } from '../../../../local/aws/error.ts';
import type { Access, AwsHttpRequest } from '../../../../local/aws/service.ts';
import { Clock } from '../../../../local/clock/clock.ts';
import { AsyncInvocations } from '../../../../local/lambda/async-invocations.ts';
import { parseFunctionReference } from '../../../../local/lambda/function-definition.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import fc from '../../../support/properties.ts';
import {
  aFunction,
  aResource,
  aStage,
  environment,
  type LogEntry,
  recordingLog,
  type Stage,
} from './function-fixture.ts';

describe('functions', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  it('returns the result of the handler', async () => {
    stage = await aStage([aFunction('Echo', 'exports.handler = async (event) => ({ got: event })')]);
    expect(await stage.functions.invoke('shop-Echo', { a: [1, 'ü'] })).toEqual({ payload: { got: { a: [1, 'ü'] } } });
  });

  it('finds a function by name, ARN and integration path', async () => {
    stage = await aStage([aFunction('Echo', 'exports.handler = async (event) => event')]);
    const arn = 'arn:aws:lambda:eu-west-1:123456789012:function:shop-Echo';
    const names = [
      'shop-Echo',
      arn,
      `${arn}:$LATEST`,
      '123456789012:function:shop-Echo',
      `arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/${arn}/invocations`,
    ];
    for (const name of names) expect((await stage.functions.invoke(name, 7)).payload).toBe(7);
  });

  it('rejects an unknown function or qualifier', async () => {
    stage = await aStage([aFunction('Echo', 'exports.handler = async (event) => event')]);
    await expect(stage.functions.invoke('shop-Other', {})).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
    await expect(stage.functions.invoke('shop-Echo:7', {})).rejects.toMatchObject({ status: 404 });
  });

  it('invokes versions and aliases', async () => {
    const version = aResource('AWS::Lambda::Version', 'V', { FunctionName: 'shop-Echo' });
    const alias = aResource('AWS::Lambda::Alias', 'A', {
      FunctionName: 'shop-Echo',
      Name: 'live',
      FunctionVersion: '1',
    });
    const echo = aFunction('Echo', 'exports.handler = async (event, context) => context.invokedFunctionArn');
    stage = await aStage([version, alias, echo]);
    for (const { physicalId } of [version, alias])
      expect((await stage.functions.invoke(physicalId, 1)).payload).toBe(physicalId);
  });

  it("passes Lambda's context to the handler", async () => {
    const code = `exports.handler = async (event, context) =>
      ({ ...context, remaining: context.getRemainingTimeInMillis() })`;
    stage = await aStage([aFunction('Context', code, { MemorySize: 256, Timeout: 7 })]);
    const { payload } = await stage.functions.invoke('shop-Context', {}, { requestId: 'r-1' });
    const { remaining, ...context } = payload as Record<string, unknown>;
    expect(context).toEqual({
      callbackWaitsForEmptyEventLoop: true,
      functionName: 'shop-Context',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:shop-Context',
      memoryLimitInMB: '256',
      awsRequestId: 'r-1',
      logGroupName: '/aws/lambda/shop-Context',
      logStreamName: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
    });
    expect(remaining).toBeGreaterThan(6000);
    expect(remaining).toBeLessThanOrEqual(7000);
  });

  it('shows the function the template’s variables and Lambda’s own, and nothing of this process', async () => {
    process.env.SOMETHING_OF_THE_MACHINE = 'x';
    const code = 'exports.handler = async () => ({ ...process.env })';
    stage = await aStage([aFunction('Env', code, { Environment: { Variables: { TABLE: 'records', COUNT: 3 } } })]);
    const { payload } = await stage.functions.invoke('shop-Env', {});
    delete process.env.SOMETHING_OF_THE_MACHINE;
    expect(payload).toEqual({
      TABLE: 'records',
      COUNT: '3',
      AWS_ENDPOINT_URL: environment.awsUrl,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      TZ: ':UTC',
      LANG: 'en_US.UTF-8',
      _HANDLER: 'index.handler',
      _X_AMZN_TRACE_ID: expect.stringContaining('Sampled=0'),
      AWS_REGION: 'eu-west-1',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x',
      AWS_LAMBDA_FUNCTION_NAME: 'shop-Env',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/shop-Env',
      AWS_LAMBDA_LOG_STREAM_NAME: expect.any(String),
      LAMBDA_TASK_ROOT: expect.any(String),
      AWS_ACCESS_KEY_ID: expect.stringMatching(/^[A-Z0-9]{16,128}$/),
      AWS_SECRET_ACCESS_KEY: expect.any(String),
      AWS_SESSION_TOKEN: expect.any(String),
    });
  });

  it('finds the role of an access key', async () => {
    stage = await aStage([aFunction('Key', 'exports.handler = async () => process.env.AWS_ACCESS_KEY_ID')]);
    const { payload } = await stage.functions.invoke('shop-Key', {});
    expect(stage.functions.identify(payload as string)?.caller).toEqual({
      roleArn: 'arn:aws:iam::123456789012:role/Key-role',
      name: 'shop-Key',
    });
    expect(stage.functions.identify('AKIAIOSFODNN7EXAMPLE')).toBeUndefined();
  });

  it('moves the function’s Date with the clock', async () => {
    stage = await aStage([aFunction('Now', 'exports.handler = async () => [Date.now(), new Date().getTime()]')]);
    const before = (await stage.functions.invoke('shop-Now', {})).payload as number[];
    await stage.clock.advance(3_600_000);
    const after = (await stage.functions.invoke('shop-Now', {})).payload as number[];
    for (const place of [0, 1]) {
      expect(after[place]! - before[place]!).toBeGreaterThanOrEqual(3_600_000);
      expect(after[place]! - before[place]!).toBeLessThan(3_660_000);
    }
  });

  it('delays a move of the clock until a running call ends', async () => {
    const code =
      'exports.handler = async () => { await new Promise((done) => setTimeout(done, 50)); return Date.now(); }';
    stage = await aStage([aFunction('Slow', code)]);
    const startedMs = stage.clock.now();
    const call = stage.functions.invoke('shop-Slow', {});
    await stage.clock.advance(86_400_000);
    expect((await call).payload).toBeLessThan(startedMs + 3_600_000);
  });

  it('shares one worker start among parallel first calls', async () => {
    const code = 'const id = Math.random(); exports.handler = async () => id';
    stage = await aStage([aFunction('Once', code)]);
    const calls = await Promise.all(Array.from({ length: 8 }, () => stage.functions.invoke('shop-Once', {})));
    expect(new Set(calls.map(({ payload }) => payload)).size).toBe(1);
    expect(stage.functions.warmCount()).toBe(1);
  });

  it('spreads parallel calls over several workers if configured', async () => {
    const code = 'const id = Math.random(); exports.handler = async () => id';
    stage = await aStage([aFunction('Many', code)], { workersPerFunction: 3, sharedWorkers: 0 });
    const calls = await Promise.all(Array.from({ length: 8 }, () => stage.functions.invoke('shop-Many', {})));
    expect(new Set(calls.map(({ payload }) => payload)).size).toBe(3);
  });

  it('interleaves calls that wait in one worker', async () => {
    const code = `let waiting = []; exports.handler = (event) => new Promise((done) => {
      waiting.push(() => done(event));
      if (waiting.length === 3) waiting.forEach((answer) => answer());
    })`;
    stage = await aStage([aFunction('Meet', code)]);
    const calls = await Promise.all([1, 2, 3].map((n) => stage.functions.invoke('shop-Meet', n)));
    expect(calls.map(({ payload }) => payload)).toEqual([1, 2, 3]);
  });

  it('ends the least recently used idle worker beyond the limit', async () => {
    const code = 'const id = Math.random(); exports.handler = async () => id';
    stage = await aStage(
      ['A', 'B', 'C'].map((name) => aFunction(name, code)),
      { maxWarm: 2, sharedWorkers: 0 },
    );
    const call = async (name: string) => (await stage.functions.invoke(`shop-${name}`, {})).payload;
    const [a, b] = [await call('A'), await call('B')];
    expect(await call('A')).toBe(a);
    await call('C');
    expect(stage.functions.warmCount()).toBe(2);
    expect(await call('A')).toBe(a);
    expect(await call('B')).not.toBe(b);
  });

  it('keeps busy workers beyond the limit until they are idle', async () => {
    const code = 'exports.handler = () => new Promise((done) => setTimeout(() => done(process.threadId), 60))';
    stage = await aStage(
      ['A', 'B', 'C'].map((name) => aFunction(name, code)),
      { maxWarm: 1, sharedWorkers: 0 },
    );
    const calls = ['A', 'B', 'C'].map((name) => stage.functions.invoke(`shop-${name}`, {}));
    expect(stage.functions.warmCount()).toBe(3);
    for (const { functionError } of await Promise.all(calls)) expect(functionError).toBeUndefined();
    expect(stage.functions.warmCount()).toBe(1);
  });

  it('rejects a request above 6 MB', async () => {
    stage = await aStage([aFunction('Echo', 'exports.handler = async (event) => event.length')]);
    const { functions } = stage;
    expect((await functions.invoke('shop-Echo', 'x'.repeat(6_000_000))).payload).toBe(6_000_000);
    await expect(functions.invoke('shop-Echo', 'x'.repeat(6_300_000))).rejects.toMatchObject({ status: 413 });
  });
});

const functionName = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

describe('toFunctionAccessKeyId', () => {
  it('creates a key in the format of AWS keys', () => {
    fc.assert(fc.property(functionName, (name) => /^LOCAL[A-Z0-9]{11,123}$/.test(toFunctionAccessKeyId(name))));
  });

  it('creates different keys for different names', () => {
    fc.assert(
      fc.property(
        functionName,
        functionName,
        (a, b) => a === b || toFunctionAccessKeyId(a) !== toFunctionAccessKeyId(b),
      ),
    );
  });
});

describe('parseFunctionReference', () => {
  it('parses every format in which AWS names a function', () => {
    fc.assert(
      fc.property(functionName, (name) => {
        const arn = `arn:aws:lambda:eu-west-1:123456789012:function:${name}`;
        for (const text of [name, arn, `123456789012:function:${name}`, `x/functions/${arn}/invocations`])
          expect(parseFunctionReference(text)).toEqual({ name, qualifier: undefined });
        expect(parseFunctionReference(`${arn}:live`)).toEqual({ name, qualifier: 'live' });
        expect(parseFunctionReference(`${name}:$LATEST`)).toEqual({ name, qualifier: '$LATEST' });
      }),
    );
  });

  it('rejects everything else', () => {
    for (const text of ['', 'arn:aws:sqs:eu-west-1:123456789012:queue', 'a b', 'arn:aws:lambda:eu-west-1:1:function:x'])
      expect(parseFunctionReference(text)).toBeUndefined();
  });
});

const failing = `exports.handler = async (event, context) => { console.log(context.awsRequestId); throw new Error('no'); }`;
const calls = (logged: readonly LogEntry[]) => logged.filter(({ level }) => level === 'info');

describe('asynchronous invocations', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  it('retry after one minute and two more with the same request id, then drop the event', async () => {
    stage = await aStage([aFunction('F', failing)]);
    await stage.functions.invokeEvent('shop-F', {});
    await stage.clock.waitUntilIdle();
    expect(calls(stage.logged)).toHaveLength(1);
    await stage.clock.advance(59_000);
    expect(calls(stage.logged)).toHaveLength(1);
    await stage.clock.advance(2_000);
    expect(calls(stage.logged)).toHaveLength(2);
    await stage.clock.advance(121_000);
    expect(new Set(calls(stage.logged).map(({ message }) => message)).size).toBe(1);
    expect(calls(stage.logged)).toHaveLength(3);
    expect(stage.logged.at(-1)).toMatchObject({
      level: 'error',
      message: 'Dropped an asynchronous event',
      attempts: 3,
    });
    await stage.clock.advance(86_400_000);
    expect(calls(stage.logged)).toHaveLength(3);
  });

  it('reject an unknown function immediately', async () => {
    stage = await aStage([]);
    await expect(stage.functions.invokeEvent('shop-F', {})).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    });
  });

  it('survive a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lambda-events-'));
    const storage = new Storage(folder);
    const clock = new Clock();
    const invoke = () => new Promise<never>(() => {});
    const before = new AsyncInvocations({ clock, storage, log: recordingLog([]), invoke });
    before.start();
    await before.accept('shop-F', '"kept"');
    storage.close();
    stage = await aStage([aFunction('F', 'exports.handler = async (event) => console.log(event)')], { folder });
    await stage.clock.advance(1);
    expect(stage.logged).toMatchObject([{ message: 'kept' }]);
    expect(stage.storage.prepare('SELECT id FROM lambda_events').all()).toEqual([]);
  });
});

const arn = 'arn:aws:lambda:eu-west-1:123456789012:function:shop-F';
const code = `exports.handler = async (event) => {
  if (event.fail) throw new Error('refused'); console.log('seen', event.n); return { n: event.n }; }`;

function aRequest(body: unknown, headers: Record<string, string> = {}, name = 'shop-F'): AwsHttpRequest {
  return {
    method: 'POST',
    path: `/2015-03-31/functions/${encodeURIComponent(name)}/invocations`,
    query: new URLSearchParams(),
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

describe('the Lambda API', () => {
  let stage: Stage;
  const asked: Access[] = [];
  const authorize = (accesses: readonly Access[]) => void asked.push(...accesses);

  beforeEach(async () => {
    asked.length = 0;
    stage = await aStage([aFunction('F', code)]);
  });
  afterEach(() => stage.close());

  it('invokes a function after authorizing lambda:InvokeFunction', async () => {
    const response = await stage.functions.service.handle(aRequest({ n: 1 }, {}, arn), authorize);
    expect(response).toMatchObject({ status: 200, body: '{"n":1}', headers: { 'x-amz-executed-version': '$LATEST' } });
    expect(asked).toEqual([{ action: 'lambda:InvokeFunction', resource: arn }]);
  });

  it('does not run the function when access is denied', async () => {
    const refuse = () => {
      throw new AwsError('AccessDeniedException', 'not authorized', { status: 403 });
    };
    const response = await stage.functions.service.handle(aRequest({ n: 1 }), refuse);
    expect(response).toMatchObject({ status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } });
    expect(stage.logged).toEqual([]);
  });

  it('marks a function error in the header', async () => {
    const response = await stage.functions.service.handle(aRequest({ fail: true }), authorize);
    expect(response).toMatchObject({ status: 200, headers: { 'x-amz-function-error': 'Unhandled' } });
    expect(JSON.parse(String(response.body))).toMatchObject({ errorMessage: 'refused' });
  });

  it('returns the log tail on request', async () => {
    const response = await stage.functions.service.handle(aRequest({ n: 2 }, { 'x-amz-log-type': 'Tail' }), authorize);
    expect(Buffer.from(response.headers['x-amz-log-result']!, 'base64').toString()).toBe('seen 2');
  });

  it('accepts a dry run without running the function', async () => {
    const response = await stage.functions.service.handle(
      aRequest({}, { 'x-amz-invocation-type': 'DryRun' }),
      authorize,
    );
    expect(response.status).toBe(204);
    expect(stage.functions.warmCount()).toBe(0);
  });

  it('accepts an event and runs it', async () => {
    const request = aRequest({ n: 3 }, { 'x-amz-invocation-type': 'Event' });
    expect(await stage.functions.service.handle(request, authorize)).toMatchObject({ status: 202, body: '' });
    await stage.clock.waitUntilIdle();
    expect(stage.logged).toMatchObject([{ message: 'seen 3' }]);
  });

  it('rejects an unknown function, a body that is not JSON, and any other operation', async () => {
    const { service } = stage.functions;
    expect(await service.handle(aRequest({}, {}, 'nobody'), authorize)).toMatchObject({
      status: 404,
      headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
    });
    expect(await service.handle(aRequest('{'), authorize)).toMatchObject({ status: 400 });
    expect(await service.handle({ ...aRequest({}), path: '/2015-03-31/functions/' }, authorize)).toMatchObject({
      headers: { 'x-amzn-errortype': 'UnknownOperationException' },
    });
  });

  it('supports the same call in-process', async () => {
    const { service } = stage.functions;
    expect(await service.call('invoke', { FunctionName: arn, Payload: { n: 4 } }, authorize)).toEqual({
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      Payload: { n: 4 },
    });
    expect(await service.call('invoke', { FunctionName: arn, Payload: { fail: 1 } }, authorize)).toMatchObject({
      FunctionError: 'Unhandled',
    });
  });
});
