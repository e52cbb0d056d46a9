import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../../../local/clock/clock.ts';
import { openClock } from '../../../../local/clock/open-clock.ts';
import { installDate, monotonicNow, systemNow } from '../../../../local/clock/shifted-date.ts';
import { Storage } from '../../../../local/storage/storage.ts';

const hourMs = 3_600_000;

describe('Clock', () => {
  it('runs every due timer in order, at its own time', async () => {
    const clock = new Clock();
    const start = clock.now();
    const seen: [string, number][] = [];
    clock.at(start + 60_000, () => seen.push(['second', clock.now() - start]));
    clock.at(start + 30_000, () => {
      seen.push(['first', clock.now() - start]);
      clock.after(120_000, () => seen.push(['started by first', clock.now() - start]));
    });
    await clock.advance(200_000);
    expect(seen.map(([name]) => name)).toEqual(['first', 'second', 'started by first']);
    for (const [index, planned] of [30_000, 60_000, 150_000].entries()) {
      expect(seen[index]![1]).toBeGreaterThanOrEqual(planned);
      expect(seen[index]![1]).toBeLessThan(planned + 1000);
    }
    expect(clock.now() - start).toBeGreaterThanOrEqual(200_000);
    clock.stop();
  });

  it('waits for the work of a timer before it runs the next one', async () => {
    const clock = new Clock();
    const seen: string[] = [];
    clock.after(1000, async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      seen.push('slow work of the first');
    });
    clock.after(2000, () => seen.push('second'));
    await clock.advance(3000);
    expect(seen).toEqual(['slow work of the first', 'second']);
    clock.stop();
  });

  it('does not run a cancelled timer', async () => {
    const clock = new Clock();
    let ran = false;
    clock
      .after(1000, () => {
        ran = true;
      })
      .cancel();
    await clock.advance(5000);
    expect(ran).toBe(false);
    clock.stop();
  });

  it('waits for tracked work before it advances', async () => {
    const clock = new Clock();
    let finish = () => {};
    const work = clock.track(
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
    );
    let moved = false;
    const move = clock.advance(1000).then(() => {
      moved = true;
    });
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(moved).toBe(false);
    finish();
    await Promise.all([work, move]);
    expect(moved).toBe(true);
    clock.stop();
  });

  it('saves its offset, so that a restart does not move time back', async () => {
    const offsets: number[] = [];
    const clock = new Clock({ offsetMs: 5000, onMove: (offset) => offsets.push(offset) });
    await clock.advance(60_000);
    expect(offsets.at(-1)).toBeGreaterThanOrEqual(64_000);
    expect(clock.offsetMs).toBe(offsets.at(-1));
    clock.stop();
  });

  it('stops while held, advances on request, and resumes from there', async () => {
    let real = 1_000_000;
    const clock = new Clock({ systemNow: () => real });
    clock.hold();
    real += 5000;
    expect(clock.now()).toBe(1_000_000);
    await clock.advance(300);
    expect(clock.now()).toBe(1_000_300);
    clock.release();
    real += 7;
    expect(clock.now()).toBe(1_000_307);
    clock.stop();
  });

  it('runs timers on time when the system clock is set back', async () => {
    const jumps: number[] = [];
    let stepMs = 0;
    const clock = new Clock({ systemNow: () => systemNow() + stepMs, monotonicNow, onJump: (ms) => jumps.push(ms) });
    const before = clock.now();
    stepMs = -3 * hourMs;
    await new Promise<void>((resolve) => clock.after(20, resolve));
    expect(clock.now()).toBeGreaterThanOrEqual(before + 20);
    expect(jumps.map((ms) => Math.round(ms / 1000))).toEqual([-10_800]);
    // When the system clock comes back, time neither jumps nor is lost.
    stepMs = 0;
    await new Promise<void>((resolve) => clock.after(20, resolve));
    expect(clock.now()).toBeLessThan(before + hourMs);
    clock.stop();
  });

  it('follows the system clock forward, and runs what has become due', async () => {
    let stepMs = 0;
    const clock = new Clock({ systemNow: () => systemNow() + stepMs, monotonicNow });
    const due = new Promise<void>((resolve) => clock.after(hourMs, resolve));
    stepMs = 2 * hourMs;
    // The next look at the clock; without it, one comes within a second.
    clock.after(0, () => {});
    await due;
    expect(clock.now() - systemNow()).toBeGreaterThanOrEqual(2 * hourMs - 1000);
    clock.stop();
  });

  it('returns to the system clock at half speed after a reset, without going back', async () => {
    let real = 1_000_000;
    const clock = new Clock({ systemNow: () => real });
    await clock.advance(60_000);
    expect(await clock.reset()).toBe(true);
    const ticks = Array.from({ length: 13 }, () => {
      const seen = { now: clock.now() - 1_000_000, offset: clock.offsetMs };
      real += 10_000;
      return seen;
    });
    expect(ticks.map(({ now }) => now / 1_000)).toEqual([60, 65, 70, 75, 80, 85, 90, 95, 100, 105, 110, 115, 120]);
    expect(ticks.map(({ offset }) => offset / 1_000)).toEqual([60, 55, 50, 45, 40, 35, 30, 25, 20, 15, 10, 5, 0]);
    expect(clock.now()).toBe(real);
    // Moves add to what is left of the lead, and a timer sees both.
    await clock.advance(1_000);
    expect([clock.now() - real, clock.offsetMs]).toEqual([1_000, 1_000]);
    clock.stop();
  });

  it('catches up at once when a reset finds it behind, and rejects a reset when it is too far ahead', async () => {
    let real = 1_000_000;
    const clock = new Clock({ systemNow: () => real });
    const seen: number[] = [];
    clock.at(real + 30_000, () => seen.push(clock.now()));
    clock.hold();
    real += 60_000;
    expect(await clock.reset()).toBe(true);
    expect([clock.now(), clock.offsetMs, clock.isHeld, seen]).toEqual([real, 0, false, [1_030_000]]);
    await clock.advance(hourMs + 1);
    expect(await clock.reset()).toBe(false);
    expect(clock.offsetMs).toBe(hourMs + 1);
    clock.stop();
  });

  it('follows the system clock forward during a reset', async () => {
    let stepMs = 0;
    const clock = new Clock({ systemNow: () => systemNow() + stepMs, monotonicNow });
    await clock.advance(60_000);
    await clock.reset();
    stepMs = 2 * hourMs;
    await new Promise<void>((resolve) => clock.after(0, resolve));
    expect(Math.abs(clock.now() - systemNow() - stepMs)).toBeLessThan(1_000);
    expect(clock.offsetMs).toBe(0);
    clock.stop();
  });

  it('rejects moving backwards', () => {
    const clock = new Clock();
    expect(() => clock.advance(-1)).toThrow('only moves forward');
    clock.stop();
  });
});

