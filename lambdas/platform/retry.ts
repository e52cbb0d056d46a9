import { setTimeout as pause } from 'node:timers/promises';
import { randomBelow } from './ids.ts';
import { ServiceError } from './service-error.ts';

/** Waits before the next attempt. Random delays keep competing writers from colliding again. */
export type Backoff = (attempt: number) => Promise<void>;

export const backoff: Backoff = async (attempt) => {
  await pause(randomBelow(Math.min(maxDelayMs, firstDelayMs * 2 ** attempt)) + 1);
};

export const noBackoff: Backoff = async () => {};

export interface RetryOptions {
  maxAttempts?: number;
  wait?: Backoff;
  /** The error after the last attempt. */
  exhausted(): Error;
}

/** Calls `attempt` until it returns a value. An attempt that may be retried returns undefined; others throw. */
export async function retry<Result>(
  attempt: (number: number) => Promise<Result | undefined>,
  { maxAttempts = defaultMaxAttempts, wait = backoff, exhausted }: RetryOptions,
): Promise<Result> {
  for (let number = 1; number <= maxAttempts; number++) {
    const result = await attempt(number);
    if (result !== undefined) return result;
    if (number < maxAttempts) await wait(number);
  }
  throw Object.assign(exhausted(), { isTransient: true });
}

const firstDelayMs = 4;
const maxDelayMs = 250;
/** About three seconds of backoff, and enough for two dozen competing writers. */
const defaultMaxAttempts = 30;

/**
 * Whether the same work would fail again: AWS rejects its input, or our code cannot process it. Throttling, timeouts,
 * conflicts, lost connections and missing permissions may pass.
 */
export function isPermanentFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error instanceof ServiceError) return error.status !== 503;
  const { $metadata, CancellationReasons, isTransient, code } = error as FailureDetails;
  if ($metadata) return rejectedInput.has(error.name) || (CancellationReasons ?? []).some(isRejectedWrite);
  return !isTransient && !passingErrors.has(error.name) && !/^E(?!RR_)/.test(code ?? '');
}

interface FailureDetails {
  /** On every error of the AWS SDK. */
  $metadata?: unknown;
  CancellationReasons?: readonly { Code?: string }[];
  isTransient?: boolean;
  /** Of a system error, such as ECONNRESET. */
  code?: string;
}

/** DynamoDB, SQS, SNS. */
const rejectedInput = new Set([
  'ValidationException',
  'InvalidMessageContents',
  'InvalidParameterException',
  'InvalidParameterValueException',
  'BatchRequestTooLong',
]);

const passingErrors = new Set(['TimeoutError', 'AbortError', 'CredentialsProviderError']);

function isRejectedWrite({ Code }: { Code?: string }): boolean {
  return Code === 'ValidationError' || Code === 'ItemCollectionSizeLimitExceeded';
}
