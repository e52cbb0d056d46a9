// What becomes of a failed state: another attempt, a catcher, or the failure of its scope.
import type { Catcher, Retrier, State } from './definition.ts';
import type { StateError } from './state-error.ts';

export type Remedy =
  | { kind: 'retry'; retrier: number; delayMs: number }
  | { kind: 'catch'; catcher: Catcher }
  | { kind: 'fail' };

const mostDelaySeconds = 31_622_400;

/** `attempts` counts, for each retrier of the state, how often it has been used since the state was entered. */
export function remedyFor(
  state: State,
  failure: StateError,
  attempts: readonly number[],
  random: () => number = Math.random,
): Remedy {
  if (failure.error === 'States.Runtime') return { kind: 'fail' };
  const retrier = (state.Retry ?? []).findIndex(({ ErrorEquals }) => names(ErrorEquals, failure.error));
  const rule = state.Retry?.[retrier];
  const used = attempts[retrier] ?? 0;
  if (rule && used < (rule.MaxAttempts ?? 3)) return { kind: 'retry', retrier, delayMs: delayMs(rule, used, random) };
  const catcher = (state.Catch ?? []).find(({ ErrorEquals }) => names(ErrorEquals, failure.error));
  return catcher ? { kind: 'catch', catcher } : { kind: 'fail' };
}

function delayMs(rule: Retrier, used: number, random: () => number): number {
  const growing = (rule.IntervalSeconds ?? 1) * (rule.BackoffRate ?? 2) ** used;
  const seconds = Math.min(growing, rule.MaxDelaySeconds ?? mostDelaySeconds);
  return Math.round(seconds * 1000 * (rule.JitterStrategy === 'FULL' ? random() : 1));
}

/** States.TaskFailed stands for every error but a timeout; States.ALL for every one that can be survived. */
function names(patterns: readonly string[], error: string): boolean {
  return patterns.some((pattern) => {
    if (pattern === error) return true;
    if (pattern === 'States.ALL') return error !== 'States.DataLimitExceeded';
    if (pattern === 'States.Timeout') return error === 'States.HeartbeatTimeout';
    return (
      pattern === 'States.TaskFailed' &&
      !['States.Timeout', 'States.HeartbeatTimeout', 'States.DataLimitExceeded'].includes(error)
    );
  });
}
