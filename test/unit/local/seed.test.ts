import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { applySeed, findPendingSeed, type Seed } from '../../../local/seed.ts';
import { Storage } from '../../../local/storage/storage.ts';
import { aFunction, aStage, type Stage } from './lambda/function-fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const seed: Seed = { apply: async () => {} };

/** Records arrival times and the end of calls; each call returns its arguments. */
function createDependencies(recorded: unknown[]) {
  const streams = { arriveAt: (timeMs: number | undefined) => void recorded.push(timeMs) };
  const call = async (...what: unknown[]) => what;
  const end = async () => void recorded.push('ended');
  const functions = { openSeedCalls: () => ({ call, end }) };
  return { streams, functions, loopbackUrl: 'http://127.0.0.1', callAws: async () => ({}), outputs: {} };
}

describe('seeding a data folder', () => {
  it('applies only to an empty folder', () => {
    expect(findPendingSeed(folder, seed)).toBe(seed);
    rmSync(join(folder, 'first-start'));
    new Storage(folder).close();
    expect(findPendingSeed(folder, seed)).toBeUndefined();
  });

  it('starts over after an interrupted seed', () => {
    findPendingSeed(folder, seed);
    new Storage(folder).close();
    writeFileSync(join(folder, 'server.log'), 'kept');
    expect(findPendingSeed(folder, seed)).toBe(seed);
    expect(readdirSync(folder).sort()).toEqual(['first-start', 'server.log']);
  });

  it('removes an interrupted seed when seeding is turned off', () => {
    findPendingSeed(folder, seed);
    new Storage(folder).close();
    expect(findPendingSeed(folder, undefined)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('calls functions and dates stream records at the time of seeding', async () => {
    findPendingSeed(folder, seed);
    const storage = new Storage(folder);
    const recorded: unknown[] = [];
    const apply: Seed['apply'] = async (tools) => {
      recorded.push(await tools.call('greet', { name: 'you' }, 86_400_000));
      await storage.write(() => undefined);
    };
    await applySeed({ apply }, { storage, ...createDependencies(recorded) }, folder);
    expect(recorded).toEqual([
      expect.closeTo(Date.now(), -4),
      ['greet', { name: 'you' }, 86_400_000],
      'ended',
      undefined,
    ]);
    expect(existsSync(join(folder, 'first-start'))).toBe(false);
    storage.close();
  });

  it('stays unfinished after a failure', async () => {
    findPendingSeed(folder, seed);
    const storage = new Storage(folder);
    const recorded: unknown[] = [];
    const apply = async () => Promise.reject(new Error('no'));
    await expect(applySeed({ apply }, { storage, ...createDependencies(recorded) }, folder)).rejects.toThrow('no');
    expect(recorded.slice(1)).toEqual(['ended', undefined]);
    expect(existsSync(join(folder, 'first-start'))).toBe(true);
    storage.close();
  });
});

describe('seed calls', () => {
  let stage: Stage;
  afterEach(() => stage.close());
  const connect = () => new MessageChannel().port2;
  const operatorKey = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' };

  it('run concurrently, each at its own time', async () => {
    const code = `exports.handler = async (turns) => {
      const seen = [];
      for (let turn = 0; turn < turns; turn++) {
        seen.push(Date.now(), new Date().getTime());
        await new Promise((resolve) => setImmediate(resolve));
      }
      return [...new Set(seen)];
    }`;
    stage = await aStage([aFunction('Time', code)], { connect, operatorKey });
    const calls = stage.functions.openSeedCalls();
    const times = [5_000, 1_000, 86_400_000];
    const seen = await Promise.all(times.map((time) => calls.call('shop-Time', 20, time)));
    expect(seen).toEqual(times.map((time) => [time]));
    await calls.end();
  });

  it("see the functions' variables and none of this process", async () => {
    const code = 'exports.handler = async () => [process.env.TABLE, process.env.QUEUE, process.env.HOME]';
    const variables = (given: object) => ({ Environment: { Variables: given } });
    const functions = [
      aFunction('A', code, variables({ TABLE: 't' })),
      aFunction('B', code, variables({ QUEUE: 'q' })),
    ];
    stage = await aStage(functions, { connect, operatorKey });
    const calls = stage.functions.openSeedCalls();
    expect(await calls.call('shop-A', null, 0)).toEqual(['t', 'q', undefined]);
    await calls.end();
  });

  it('reject when the function throws or the worker exits', async () => {
    const throws = aFunction('Throws', 'exports.handler = async () => { throw new TypeError("no such thing") }');
    const hangs = aFunction('Hangs', 'exports.handler = () => new Promise(() => {})');
    stage = await aStage([throws, hangs], { connect, operatorKey });
    const calls = stage.functions.openSeedCalls();
    await expect(calls.call('shop-Throws', null, 0)).rejects.toThrow('no such thing');
    const hanging = calls.call('shop-Hangs', null, 0);
    await Promise.all([expect(hanging).rejects.toThrow('the seed worker exited'), calls.end()]);
    await expect(async () => calls.call('shop-Other', null, 0)).rejects.toMatchObject({ status: 404 });
  });
});
