// A call of a function on its way through the runtime, and the answers Lambda itself gives when the function cannot.
import type { FunctionDefinition } from './function-definition.ts';
import type { ErrorPayload, LogLevel } from './worker/protocol.ts';

export interface InvokeOptions {
  requestId?: string;
  /** Collects the last lines the call logs, as X-Amz-Log-Type: Tail does. */
  logs?: 'tail';
}

export interface Invoked {
  payload: unknown;
  functionError?: 'Unhandled' | 'Handled';
  logs?: string;
}

/** The same with the payload as the JSON text it travels in. */
export interface InvokedText extends Omit<Invoked, 'payload'> {
  payload: string;
}

export interface Answer {
  /** JSON text. */
  payload: string;
  functionError: 'Unhandled' | undefined;
}

export interface LogLine {
  level: LogLevel;
  functionName: string;
  requestId: string | undefined;
  text: string;
}

export interface Call {
  readonly definition: FunctionDefinition;
  readonly requestId: string;
  readonly invokedArn: string;
  /** JSON text. */
  readonly payload: string;
  /** How many workers it was given to; a call that no worker began is given to the next, but not for ever. */
  handings: number;
  settle(answer: Answer): void;
  log?(line: LogLine): void;
}

export function failed(error: ErrorPayload): Answer {
  return { payload: JSON.stringify(error), functionError: 'Unhandled' };
}

export function timedOut(requestId: string, timeoutMs: number): Answer {
  return failed({
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
  });
}

export function outOfMemory(requestId: string): Answer {
  return failed({
    errorType: 'Runtime.OutOfMemory',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`,
  });
}

export function exited(requestId: string, exitCode: number): Answer {
  const how = exitCode === 0 ? 'without providing a reason' : `with error: exit status ${exitCode}`;
  return failed({
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited ${how}`,
  });
}
