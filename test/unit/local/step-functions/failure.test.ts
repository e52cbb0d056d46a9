import { chooseRecovery, StateError } from '../../../../local/step-functions/failure.ts';

const aState = (fields: object) => ({ Type: 'Task' as const, ...fields });
const failure = (error: string) => new StateError(error, '');

describe('chooseRecovery', () => {
  it('backs off exponentially up to MaxDelaySeconds and fails after MaxAttempts', () => {
    const state = aState({
      Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 4, MaxDelaySeconds: 20 }],
    });
    const delays = [0, 1, 2, 3].map((used) => chooseRecovery(state, failure('A'), [used]));
    expect(delays).toEqual([2000, 6000, 18_000, 20_000].map((delayMs) => ({ kind: 'retry', retrier: 0, delayMs })));
    expect(chooseRecovery(state, failure('A'), [4])).toEqual({ kind: 'fail' });
    expect(chooseRecovery(state, failure('B'), [0])).toEqual({ kind: 'fail' });
  });

  it('defaults to three retries after 1, 2 and 4 seconds', () => {
    const state = aState({ Retry: [{ ErrorEquals: ['States.ALL'] }] });
    expect([0, 1, 2, 3].map((used) => chooseRecovery(state, failure('A'), [used]))).toEqual([
      { kind: 'retry', retrier: 0, delayMs: 1000 },
      { kind: 'retry', retrier: 0, delayMs: 2000 },
      { kind: 'retry', retrier: 0, delayMs: 4000 },
      { kind: 'fail' },
    ]);
  });

  it('randomizes the delay with full jitter', () => {
    const state = aState({ Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 10, JitterStrategy: 'FULL' }] });
    expect(chooseRecovery(state, failure('A'), [], () => 0.25)).toMatchObject({ delayMs: 2500 });
  });

  it.each([
    ['States.ALL', 'Anything', 'catch'],
    ['States.TaskFailed', 'Anything', 'catch'],
    ['States.ALL', 'States.Runtime', 'fail'],
    ['States.Runtime', 'States.Runtime', 'fail'],
    ['Other', 'Anything', 'fail'],
  ])('matches %s with %s: %s', (pattern, error, kind) => {
    const state = aState({ Catch: [{ ErrorEquals: [pattern], Next: 'X' }] });
    expect(chooseRecovery(state, failure(error), []).kind).toBe(kind);
  });
});
