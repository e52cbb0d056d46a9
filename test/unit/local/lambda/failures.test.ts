import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aFunction, aStage, type Stage } from './function-fixture.ts';

describe('a failing function', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  const getAnswer = async (code: string, properties: Record<string, unknown> = {}, event: unknown = {}) => {
    stage = await aStage([aFunction('F', code, properties)]);
    return stage.functions.invoke('shop-F', event, { requestId: 'r-1' });
  };

  it('returns the type, message and trace of a thrown error', async () => {
    const response = await getAnswer('exports.handler = async () => { throw new TypeError("no such thing"); }');
    expect(response).toEqual({
      functionError: 'Unhandled',
      payload: {
        errorType: 'TypeError',
        errorMessage: 'no such thing',
        trace: expect.arrayContaining(['TypeError: no such thing']),
      },
    });
  });

  it('returns an error thrown before the first await, and a value that is not an Error', async () => {
    expect((await getAnswer('exports.handler = () => { throw new Error("at once"); }')).payload).toMatchObject({
      errorMessage: 'at once',
    });
    await stage.close();
    expect((await getAnswer('exports.handler = async () => { throw "text"; }')).payload).toEqual({
      errorType: 'string',
      errorMessage: 'text',
      trace: [],
    });
  });

  it('reports a missing export, a missing module and a syntax error, and reloads at the next call', async () => {
    const cases = [
      ['exports.other = 1', 'Runtime.HandlerNotFound', 'index.handler is undefined or not exported'],
      ['require("not-there")', 'Runtime.ImportModuleError', expect.stringContaining("Cannot find module 'not-there'")],
      ['exports.handler = ((', 'Runtime.UserCodeSyntaxError', expect.stringContaining('SyntaxError')],
      ['throw new RangeError("at start")', 'RangeError', 'at start'],
    ] as const;
    const resources = cases.map(([code], place) => aFunction(`F${place}`, code));
    stage = await aStage(resources);
    for (const [place, [, errorType, errorMessage]] of cases.entries()) {
      const expected = { functionError: 'Unhandled', payload: { errorType, errorMessage } };
      expect(await stage.functions.invoke(`shop-F${place}`, {})).toMatchObject(expected);
      expect(await stage.functions.invoke(`shop-F${place}`, {})).toMatchObject(expected);
    }
    expect(stage.functions.warmCount()).toBe(0);
  });

  it('reports a missing handler file', async () => {
    const response = await getAnswer('', { Handler: 'other.handler' });
    expect(response.payload).toMatchObject({ errorType: 'Runtime.ImportModuleError' });
  });

  it('rejects a result that is not JSON or above 6 MB', async () => {
    const code = `exports.handler = async (event) => {
      if (event === 'large') return 'x'.repeat(6_300_000);
      const circle = {}; circle.self = circle; return circle; }`;
    expect((await getAnswer(code)).payload).toMatchObject({ errorMessage: 'Unable to stringify response body' });
    expect((await stage.functions.invoke('shop-F', 'large')).payload).toMatchObject({
      errorType: 'Function.ResponseSizeTooLarge',
    });
  });

  it('times out, and the next call gets a fresh worker', async () => {
    const code = `let calls = 0; exports.handler = (event) =>
      event === 'hang' ? new Promise(() => {}) : Promise.resolve(++calls)`;
    stage = await aStage([aFunction('F', code, { Timeout: 1 })]);
    expect((await stage.functions.invoke('shop-F', 'count')).payload).toBe(1);
    expect(await stage.functions.invoke('shop-F', 'hang', { requestId: 'r-1' })).toEqual({
      functionError: 'Unhandled',
      payload: {
        errorType: 'Sandbox.Timedout',
        errorMessage: 'RequestId: r-1 Error: Task timed out after 1.00 seconds',
      },
    });
    expect((await stage.functions.invoke('shop-F', 'count')).payload).toBe(1);
  });

  it('lets other calls of the worker finish when one times out', async () => {
    const code = `exports.handler = (event) => event === 'hang' ? new Promise(() => {})
      : new Promise((done) => setTimeout(() => done(event), event))`;
    stage = await aStage([aFunction('F', code, { Timeout: 2 })]);
    const hanging = stage.functions.invoke('shop-F', 'hang');
    await stage.functions.invoke('shop-F', 1000);
    const other = stage.functions.invoke('shop-F', 1500);
    expect((await hanging).payload).toMatchObject({ errorType: 'Sandbox.Timedout' });
    expect(stage.functions.warmCount()).toBe(0);
    expect(await other).toEqual({ payload: 1500 });
  });

  it('ends a worker stuck in a loop and moves unstarted calls elsewhere', async () => {
    const code = 'exports.handler = async (event) => { while (event === "loop"); return event; }';
    stage = await aStage([aFunction('F', code, { Timeout: 1 })]);
    const [stuck, behind] = await Promise.all([
      stage.functions.invoke('shop-F', 'loop'),
      stage.functions.invoke('shop-F', 'behind'),
    ]);
    expect(stuck.payload).toMatchObject({ errorType: 'Sandbox.Timedout' });
    expect(behind).toEqual({ payload: 'behind' });
  });

  it('fails alone on an unhandled rejection or an uncaught exception', async () => {
    const code = `exports.handler = (event) => new Promise((done) => {
      if (event === 'reject') setTimeout(() => Promise.reject(new Error('forgotten')), 1);
      else if (event === 'throw') setTimeout(() => { throw new RangeError('uncaught'); }, 1);
      else setTimeout(() => done(event), 60);
    })`;
    stage = await aStage([aFunction('F', code)]);
    for (const [event, errorType, errorMessage] of [
      ['reject', 'Runtime.UnhandledPromiseRejection', 'forgotten'],
      ['throw', 'RangeError', 'uncaught'],
    ]) {
      const [other, culprit] = await Promise.all([
        stage.functions.invoke('shop-F', 'other'),
        stage.functions.invoke('shop-F', event),
      ]);
      expect(culprit).toMatchObject({ functionError: 'Unhandled', payload: { errorType, errorMessage } });
      expect(other).toEqual({ payload: 'other' });
      expect(await stage.functions.invoke('shop-F', 'next')).toEqual({ payload: 'next' });
    }
  });

  it('fails a call whose function exits the process and ends only that worker', async () => {
    const code = 'exports.handler = async (event) => { if (event > 0) process.exit(event); return "alive"; }';
    const response = await getAnswer(code, {}, 3);
    expect(response).toEqual({
      functionError: 'Unhandled',
      payload: {
        errorType: 'Runtime.ExitError',
        errorMessage: 'RequestId: r-1 Error: Runtime exited with error: exit status 3',
      },
    });
    expect(await stage.functions.invoke('shop-F', 0)).toEqual({ payload: 'alive' });
  });

  it('reports a function that exits while loading', async () => {
    expect((await getAnswer('process.exit(1)')).payload).toMatchObject({ errorType: 'Runtime.ExitError' });
  });

  it('reports a function that runs out of memory', async () => {
    const code = `exports.handler = async (event) => {
      const kept = []; while (event === 'eat') kept.push({ n: kept.length, text: 'x' + kept.length }); return 'small'; }`;
    const response = await getAnswer(code, { MemorySize: 128, Timeout: 25 }, 'eat');
    expect(response).toEqual({
      functionError: 'Unhandled',
      payload: {
        errorType: 'Runtime.OutOfMemory',
        errorMessage: 'RequestId: r-1 Error: Runtime exited with error: signal: killed',
      },
    });
    expect(await stage.functions.invoke('shop-F', 'go')).toEqual({ payload: 'small' });
  });

  it('fails when the runtime stops', async () => {
    stage = await aStage([aFunction('F', 'exports.handler = () => new Promise(() => {})')]);
    const call = stage.functions.invoke('shop-F', {});
    await stage.functions.stop();
    expect((await call).payload).toMatchObject({ errorType: 'Runtime.ExitError' });
  });
});

