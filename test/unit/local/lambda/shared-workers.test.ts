import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FunctionDefinition } from '../../../../local/lambda/function-definition.ts';
import type { FunctionWorker } from '../../../../local/lambda/function-worker.ts';
import type { Call } from '../../../../local/lambda/invocation.ts';
import type { WorkerGroup } from '../../../../local/lambda/worker-groups.ts';
import { WorkerPool } from '../../../../local/lambda/worker-pool.ts';
import { aFunction, aResource, aStage, type Stage } from './function-fixture.ts';

const threadCode = `const { threadId } = require('node:worker_threads'); const id = Math.random();
  exports.handler = async () => ({ threadId, id })`;

describe('shared workers', () => {
  let stage: Stage;
  afterEach(() => stage.close());
  const call = async (name: string, event: unknown = {}) =>
    (await stage.functions.invoke(`shop-${name}`, event)).payload as never;

  /** Functions with one ES module for a handler, which imports another that all of them share as code. */
  const withModules = (files: Record<string, string>, names: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'lambda-assets-'));
    mkdirSync(join(folder, 'asset.a/chunks'), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, 'asset.a', path), text);
    const resources = names.map((name) => ({
      ...aFunction(name, '', {
        Code: { S3Bucket: 'b', S3Key: 'a.zip' },
        Handler: 'main.handler',
        Environment: { Variables: { NAME: name } },
      }),
      metadata: { 'aws:asset:path': 'asset.a' },
    }));
    return aStage(resources, { folder });
  };

  it('keep all functions warm on a few threads', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `F${index}`);
    stage = await aStage(
      names.map((name) => aFunction(name, threadCode)),
      { sharedWorkers: 2 },
    );
    const round = () => Promise.all(names.map((name) => call(name))) as Promise<{ threadId: number; id: number }[]>;
    const first = await round();
    expect(await round()).toEqual(first);
    expect(new Set(first.map(({ id }) => id)).size).toBe(60);
    expect(new Set(first.map(({ threadId }) => threadId)).size).toBe(2);
    expect(stage.functions.warmCount()).toBe(2);
  });

  it('isolate module state, variables, credentials and the global object', async () => {
    const files = {
      'main.mjs': `import { count, meta } from './chunks/state.mjs'; import env from 'node:process';
        globalThis.seen ??= []; globalThis.seen.push(process.env.NAME);
        export const handler = async () => {
          const { later } = await import('./chunks/later.mjs');
          return { count: count(), name: env.env.NAME, key: process.env.AWS_ACCESS_KEY_ID, seen: globalThis.seen, later,
            global: globalThis.process.env.NAME, url: meta };
        };`,
      'chunks/state.mjs': 'let calls = 0; export const count = () => ++calls; export const meta = import.meta.url;',
      'chunks/later.mjs': 'export const later = process.env.NAME;',
    };
    stage = await withModules(files, ['A', 'B']);
    const expectCall = async (name: string, count: number) => {
      const { key, ...rest } = (await call(name)) as Record<string, unknown>;
      expect(stage.functions.identify(key as string)?.caller?.name).toBe(`shop-${name}`);
      expect(rest).toEqual({
        count,
        name,
        seen: [name],
        later: name,
        global: name,
        url: expect.stringMatching(/^file:.*asset\.a\/chunks\/state\.mjs$/),
      });
    };
    await expectCall('A', 1);
    await expectCall('B', 1);
    await expectCall('A', 2);
    expect(stage.functions.warmCount()).toBe(1);
  });

  it('load code that an earlier worker compiled, and compile it again when the cache is damaged', async () => {
    stage = await withModules({ 'main.mjs': 'export const handler = async () => "ok";' }, ['A']);
    const folder = `${stage.functions.find('shop-A').codeFolder}.commonjs`;
    const restart = async () => {
      stage.functions.endWorkers();
      expect(await call('A')).toBe('ok');
    };
    expect(await call('A')).toBe('ok');
    await restart();
    const [cache] = readdirSync(folder).filter((file) => file.endsWith('.cache'));
    const path = join(folder, cache!);
    const compiled = readFileSync(path);
    const { mtimeMs } = statSync(path);
    await restart();
    await restart();
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
    writeFileSync(path, 'damaged');
    await restart();
    await restart();
    expect(readFileSync(path).length).toBe(compiled.length);
  });

  it('log under the name of each function', async () => {
    const code = (name: string) => `exports.handler = async () => { console.log('from ${name}'); }`;
    stage = await aStage(['A', 'B'].map((name) => aFunction(name, code(name))));
    await Promise.all([call('A'), call('B')]);
    expect(stage.logged).toEqual(
      expect.arrayContaining(
        ['A', 'B'].map((name) => expect.objectContaining({ message: `from ${name}`, function: `shop-${name}` })),
      ),
    );
  });

  it('do not block on a function that is stuck in a loop', async () => {
    const stuck = aFunction('Stuck', 'exports.handler = async (event) => { while (event === "loop"); }', {
      Timeout: 25,
    });
    stage = await aStage([stuck, aFunction('Other', 'exports.handler = async (event) => event')], { sharedWorkers: 1 });
    await Promise.all([call('Stuck'), call('Other')]);
    const hanging = stage.functions.invoke('shop-Stuck', 'loop');
    expect(await call('Other', 2)).toBe(2);
    await stage.functions.stop();
    expect((await hanging).payload).toMatchObject({ errorType: 'Runtime.ExitError' });
  });

  it.each([
    ['throws outside its promise', 'setTimeout(() => { throw new RangeError("uncaught"); }, 1)', 'RangeError'],
    ['ends the process', 'process.exit(3)', 'Runtime.ExitError'],
  ])('finish the other calls when one function %s', async (_name, failure, errorType) => {
    const culprit = aFunction('Culprit', `exports.handler = () => new Promise(() => { ${failure}; })`);
    const other = aFunction(
      'Other',
      'exports.handler = () => new Promise((done) => setTimeout(() => done("ok"), 100))',
    );
    stage = await aStage([culprit, other]);
    const [finished, failed] = await Promise.all([call('Other'), stage.functions.invoke('shop-Culprit', {})]);
    expect(finished).toBe('ok');
    expect(failed).toMatchObject({ functionError: 'Unhandled', payload: { errorType } });
    expect(await call('Other')).toBe('ok');
  });

  it('survive a function that fails to load', async () => {
    stage = await aStage([aFunction('Other', threadCode), aFunction('Broken', 'throw new RangeError("at start")')]);
    const before = await call('Other');
    for (const _attempt of [1, 2])
      expect(await call('Broken')).toMatchObject({ errorType: 'RangeError', errorMessage: 'at start' });
    expect(await call('Other')).toEqual(before);
  });

  it('exclude functions that compute, run for long, or serve a queue', async () => {
    const mapping = aResource('AWS::Lambda::EventSourceMapping', 'M', { FunctionName: 'shop-Queue' });
    stage = await aStage([
      mapping,
      ...['A', 'B', 'Queue'].map((name) => aFunction(name, threadCode)),
      ...['Large', 'Larger'].map((name) => aFunction(name, threadCode, { MemorySize: 1769 })),
      aFunction('Long', threadCode, { Timeout: 120 }),
    ]);
    const getThread = async (name: string) => ((await call(name)) as { threadId: number }).threadId;
    const quick = [await getThread('A'), await getThread('B')];
    const computing = [await getThread('Large'), await getThread('Larger')];
    const alone = [await getThread('Queue'), await getThread('Long')];
    expect(new Set(quick).size).toBe(1);
    expect(new Set(computing).size).toBe(1);
    expect(new Set([quick[0], computing[0], ...alone]).size).toBe(4);
  });
});

