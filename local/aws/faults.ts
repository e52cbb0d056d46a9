// Trouble on demand: makes a service of the runtime fail the way the cloud sometimes does, for tests of what callers do
// then. It is set through /_local/faults and gone after a restart.
import { setTimeout as wait } from 'node:timers/promises';
import { AwsError } from './error.ts';

export interface Fault {
  /** Name of the error that calls get; absent with `silent`. */
  error?: string;
  status?: number;
  /** Calls get no answer at all. */
  silent?: boolean;
  /** How many calls fail; absent: all until it is taken back. */
  times?: number;
}

const usualStatus: Readonly<Record<string, number>> = {
  ThrottlingException: 429,
  ModelTimeoutException: 408,
  ModelErrorException: 424,
  AccessDeniedException: 403,
  ValidationException: 400,
  InternalServerException: 500,
};

/** Longer than any client waits. */
const longestSilenceMs = 60_000;

export class Faults {
  private readonly faults = new Map<string, Fault>();
  private awake = new AbortController();

  set(signingName: string, fault: Fault): void {
    this.faults.set(signingName, { ...fault });
  }

  /** Ends all trouble; calls that got no answer until now get an error. */
  clear(): void {
    this.faults.clear();
    this.awake.abort();
    this.awake = new AbortController();
  }

  list(): Record<string, Fault> {
    return Object.fromEntries(this.faults);
  }

  isSet(signingName: string): boolean {
    return this.faults.has(signingName);
  }

  /** Throws or stays silent when the service is to be in trouble. */
  async meet(signingName: string): Promise<void> {
    const fault = this.faults.get(signingName);
    if (!fault) return;
    if (fault.times !== undefined && --fault.times <= 0) this.faults.delete(signingName);
    if (fault.silent)
      await wait(longestSilenceMs, undefined, { signal: this.awake.signal, ref: false }).catch(() => {});
    const error = fault.error ?? 'ServiceUnavailableException';
    throw new AwsError(error, 'Trouble that was asked for.', { status: fault.status ?? usualStatus[error] ?? 503 });
  }
}

/** Reads what was sent to /_local/faults; undefined when it is something else. */
export function parseFault(command: Record<string, unknown>): { service: string; fault: Fault } | undefined {
  const { service, error, status, silent, times, ...unknown } = command;
  const fits =
    typeof service === 'string' &&
    (typeof error === 'string' || silent === true) &&
    isWholeOrAbsent(status, 400, 599) &&
    isWholeOrAbsent(times, 1, 1_000_000) &&
    Object.keys(unknown).length === 0;
  if (!fits) return undefined;
  const fault = {
    ...(typeof error === 'string' && { error }),
    ...(status !== undefined && { status: status as number }),
    ...(silent === true && { silent }),
    ...(times !== undefined && { times: times as number }),
  };
  return { service, fault };
}

function isWholeOrAbsent(value: unknown, least: number, most: number): boolean {
  return value === undefined || (Number.isInteger(value) && (value as number) >= least && (value as number) <= most);
}
