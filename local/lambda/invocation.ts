// A call of a function on its way through the runtime, and the answers Lambda itself gives when the function cannot.

import type { Log } from '../log.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { ErrorPayload, LogLevel } from './worker/protocol.ts';

export interface InvokeOptions {
  requestId?: string;
  /** Collects the last lines the call logs, as X-Amz-Log-Type: Tail does. */
  logs?: 'tail';
}

export interface InvokeResult {
  payload: unknown;
  functionError?: 'Unhandled' | 'Handled';
  logs?: string;
}

/** The same with the payload as the JSON text it travels in. */
export interface InvokeTextResult extends Omit<InvokeResult, 'payload'> {
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
  attempts: number;
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

// A function's output as lines of the runtime's log. A line that is a JSON object already (a structured logger wrote
// it) is merged into the entry; anything else is its message.

export function logFunctionLine(log: Log, line: LogLine): void {
  const known = {
    function: line.functionName,
    ...(line.requestId === undefined ? {} : { request_id: line.requestId }),
  };
  const structured = parsed(line.text);
  if (!structured) {
    write(log, line.level, line.text, known);
    return;
  }
  const { message, level, ...rest } = structured;
  const text = typeof message === 'string' ? message : message === undefined ? '' : JSON.stringify(message);
  write(log, levelOf(level) ?? line.level, text, { ...known, ...rest });
}

function write(log: Log, level: LogLevel, message: string, fields: Record<string, unknown>): void {
  if (level === 'debug') log.info(message, { ...fields, level });
  else log[level](message, fields);
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{') || !text.trimEnd().endsWith('}')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function levelOf(level: unknown): LogLevel | undefined {
  switch (String(level).toLowerCase()) {
    case 'trace':
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warn':
    case 'warning':
      return 'warn';
    case 'error':
    case 'critical':
    case 'fatal':
      return 'error';
    default:
      return undefined;
  }
}
