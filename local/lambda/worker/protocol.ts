// What the main thread and a function's worker say to each other. Calls and answers are plain strings (number, line
// break, JSON), because a string crosses threads faster than an object tree and Lambda's payloads are JSON anyway. They
// travel in lists.

import type { MessagePort } from 'node:worker_threads';

/** Given to the worker once, when it starts. */
export interface WorkerSetup {
  /** Where SDK calls go, and the port that carries them there; without one they go over HTTP. */
  awsUrl: string;
  line: MessagePort | undefined;
  functionName: string;
  handler: string;
  taskRoot: string;
  memorySizeMb: number;
  timeoutMs: number;
  /** Whether it gives way to functions that somebody waits for. */
  givesWay: boolean;
  logGroupName: string;
  logStreamName: string;
  /** The runtime's clock: milliseconds added to the machine's time. */
  clockOffset: Float64Array;
  /** The number of the last call whose handler was entered; the main thread reads it when the worker no longer answers. */
  begun: Int32Array;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface ErrorPayload {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

export type WorkerMessage =
  /** Answers. */
  | string[]
  | { kind: 'ready' }
  | { kind: 'init-failed'; error: ErrorPayload }
  | { kind: 'log'; level: LogLevel; requestId: string | undefined; text: string }
  /** Something outside any handler's own promise failed; `requestId` is the call whose work it was, where that is known. */
  | { kind: 'crashed'; requestId: string | undefined; error: ErrorPayload };

/** Asks the worker to end by itself. */
export const leaveMessage = 'leave';

/** Calls, unless it is to leave. */
export type MainMessage = readonly string[] | typeof leaveMessage;

export interface CallMessage {
  number: number;
  requestId: string;
  invokedArn: string;
  payload: string;
}

export function writeCall(call: CallMessage): string {
  return `${call.number}\n${call.requestId}\n${call.invokedArn}\n${call.payload}`;
}

export function readCall(text: string): CallMessage {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const third = text.indexOf('\n', second + 1);
  return {
    number: Number(text.slice(0, first)),
    requestId: text.slice(first + 1, second),
    invokedArn: text.slice(second + 1, third),
    payload: text.slice(third + 1),
  };
}

export interface AnswerMessage {
  number: number;
  outcome: 'returned' | 'threw';
  payload: string;
}

export function writeAnswer(answer: AnswerMessage): string {
  return `${answer.outcome === 'returned' ? '+' : '-'}${answer.number}\n${answer.payload}`;
}

export function readAnswer(text: string): AnswerMessage {
  const first = text.indexOf('\n');
  return {
    number: Number(text.slice(1, first)),
    outcome: text.charAt(0) === '+' ? 'returned' : 'threw',
    payload: text.slice(first + 1),
  };
}
