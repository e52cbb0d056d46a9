// Fault injection: makes a service fail as it sometimes does in the cloud, so tests can check how callers react. Faults are
// set through /_local/faults and do not survive a restart.
import { setTimeout as wait } from 'node:timers/promises';
import { AwsError } from './error.ts';

export interface Fault {
  /** Error code of the response; absent with `silent`. */
  error?: string;
  status?: number;
  /** Message of the error; several services use one code for different causes. */
  message?: string;
  /** Calls get no response at all. */
  silent?: boolean;
  /** Calls succeed, but the connection breaks before their response. */
  lost?: boolean;
  /** Only calls of this operation fail, such as PutItem; * at its end stands for any text. */
  operation?: string;
  /** Only calls of this function or state machine fail. */
  caller?: string;
  /** How many calls succeed first. */
  after?: number;
  /** How many calls fail; absent: all until the fault is cleared. */
  times?: number;
}

/** The call succeeded, and its response is lost. */
export class LostResponse extends Error {}

const defaultStatus: Readonly<Record<string, number>> = {
  ThrottlingException: 429,
  ModelTimeoutException: 408,
  ModelErrorException: 424,
  AccessDeniedException: 403,
  ResourceNotFoundException: 404,
  ValidationException: 400,
  InternalServerException: 500,
};

/** Longer than any client waits. */
const maxSilenceMs = 60_000;

export class Faults {
  private readonly faults = new Map<string, Fault>();
  private cleared = new AbortController();

  set(signingName: string, fault: Fault): void {
    this.faults.set(signingName, { ...fault });
  }

  /** Removes all faults; calls still waiting get an error. */
  clear(): void {
    this.faults.clear();
    this.cleared.abort();
    this.cleared = new AbortController();
  }

  list(): Record<string, Fault> {
    return Object.fromEntries(this.faults);
  }

  isSet(signingName: string): boolean {
    return this.faults.has(signingName);
  }

  /** Makes the call, or throws, or stays silent, as the fault of the service says. */
  async apply<Response>(
    { service, operation, caller }: { service: string; operation: string; caller: string },
    call: () => Promise<Response>,
  ): Promise<Response> {
    const fault = this.faults.get(service);
    if (!fault || !matches(fault.operation, operation) || !matches(fault.caller, caller)) return call();
    if (fault.after) {
      fault.after--;
      return call();
    }
    if (fault.times !== undefined && --fault.times <= 0) this.faults.delete(service);
    if (fault.lost) {
      await call();
      throw new LostResponse();
    }
    if (fault.silent) await wait(maxSilenceMs, undefined, { signal: this.cleared.signal, ref: false }).catch(() => {});
    const error = fault.error ?? 'ServiceUnavailableException';
    throw new AwsError(error, fault.message ?? 'Injected fault.', {
      status: fault.status ?? defaultStatus[error] ?? 503,
    });
  }
}

function matches(pattern: string | undefined, text: string): boolean {
  if (pattern?.endsWith('*')) return text.startsWith(pattern.slice(0, -1));
  return pattern === undefined || pattern === text;
}

/** Parses the body of POST /_local/faults; undefined when it is invalid. */
export function parseFault(command: Record<string, unknown>): { service: string; fault: Fault } | undefined {
  const { service, error, status, message, silent, lost, operation, caller, after, times, ...unknown } = command;
  const isValid =
    typeof service === 'string' &&
    (typeof error === 'string' || silent === true || lost === true) &&
    [message, operation, caller].every((text) => text === undefined || typeof text === 'string') &&
    isIntegerOrAbsent(status, 400, 599) &&
    isIntegerOrAbsent(after, 0, 1_000_000) &&
    isIntegerOrAbsent(times, 1, 1_000_000) &&
    Object.keys(unknown).length === 0;
  if (!isValid) return undefined;
  const fault = {
    ...(typeof error === 'string' && { error }),
    ...(status !== undefined && { status: status as number }),
    ...(typeof message === 'string' && { message }),
    ...(silent === true && { silent }),
    ...(lost === true && { lost }),
    ...(typeof operation === 'string' && { operation }),
    ...(typeof caller === 'string' && { caller }),
    ...(after !== undefined && { after: after as number }),
    ...(times !== undefined && { times: times as number }),
  };
  return { service, fault };
}

function isIntegerOrAbsent(value: unknown, min: number, max: number): boolean {
  return value === undefined || (Number.isInteger(value) && (value as number) >= min && (value as number) <= max);
}
