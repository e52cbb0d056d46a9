import type { RateLimitStore } from '../../../lambdas/platform/rate-limit/limiter.ts';
import {
  createLimiter,
  createUncountedVerdict,
  isOpen,
  toOpenRange,
  toRateLimitHeaders,
  toRetryAfterSeconds,
  toVerdict,
} from '../../../lambdas/platform/rate-limit/limiter.ts';
import fc from '../../support/properties.ts';
import { clockAt, storeInMemory } from './counting.ts';

const perSecond = { limit: 100, windowSeconds: 1 };

describe('limiter', () => {
  it('rejects exactly the excess of 150 concurrent requests', async () => {
    const { store } = storeInMemory();
    const limiter = createLimiter(store, clockAt(10_000));
    const all = await Promise.all(Array.from({ length: 150 }, () => limiter.take('caller', perSecond)));
    expect(all.map(({ admitted }) => admitted)).toEqual([...Array(100).fill(true), ...Array(50).fill(false)]);
    expect(all.slice(0, 100).map(({ remaining }) => remaining)).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
  });

  it('never admits more than the limit, for any number of instances and any order of writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 30 }),
        async (scheduler, instances, requests, limit) => {
          const { store } = storeInMemory(() => scheduler.schedule(Promise.resolve()));
          const limiters = Array.from({ length: instances }, () => createLimiter(store, clockAt(10_000)));
          const taken = Array.from({ length: requests }, (_, index) =>
            limiters[index % instances]!.take('caller', { limit, windowSeconds: 1 }),
          );
          const all = await scheduler.waitFor(Promise.all(taken));
          expect(all.filter(({ admitted }) => admitted)).toHaveLength(Math.min(limit, requests));
        },
      ),
    );
  });

  it('opens a new window with the first request after the last one ended', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(700), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (gaps, limit) => {
          const clock = clockAt(10_000);
          const limiter = createLimiter(storeInMemory().store, clock);
          let window = { startedAtMs: Number.NEGATIVE_INFINITY, used: 0 };
          for (const gap of gaps) {
            clock.advance(gap);
            if (clock.now() >= window.startedAtMs + 1_000) window = { startedAtMs: clock.now(), used: 0 };
            window.used++;
            const verdict = await limiter.take('caller', { limit, windowSeconds: 1 });
            expect(verdict.admitted).toBe(window.used <= limit);
            expect(verdict.resetAtMs).toBe(window.startedAtMs + 1_000);
          }
        },
      ),
    );
  });

  it('does not let one caller use up the limit of another', async () => {
    const limiter = createLimiter(storeInMemory().store, clockAt(10_000));
    await Promise.all(Array.from({ length: 150 }, () => limiter.take('one', perSecond)));
    expect(await limiter.take('other', perSecond)).toMatchObject({ admitted: true, remaining: 99 });
  });

  it('takes one write per request of a caller that it serves alone', async () => {
    const clock = clockAt(10_000);
    const { store, writes } = storeInMemory();
    const limiter = createLimiter(store, clock);
    for (let request = 0; request < 50; request++) {
      await limiter.take('caller', perSecond);
      clock.advance(request % 2 === 0 ? 300 : 2_000);
    }
    expect(writes()).toBe(50);
  });

  it('learns that other instances open the windows of a caller', async () => {
    const clock = clockAt(10_000);
    const { store, writes } = storeInMemory();
    const [first, second] = [createLimiter(store, clock), createLimiter(store, clock)];
    for (let round = 0; round < 10; round++) {
      await first.take('caller', perSecond);
      await second.take('caller', perSecond);
      clock.advance(1_500);
    }
    // One write per request, and one failed write that updated the second instance's count.
    expect(writes()).toBe(21);
  });

  it('shares one write among requests that arrive during another', async () => {
    const { store, writes } = storeInMemory();
    const limiter = createLimiter(store, clockAt(10_000));
    await Promise.all(Array.from({ length: 40 }, () => limiter.take('caller', perSecond)));
    expect(writes()).toBe(2);
  });

  it('rejects without a write when the window is used up', async () => {
    const { store, writes } = storeInMemory();
    const limiter = createLimiter(store, clockAt(10_000));
    await Promise.all(Array.from({ length: 100 }, () => limiter.take('caller', perSecond)));
    const before = writes();
    expect(await limiter.take('caller', perSecond)).toMatchObject({ admitted: false, remaining: 0, resetAtMs: 11_000 });
    expect(writes()).toBe(before);
  });

  it('rejects all waiting requests when counting fails, and recovers afterwards', async () => {
    const { store } = storeInMemory();
    let broken = true;
    const flaky: RateLimitStore = {
      ...store,
      open: (...write) => (broken ? Promise.reject(new Error('the table is gone')) : store.open(...write)),
    };
    const limiter = createLimiter(flaky, clockAt(10_000));
    const taken = [1, 2, 3].map(() => limiter.take('caller', perSecond));
    const outcomes = await Promise.allSettled(taken);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    broken = false;
    expect(await limiter.take('caller', perSecond)).toMatchObject({ admitted: true });
  });

  it('fails after a limited number of contradictory writes', async () => {
    const never: RateLimitStore = { join: async () => undefined, open: async () => undefined };
    await expect(createLimiter(never, clockAt(0)).take('caller', perSecond)).rejects.toThrow('12 times in a row');
  });

  it('counts correctly after it evicted a caller', async () => {
    const limiter = createLimiter(storeInMemory().store, clockAt(10_000));
    await limiter.take('caller', perSecond);
    for (let other = 0; other < 1_100; other++) await limiter.take(`other-${other}`, perSecond);
    expect(await limiter.take('caller', perSecond)).toMatchObject({ remaining: 98 });
  });
});