describe('loading functions', () => {
  it('lists everything that cannot run here', async () => {
    const asset = aFunction('Gone', '');
    asset.properties.Code = { S3Bucket: 'b', S3Key: 'abc.zip' };
    asset.metadata = { 'aws:asset:path': 'asset.abc' };
    const python = aFunction('Snake', '', { Runtime: 'python3.13' });
    const reserved = aFunction('Region', '', { Environment: { Variables: { AWS_REGION: 'x' } } });
    await expect(aStage([asset, python, reserved])).rejects.toThrow(
      /asset\.abc is missing in.*python3\.13 cannot run here.*reserved variables: AWS_REGION/s,
    );
  });

  it('rejects a role that Lambda cannot assume', async () => {
    await expect(aStage([aFunction('F', '')], { mayAssume: () => false })).rejects.toThrow(/cannot be assumed/);
  });

  it('runs .mjs, ES module and CommonJS assets by their own package.json', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lambda-assets-'));
    const files = {
      'package.json': '{"type":"module"}',
      'asset.a/index.mjs': 'export const handler = async () => "mjs"',
      'asset.b/package.json': '{"type":"module"}',
      'asset.b/index.js': 'await 1; export const handler = async () => "esm"',
      'asset.c/index.js': 'exports.handler = async () => require("./part.js").name',
      'asset.c/part.js': 'exports.name = "cjs"',
      'asset.d/nested/main.cjs': 'exports.api = { call: (event, context, callback) => callback(null, "nested") }',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const anAsset = (hash: string, handler: string) => {
      const resource = aFunction(`Asset${hash}`, '', {
        Code: { S3Bucket: 'b', S3Key: `${hash}.zip` },
        Handler: handler,
      });
      return { ...resource, metadata: { 'aws:asset:path': `asset.${hash}` } };
    };
    const handlers = { a: 'index.handler', b: 'index.handler', c: 'index.handler', d: 'nested/main.api.call' };
    const stage = await aStage(
      Object.entries(handlers).map(([hash, handler]) => anAsset(hash, handler)),
      { folder },
    );
    const responses = [];
    for (const hash of Object.keys(handlers)) responses.push(await stage.functions.invoke(`shop-Asset${hash}`, {}));
    expect(responses.map(({ payload }) => payload)).toEqual(['mjs', 'esm', 'cjs', 'nested']);
    await stage.close();
  });
});

