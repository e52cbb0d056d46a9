import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePast, type Past, pastFor } from '../../../../local/past.ts';
import { Storage } from '../../../../local/storage/storage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'past-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const past: Past = { make: async () => {} };

/** Notes the times of arrival, answers calls with what they were, and notes their end. */
function grounds(said: unknown[]) {
  const streams = { arriveAt: (timeMs: number | undefined) => void said.push(timeMs) };
  const call = async (...what: unknown[]) => what;
  const end = async () => void said.push('ended');
  return { streams, functions: { openPast: () => ({ call, end }) } };
}

describe('the past of a data folder', () => {
  it('is made for an empty folder only', () => {
    expect(pastFor(folder, past)).toBe(past);
    rmSync(join(folder, 'first-start'));
    new Storage(folder).close();
    expect(pastFor(folder, past)).toBeUndefined();
  });

  it('is made anew when it was interrupted, from nothing', () => {
    pastFor(folder, past);
    new Storage(folder).close();
    writeFileSync(join(folder, 'server.log'), 'kept');
    expect(pastFor(folder, past)).toBe(past);
    expect(readdirSync(folder).sort()).toEqual(['first-start', 'server.log']);
  });

  it('is forgotten when it was interrupted and is not wanted any more', () => {
    pastFor(folder, past);
    new Storage(folder).close();
    expect(pastFor(folder, undefined)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is made by calls, and what its streams hold arrives when it is made', async () => {
    pastFor(folder, past);
    const storage = new Storage(folder);
    const said: unknown[] = [];
    const make: Past['make'] = async (tools) => {
      said.push(await tools.call('greet', { name: 'you' }, 86_400_000));
      await storage.write(() => undefined);
    };
    await makePast({ make }, { storage, ...grounds(said) }, folder);
    expect(said).toEqual([expect.closeTo(Date.now(), -4), ['greet', { name: 'you' }, 86_400_000], 'ended', undefined]);
    expect(existsSync(join(folder, 'first-start'))).toBe(false);
    storage.close();
  });

  it('stays unfinished when making it fails', async () => {
    pastFor(folder, past);
    const storage = new Storage(folder);
    const said: unknown[] = [];
    const make = async () => Promise.reject(new Error('no'));
    await expect(makePast({ make }, { storage, ...grounds(said) }, folder)).rejects.toThrow('no');
    expect(said.slice(1)).toEqual(['ended', undefined]);
    expect(existsSync(join(folder, 'first-start'))).toBe(true);
    storage.close();
  });
});