const hundredPerSecond = { limit: 100, windowSeconds: 1 };

describe('window', () => {
  it('is open from its start, and closed at its end', () => {
    const window = { startedAtMs: 10_000, used: 1 };
    expect(isOpen(window, 10_000, hundredPerSecond)).toBe(true);
    expect(isOpen(window, 10_999, hundredPerSecond)).toBe(true);
    expect(isOpen(window, 11_000, hundredPerSecond)).toBe(false);
  });

  it('is open for a clock that is slightly behind, and closed for a clock that was set back', () => {
    expect(isOpen({ startedAtMs: 10_000, used: 1 }, 9_900, hundredPerSecond)).toBe(true);
    expect(isOpen({ startedAtMs: 10_000, used: 1 }, 5_000, hundredPerSecond)).toBe(false);
  });

  it('is open if and only if its start is in the queried range', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.nat(10_000),
        fc.integer({ min: 1, max: 60 }),
        (startedAtMs, now, windowSeconds) => {
          const rateLimit = { limit: 1, windowSeconds };
          const { afterMs, upToMs } = toOpenRange(now, rateLimit);
          const inRange = startedAtMs > afterMs && startedAtMs <= upToMs;
          expect(isOpen({ startedAtMs, used: 0 }, now, rateLimit)).toBe(inRange);
        },
      ),
    );
  });
});

describe('toVerdict', () => {
  it('admits the first requests of a window up to the limit and rejects the rest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 })), fc.integer({ min: 1, max: 60 }), (batches, limit) => {
        const used = batches.reduce((sum, requests) => sum + requests, 0);
        const window = { startedAtMs: 0, used };
        const all = Array.from({ length: used }, (_, index) =>
          toVerdict(window, index + 1, { limit, windowSeconds: 1 }),
        );
        expect(all.filter(({ admitted }) => admitted)).toHaveLength(Math.min(used, limit));
        expect(all.map(({ remaining }) => remaining)).toEqual(all.map((_, index) => Math.max(0, limit - index - 1)));
      }),
    );
  });

  it('reports when the window ends, rounded up to whole seconds', () => {
    const verdict = toVerdict({ startedAtMs: 1_700_000_000_250, used: 1 }, 1, hundredPerSecond);
    expect(toRateLimitHeaders(verdict)).toEqual({
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '99',
      'X-RateLimit-Reset': '1700000002',
    });
  });
});

describe('toRetryAfterSeconds', () => {
  it('is a whole number of at least one second, and never too short', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (resetAtMs, nowMs) => {
        const seconds = toRetryAfterSeconds({ ...createUncountedVerdict(0, hundredPerSecond), resetAtMs }, nowMs);
        expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
        expect(nowMs + seconds * 1_000).toBeGreaterThanOrEqual(resetAtMs);
      }),
    );
  });
});
