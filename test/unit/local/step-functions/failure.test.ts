import { remedyFor } from '../../../../local/step-functions/failure.ts';
import { StateError } from '../../../../local/step-functions/state-error.ts';

const failed = (error: string) => new StateError(error, '');

describe('a failed state', () => {
  it('waits longer with each attempt, up to the limit, and gives up after the last', () => {
    const state = {
      Type: 'Task' as const,
      Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 4, MaxDelaySeconds: 20 }],
    };
    const delays = [0, 1, 2, 3].map((used) => remedyFor(state, failed('A'), [used]));
    expect(delays).toEqual([2000, 6000, 18_000, 20_000].map((delayMs) => ({ kind: 'retry', retrier: 0, delayMs })));
    expect(remedyFor(state, failed('A'), [4])).toEqual({ kind: 'fail' });
    expect(remedyFor(state, failed('B'), [0])).toEqual({ kind: 'fail' });
  });

  it('defaults to three attempts at 1, 2 and 4 seconds', () => {
    const state = { Type: 'Task' as const, Retry: [{ ErrorEquals: ['States.ALL'] }] };
    expect([0, 1, 2, 3].map((used) => remedyFor(state, failed('A'), [used]))).toEqual([
      { kind: 'retry', retrier: 0, delayMs: 1000 },
      { kind: 'retry', retrier: 0, delayMs: 2000 },
      { kind: 'retry', retrier: 0, delayMs: 4000 },
      { kind: 'fail' },
    ]);
  });

  it('spreads attempts with full jitter', () => {
    const state = {
      Type: 'Task' as const,
      Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 10, JitterStrategy: 'FULL' as const }],
    };
    expect(remedyFor(state, failed('A'), [], () => 0.25)).toMatchObject({ delayMs: 2500 });
  });

  it.each([
    ['States.ALL', 'Anything', 'catch'],
    ['States.ALL', 'States.Timeout', 'catch'],
    ['States.ALL', 'States.DataLimitExceeded', 'fail'],
    ['States.ALL', 'States.Runtime', 'fail'],
    ['States.Runtime', 'States.Runtime', 'fail'],
    ['States.TaskFailed', 'Anything', 'catch'],
    ['States.TaskFailed', 'States.Timeout', 'fail'],
    ['States.Timeout', 'States.Timeout', 'catch'],
    ['Other', 'Anything', 'fail'],
  ])('%s for %s: %s', (pattern, error, kind) => {
    const state = { Type: 'Task' as const, Catch: [{ ErrorEquals: [pattern], Next: 'X' }] };
    expect(remedyFor(state, failed(error), []).kind).toBe(kind);
  });
});
