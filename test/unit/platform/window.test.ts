import fc from 'fast-check';
import {
  isOpen,
  openRange,
  rateHeaders,
  retryAfterSeconds,
  uncounted,
  verdicts,
} from '../../../lambdas/platform/rate-limit/window.ts';

const perSecond = { limit: 100, windowSeconds: 1 };

describe('window', () => {
  it('is open from its start until one length later, and not at its end', () => {
    const window = { startedAtMs: 10_000, used: 1 };
    expect(isOpen(window, 10_000, perSecond)).toBe(true);
    expect(isOpen(window, 10_999, perSecond)).toBe(true);
    expect(isOpen(window, 11_000, perSecond)).toBe(false);
  });

  it('is open for a clock that is a little behind, and over for one that was set back', () => {
    expect(isOpen({ startedAtMs: 10_000, used: 1 }, 9_900, perSecond)).toBe(true);
    expect(isOpen({ startedAtMs: 10_000, used: 1 }, 5_000, perSecond)).toBe(false);
  });

  it('is open exactly when its start lies in the range that the table is asked for', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.nat(10_000),
        fc.integer({ min: 1, max: 60 }),
        (startedAtMs, now, windowSeconds) => {
          const rateLimit = { limit: 1, windowSeconds };
          const { afterMs, upToMs } = openRange(now, rateLimit);
          const inRange = startedAtMs > afterMs && startedAtMs <= upToMs;
          expect(isOpen({ startedAtMs, used: 0 }, now, rateLimit)).toBe(inRange);
        },
      ),
    );
  });
});

describe('verdicts', () => {
  it('admits the first requests of a window up to the limit and refuses the rest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 })), fc.integer({ min: 1, max: 60 }), (batches, limit) => {
        let used = 0;
        const all = batches.flatMap((requests) => {
          used += requests;
          return verdicts({ startedAtMs: 0, used }, requests, { limit, windowSeconds: 1 });
        });
        expect(all.filter(({ admitted }) => admitted)).toHaveLength(Math.min(used, limit));
        expect(all.map(({ remaining }) => remaining)).toEqual(all.map((_, index) => Math.max(0, limit - index - 1)));
      }),
    );
  });

  it('tells when the window ends, rounded up to whole seconds', () => {
    const [verdict] = verdicts({ startedAtMs: 1_700_000_000_250, used: 1 }, 1, perSecond);
    expect(rateHeaders(verdict!)).toEqual({
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '99',
      'X-RateLimit-Reset': '1700000002',
    });
  });
});

describe('retryAfterSeconds', () => {
  it('is a whole number of at least one second, and never too short', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (resetAtMs, nowMs) => {
        const seconds = retryAfterSeconds({ ...uncounted(0, perSecond), resetAtMs }, nowMs);
        expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
        expect(nowMs + seconds * 1_000).toBeGreaterThanOrEqual(resetAtMs);
      }),
    );
  });
});
