// What the main thread and a worker say to each other. Calls and answers are plain strings (number, line break, JSON),
// because a string crosses threads faster than an object tree and Lambda's payloads are JSON anyway. They travel in lists.

import { types } from 'node:util';
import type { MessagePort } from 'node:worker_threads';

/** Given to the worker once, when it starts. */
export interface WorkerSetup {
  /** Where SDK calls go, and the port that carries them there; without one they go over HTTP. */
  awsUrl: string;
  line: MessagePort | undefined;
  /** Whether it gives way to functions that somebody waits for. */
  isLowPriority: boolean;
  /** The runtime's clock: milliseconds added to the machine's time. */
  clockOffset: Float64Array;
  /** The number of the last call whose handler was entered; the main thread reads it when the worker no longer answers. */
  begun: Int32Array;
}

/** Given to the worker before the first call of each of its functions: load this function. */
export interface FunctionSetup {
  /** How calls, logs and failures name the function. */
  index: number;
  functionName: string;
  handler: string;
  taskRoot: string;
  memorySizeMb: number;
  timeoutMs: number;
  logGroupName: string;
  logStreamName: string;
  /** Only where several functions share the worker: what this one sees as process.env. */
  shared: { environment: Record<string, string>; commonJsRoot: string | undefined } | undefined;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface ErrorPayload {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** Whose work something was, as far as that is known. */
interface Origin {
  index: number | undefined;
  requestId: string | undefined;
}

export type WorkerMessage =
  /** Answers. */
  | string[]
  | { kind: 'ready'; index: number }
  | { kind: 'init-failed'; index: number; error: ErrorPayload }
  | ({ kind: 'log'; level: LogLevel; text: string } & Origin)
  /** Something outside any handler's own promise failed. */
  | ({ kind: 'crashed'; error: ErrorPayload } & Origin)
  /** A function called process.exit in a worker that it shares. */
  | ({ kind: 'exited'; exitCode: number } & Origin);

/** Asks the worker to end by itself. */
export const exitMessage = 'leave';

/** Calls and functions to load, or the request to leave. */
export type MainMessage = readonly (string | FunctionSetup)[] | typeof exitMessage;

export interface CallMessage {
  number: number;
  /** The function's. */
  index: number;
  requestId: string;
  invokedArn: string;
  payload: string;
}

export function writeCall(call: CallMessage): string {
  return `${call.number}\n${call.index}\n${call.requestId}\n${call.invokedArn}\n${call.payload}`;
}

export function readCall(text: string): CallMessage {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const third = text.indexOf('\n', second + 1);
  const fourth = text.indexOf('\n', third + 1);
  return {
    number: Number(text.slice(0, first)),
    index: Number(text.slice(first + 1, second)),
    requestId: text.slice(second + 1, third),
    invokedArn: text.slice(third + 1, fourth),
    payload: text.slice(fourth + 1),
  };
}

interface ResponseMessage {
  number: number;
  outcome: 'returned' | 'threw';
  payload: string;
}

export function writeResponse(answer: ResponseMessage): string {
  return `${answer.outcome === 'returned' ? '+' : '-'}${answer.number}\n${answer.payload}`;
}

export function readResponse(text: string): ResponseMessage {
  const first = text.indexOf('\n');
  return {
    number: Number(text.slice(1, first)),
    outcome: text.charAt(0) === '+' ? 'returned' : 'threw',
    payload: text.slice(first + 1),
  };
}

/** What a thrown value looks like in Lambda's answer. */
export function toErrorPayload(thrown: unknown): ErrorPayload {
  try {
    if (looksLikeError(thrown)) {
      return {
        errorType: thrown.name,
        errorMessage: thrown.message,
        trace: String(thrown.stack ?? '').split('\n'),
      };
    }
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  } catch {
    // A hostile getter or a value without a string form must not keep the call from being answered.
    return {
      errorType: 'handled',
      errorMessage: 'callback called with Error argument, but there was a problem',
      trace: [],
    };
  }
}

function looksLikeError(thrown: unknown): thrown is Error {
  if (types.isNativeError(thrown)) return true;
  const candidate = thrown as { name?: unknown; message?: unknown; stack?: unknown } | null | undefined;
  return Boolean(candidate?.name && candidate.message && candidate.stack);
}
