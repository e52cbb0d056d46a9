// A function call inside the runtime, and the results that Lambda itself returns when a function fails.

import type { Metrics } from '../cloudwatch/metrics.ts';
import type { Log } from '../log.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { ErrorPayload, LogLevel, ResultText } from './worker/protocol.ts';

export interface InvokeOptions {
  requestId?: string;
  /** Returns the call's last log lines, as X-Amz-Log-Type: Tail does. */
  logs?: 'tail';
}

export interface InvokeResult {
  payload: unknown;
  functionError?: 'Unhandled' | 'Handled';
  logs?: string;
}

/** An InvokeResult whose payload is JSON text. */
export interface InvokeTextResult extends Omit<InvokeResult, 'payload'> {
  payload: string;
}

export interface CallResult extends ResultText {
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
  /** How many workers accepted the call; a call that never started moves to another worker a limited number of times. */
  attempts: number;
  settle(result: CallResult): void;
  log?(line: LogLine): void;
}

export function toFailure(error: ErrorPayload): CallResult {
  return { payload: JSON.stringify(error), functionError: 'Unhandled' };
}

export function toTimeout(requestId: string, timeoutMs: number): CallResult {
  return toFailure({
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
  });
}

export function toOutOfMemory(requestId: string): CallResult {
  return toFailure({
    errorType: 'Runtime.OutOfMemory',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`,
  });
}

/** `reason`: why the thread could not start. */
export function toExit(requestId: string, exitCode: number, reason?: string): CallResult {
  const status = exitCode === 0 ? undefined : `exit status ${exitCode}`;
  const error = reason ?? status;
  const how = error === undefined ? 'without providing a reason' : `with error: ${error}`;
  return toFailure({
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited ${how}`,
  });
}

/** Writes a function's output to the runtime's log. A line from a structured logger (JSON) is merged into the entry. */
export function logFunctionLine(log: Log, line: LogLine, metrics?: Pick<Metrics, 'recordLogLine'>): void {
  const known = {
    function: line.functionName,
    ...(line.requestId === undefined ? {} : { request_id: line.requestId }),
  };
  const structured = parseJsonLine(line.text);
  if (!structured) {
    write(log, line.level, line.text, known);
    return;
  }
  metrics?.recordLogLine(structured);
  const { message, level, ...rest } = structured;
  const text = typeof message === 'string' ? message : message === undefined ? '' : JSON.stringify(message);
  write(log, parseLevel(level) ?? line.level, text, { ...known, ...rest });
}

function write(log: Log, level: LogLevel, message: string, fields: Record<string, unknown>): void {
  if (level === 'debug') log.info(message, { ...fields, level });
  else log[level](message, fields);
}

function parseJsonLine(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{') || !text.trimEnd().endsWith('}')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLevel(level: unknown): LogLevel | undefined {
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