const createCall = (name: string) => ({ definition: { name } as FunctionDefinition }) as Call;

/** A pool with fake workers that record when they end. */
function createPool(idleMs: Record<string, number>) {
  const forget: string[] = [];
  const workers: { load: number }[] = [];
  const pool = new WorkerPool({
    maxWarm: 24,
    findGroup: ({ name }) => ({ name, idleMs: idleMs[name]!, slots: 1, maxWorkers: 1 }) as WorkerGroup,
    start: (group, owner) => {
      const worker = {
        group,
        load: 0,
        lastUse: 0,
        lastUseMs: 0,
        accept() {},
        async end() {
          forget.push(group.name);
          owner.retire(worker as unknown as FunctionWorker);
        },
      };
      workers.push(worker);
      return worker as unknown as FunctionWorker;
    },
  });
  return { pool, forget, workers };
}

describe('WorkerPool', () => {
  it('ends idle workers after the idle time of their group', async () => {
    const { pool, forget, workers } = createPool({ quick: 1_000, slow: 60_000, busy: 1_000 });
    for (const name of ['quick', 'slow', 'track']) pool.dispatch(createCall(name));
    workers[2]!.load = 1;
    pool.endIdle(performance.now() + 500);
    expect(forget).toEqual([]);
    pool.endIdle(performance.now() + 5_000);
    expect([forget, pool.warmCount]).toEqual([['quick'], 2]);
    pool.endIdle(performance.now() + 90_000);
    expect(forget).toEqual(['quick', 'slow']);
    await pool.stop();
  });
});