describe('function log', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  const readLines = async (code: string) => {
    stage = await aStage([aFunction('F', `exports.handler = async (event) => { ${code} }`)]);
    await stage.functions.invoke('shop-F', {}, { requestId: 'r-1' });
    return stage.logged;
  };

  it('keeps the level of each console method', async () => {
    const known = { function: 'shop-F', request_id: 'r-1' };
    const code = "console.log('a %d', 1); console.debug('b'); console.warn('c'); console.error({ d: 1 })";
    expect(await readLines(code)).toEqual([
      { level: 'info', message: 'a 1', ...known },
      { level: 'debug', message: 'b', ...known },
      { level: 'warn', message: 'c', ...known },
      { level: 'error', message: '{ d: 1 }', ...known },
    ]);
  });

  it('splits direct writes into lines', async () => {
    const code =
      "process.stdout.write('one\\ntw'); process.stdout.write(Buffer.from('o\\n')); process.stderr.write('three\\n')";
    expect((await readLines(code)).map(({ level, message }) => [level, message])).toEqual([
      ['info', 'one'],
      ['info', 'two'],
      ['error', 'three'],
    ]);
  });

  it('merges a structured line instead of nesting it', async () => {
    const code = `process.stdout.write(JSON.stringify({ level: 'WARN', message: 'slow', latency_ms: 7, service: 's' }) + '\\n')`;
    expect(await readLines(code)).toEqual([
      { level: 'warn', message: 'slow', latency_ms: 7, service: 's', function: 'shop-F', request_id: 'r-1' },
    ]);
  });

  it('treats a line that only looks like JSON as text', async () => {
    expect(await readLines("console.log('{not json}')")).toMatchObject([{ level: 'info', message: '{not json}' }]);
  });

  it('attributes lines of interleaved calls to their request', async () => {
    const code =
      'exports.handler = async (event) => { await new Promise((done) => setTimeout(done, 5)); console.log(event); }';
    stage = await aStage([aFunction('F', code)]);
    await Promise.all(['x', 'y'].map((id) => stage.functions.invoke('shop-F', id, { requestId: id })));
    expect(stage.logged.map(({ message, request_id }) => [message, request_id]).sort()).toEqual([
      ['x', 'x'],
      ['y', 'y'],
    ]);
  });

  it('returns the tail of the log on request', async () => {
    stage = await aStage([aFunction('F', "exports.handler = async () => console.log('kept')")]);
    expect(await stage.functions.invoke('shop-F', {}, { logs: 'tail' })).toEqual({ payload: null, logs: 'kept' });
  });

  it('logs the error that ended a worker', async () => {
    await readLines("setTimeout(() => { throw new Error('uncaught') }, 0); await new Promise(() => {})");
    expect(stage.logged).toMatchObject([{ level: 'error', message: 'uncaught', errorType: 'Error' }]);
  });
});

describe('a function that starts without file descriptors', () => {
  it('fails as the machine, never as the function, at every number of free descriptors', () => {
    const { NODE_OPTIONS: _jestOnly, ...env } = process.env;
    const program = fileURLToPath(new URL('./descriptor-limit.ts', import.meta.url));
    const command = ['ulimit -n 200 && exec "$@"', 'bash', process.execPath, '--import', 'tsx', program];
    const outcomes = JSON.parse(execFileSync('bash', ['-c', ...command], { env, encoding: 'utf8' })) as string[];
    expect(outcomes).toHaveLength(16);
    expect(new Set(outcomes)).toEqual(new Set(['Too many files are open.', 'ok']));
  });
});
