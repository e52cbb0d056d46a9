import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../../../local/clock/clock.ts';
import { makePast, type Past, pastFor } from '../../../../local/past.ts';
import { Storage } from '../../../../local/storage/storage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'past-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const past: Past = { fromMs: 1_000, make: async () => {} };
const invoke = async () => ({ payload: null });

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

  it('happens at its own times, and then it is now', async () => {
    const clock = new Clock();
    clock.hold(past.fromMs);
    pastFor(folder, past);
    const storage = new Storage(folder);
    const seen: number[] = [];
    const make: Past['make'] = async (tools) => {
      for (const time of [2_000, 86_400_000]) {
        tools.clock.skipTo(time);
        seen.push(clock.now());
      }
      await storage.write(() => undefined);
    };
    const arrivals: (number | undefined)[] = [];
    const streams = { arriveAt: (timeMs: number | undefined) => void arrivals.push(timeMs) };
    await makePast({ ...past, make }, { clock, storage, invoke, streams }, folder);
    expect(seen).toEqual([2_000, 86_400_000]);
    expect(arrivals).toEqual([expect.closeTo(Date.now(), -4), undefined]);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000);
    expect(existsSync(join(folder, 'first-start'))).toBe(false);
    storage.close();
    clock.stop();
  });

  it('stays unfinished when making it fails', async () => {
    const clock = new Clock();
    clock.hold(past.fromMs);
    pastFor(folder, past);
    const storage = new Storage(folder);
    const make = async () => Promise.reject(new Error('no'));
    await expect(
      makePast({ ...past, make }, { clock, storage, invoke, streams: { arriveAt() {} } }, folder),
    ).rejects.toThrow('no');
    expect(existsSync(join(folder, 'first-start'))).toBe(true);
    storage.close();
    clock.stop();
  });
});

describe('a held clock', () => {
  it('skips without playing what is due on the way', () => {
    const clock = new Clock();
    clock.hold(1_000);
    let played = 0;
    clock.at(1_500, () => played++);
    clock.skipTo(5_000);
    expect({ now: clock.now(), played }).toEqual({ now: 5_000, played: 0 });
    clock.stop();
  });

  it('skips neither back nor while it runs', () => {
    const clock = new Clock();
    expect(() => clock.skipTo(Date.now() + 1_000)).toThrow('held');
    clock.hold();
    expect(() => clock.skipTo(clock.now() - 1)).toThrow('forward');
    clock.stop();
  });
});
