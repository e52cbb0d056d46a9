// Messages between the main thread and a worker. Calls and responses are strings (number, line break, JSON), because a
// string crosses threads faster than an object tree and Lambda's payloads are JSON anyway. They are sent in batches.

import { types } from 'node:util';
import type { MessagePort } from 'node:worker_threads';

/** Sent once, when the worker starts. */
export interface WorkerSetup {
  /** The AWS endpoint and the message transport to it; without one, SDK calls use HTTP. */
  awsUrl: string;
  /** The server's public URL, and its URL on this machine. */
  addresses: { publicUrl: string; loopbackUrl: string };
  line: MessagePort | undefined;
  /** Whether the thread yields to functions that clients wait for. */
  isLowPriority: boolean;
  /** The runtime's clock: milliseconds added to the machine's time. */
  clockOffset: Float64Array;
  /** The last call whose handler started; the main thread reads it when the worker stops responding. */
  lastStartedCall: Int32Array;
}

/** Makes the worker load a function; sent before its first call. */
export interface FunctionSetup {
  /** Identifies the function in calls, logs and failures. */
  index: number;
  functionName: string;
  handler: string;
  taskRoot: string;
  memorySizeMb: number;
  timeoutMs: number;
  logGroupName: string;
  logStreamName: string;
  /** The function's own process.env and code, unless its code must be loaded as Node loads modules. */
  isolated: { environment: Record<string, string>; commonJsRoot: string | undefined } | undefined;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface ErrorPayload {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** The function and request that caused a message, if known. */
interface Origin {
  index: number | undefined;
  requestId: string | undefined;
}

export type WorkerMessage =
  /** Responses. */
  | string[]
  | { kind: 'ready'; index: number }
  | { kind: 'init-failed'; index: number; error: ErrorPayload }
  | ({ kind: 'log'; level: LogLevel; text: string } & Origin)
  /** An error outside of any handler's promise. */
  | ({ kind: 'crashed'; error: ErrorPayload } & Origin)
  /** A function called process.exit in a shared worker. */
  | ({ kind: 'exited'; exitCode: number } & Origin);

/** Asks the worker to exit. */
export const exitMessage = 'exit';

/** Calls and functions to load, or the request to exit. */
export type MainMessage = readonly (string | FunctionSetup)[] | typeof exitMessage;

export interface CallMessage {
  number: number;
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

/** A result as JSON. The text `body` of an HTTP response is sent as it is: quoting and reading it would take a tenth of a request. */
export interface ResultText {
  payload: string;
  body?: string | undefined;
}

interface ResponseMessage extends ResultText {
  number: number;
  outcome: 'returned' | 'threw';
}

export function writeResponse({ number, outcome, payload, body }: ResponseMessage): string {
  const head = `${outcome === 'returned' ? '+' : '-'}${number}\n${payload}`;
  return body === undefined ? head : `${head}\n${body}`;
}

export function readResponse(text: string): ResponseMessage {
  const first = text.indexOf('\n');
  // JSON contains no line break.
  const second = text.indexOf('\n', first + 1);
  return {
    number: Number(text.slice(1, first)),
    outcome: text.charAt(0) === '+' ? 'returned' : 'threw',
    payload: second < 0 ? text.slice(first + 1) : text.slice(first + 1, second),
    body: second < 0 ? undefined : text.slice(second + 1),
  };
}

/** Formats a thrown value as Lambda does. */
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
    // A getter that throws, or a value without a string form, must not block the response.
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