describe('openClock', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Opens the clock of the folder, calls `use` and stops; returns the logged warnings. */
  async function run(stepMs: number, use: (clock: Clock) => unknown): Promise<string[]> {
    const warnings: string[] = [];
    const storage = new Storage(folder);
    const log = { info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} };
    const clock = openClock(storage, log, { systemNow: () => systemNow() + stepMs, monotonicNow });
    await use(clock);
    clock.stop();
    storage.close();
    return warnings;
  }

  it('continues after the last time when the system clock was set back during a stop, and says so', async () => {
    let last = 0;
    await run(0, (clock) => clock.advance(hourMs).then(() => (last = clock.now())));
    const warnings = await run(-3 * hourMs, (clock) => expect(clock.now()).toBeGreaterThanOrEqual(last));
    expect(warnings).toEqual([expect.stringMatching(/went back by 10[78]\d\d s.*waits and schedules run on time/)]);
    expect(await run(-3 * hourMs, (clock) => expect(clock.now()).toBeGreaterThanOrEqual(last))).toHaveLength(1);
  });

  it('continues a reset after a restart', async () => {
    await run(0, async (clock) => {
      await clock.advance(hourMs / 2);
      await clock.reset();
    });
    await run(0, (clock) => expect(Math.round(clock.returningMs / 10_000)).toBe(hourMs / 20_000));
  });

  it('returns to the system clock once that is ahead again', async () => {
    await run(0, () => {});
    await run(-3 * hourMs, () => {});
    let aheadMs = 0;
    const warnings = await run(hourMs, (clock) => {
      aheadMs = clock.now() - systemNow();
    });
    expect(Math.abs(aheadMs - hourMs)).toBeLessThan(1000);
    expect(warnings).toEqual([]);
  });
});

describe('shifted Date', () => {
  const Real = Date;
  const moment = Date.parse('2030-05-06T07:08:09.000Z');

  beforeEach(() => installDate(() => moment));
  afterEach(() => {
    globalThis.Date = Real;
    Real.prototype.constructor = Real;
  });

  it('returns the clock’s time in every form', () => {
    expect(new Date().toISOString()).toBe('2030-05-06T07:08:09.000Z');
    expect(Date.now()).toBe(moment);
    expect(Date()).toContain('2030');
  });

  it('behaves like Date otherwise', () => {
    expect(new Date(7).getTime()).toBe(7);
    expect(new Date(2020, 1, 2, 3).toISOString()).toBe(new Real(2020, 1, 2, 3).toISOString());
    expect(new Date('2020-01-01').getTime()).toBe(Date.UTC(2020, 0));
    expect(Date.parse('2020-01-01')).toBe(Date.UTC(2020, 0));
    expect([Date.name, Date.length]).toEqual(['Date', 7]);
  });

  it('supports instanceof in both directions', () => {
    expect(new Real(7) instanceof Date).toBe(true);
    expect(new Date() instanceof Real).toBe(true);
    expect(new Real(7).constructor).toBe(Date);
  });

  it('can be extended', () => {
    class Day extends Date {
      name(): string {
        return this.toISOString().slice(0, 10);
      }
    }
    expect(new Day().name()).toBe('2030-05-06');
    expect(new Day(0).name()).toBe('1970-01-01');
    expect(new Day() instanceof Day).toBe(true);
  });
});
