// The error of a failed state and the recovery from it: a retry, a catcher, or a failed execution.
import type { Catcher, Retrier, State } from './definition.ts';

/** `error` is the name that Retry and Catch match; `cause` is the description. */
export class StateError extends Error {
  readonly error: string;
  override readonly cause: string;

  constructor(error: string, cause: string) {
    super(`${error}: ${cause}`);
    this.error = error;
    this.cause = cause;
  }
}

/** The input lacks a value that the definition refers to. Retry and Catch never match this error. */
export const runtimeError = (cause: string) => new StateError('States.Runtime', cause);

export type Recovery =
  | { kind: 'retry'; retrier: number; delayMs: number }
  | { kind: 'catch'; catcher: Catcher }
  | { kind: 'fail' };

const maxDelaySeconds = 31_622_400;

/** `attempts` counts, for each retrier of the state, its retries since the state was entered. */
export function chooseRecovery(
  state: State,
  { error }: StateError,
  attempts: readonly number[],
  random: () => number = Math.random,
): Recovery {
  if (error === 'States.Runtime') return { kind: 'fail' };
  const index = (state.Retry ?? []).findIndex(({ ErrorEquals }) => matchesError(ErrorEquals, error));
  const retrier = state.Retry?.[index];
  const used = attempts[index] ?? 0;
  if (retrier && used < (retrier.MaxAttempts ?? 3)) {
    return { kind: 'retry', retrier: index, delayMs: computeDelayMs(retrier, used, random) };
  }
  const catcher = (state.Catch ?? []).find(({ ErrorEquals }) => matchesError(ErrorEquals, error));
  return catcher ? { kind: 'catch', catcher } : { kind: 'fail' };
}

function matchesError(patterns: readonly string[], error: string): boolean {
  const wildcards = error === 'States.Timeout' ? ['States.ALL'] : ['States.ALL', 'States.TaskFailed'];
  return patterns.some((pattern) => [...wildcards, error].includes(pattern));
}

function computeDelayMs(retrier: Retrier, used: number, random: () => number): number {
  const backoffSeconds = (retrier.IntervalSeconds ?? 1) * (retrier.BackoffRate ?? 2) ** used;
  const seconds = Math.min(backoffSeconds, retrier.MaxDelaySeconds ?? maxDelaySeconds);
  return Math.round(seconds * 1000 * (retrier.JitterStrategy === 'FULL' ? random() : 1));
}
