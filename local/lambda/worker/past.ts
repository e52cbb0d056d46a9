// The program of the one worker in which a past is made: it runs the handlers of all functions that are called in it,
// each call at a time of its own. Which call's time it is follows the call through all that it awaits.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { installDate, realNow } from '../../clock/shifted-date.ts';
import { redirectOutput } from './console.ts';
import { installDirectLine } from './direct-line.ts';
import { errorPayload } from './error-payload.ts';
import { type Handler, loadHandler } from './handler.ts';
import type { LogLevel } from './protocol.ts';

export interface PastSetup {
  awsUrl: string;
  line: MessagePort;
}

export interface PastCall {
  number: number;
  functionName: string;
  taskRoot: string;
  handler: string;
  payload: unknown;
  atMs: number;
  timeoutMs: number;
}

export type PastMessage =
  | { kind: 'answer'; number: number; payload: unknown }
  | { kind: 'failed'; number: number; error: string }
  | { kind: 'log'; level: LogLevel; text: string };

const { awsUrl, line } = workerData as PastSetup;
const port = parentPort!;
const time = new AsyncLocalStorage<number>();
const handlers = new Map<string, Promise<Handler>>();
const send = (message: PastMessage) => port.postMessage(message);

installDate(() => time.getStore() ?? realNow());
installDirectLine(awsUrl, line);
redirectOutput((level, text) => send({ kind: 'log', level, text }));
port.on('message', (call: PastCall) => {
  time.run(call.atMs, () =>
    run(call).then(
      (payload) => send({ kind: 'answer', number: call.number, payload }),
      (error: unknown) => send({ kind: 'failed', number: call.number, error: JSON.stringify(errorPayload(error)) }),
    ),
  );
});

async function run({ functionName, taskRoot, handler: name, payload, number, timeoutMs }: PastCall): Promise<unknown> {
  const known = handlers.get(functionName) ?? loadHandler(taskRoot, name);
  handlers.set(functionName, known);
  const handler = await known;
  const enteredAt = performance.now();
  const context = {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionName,
    memoryLimitInMB: '1024',
    awsRequestId: `past-${number}`,
    logGroupName: '',
    logStreamName: '',
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(timeoutMs - (performance.now() - enteredAt))),
  };
  return handler(payload, context, () => {});
}
