// The program of the worker that applies a seed. It runs the handlers of all functions, each call at its own time: an
// AsyncLocalStorage carries the time through everything the call awaits.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { installMessageTransport } from '../../aws/message-transport.ts';
import { installDate, systemNow } from '../../clock/shifted-date.ts';
import { requireValue } from '../../require-value.ts';
import { redirectOutput } from './console.ts';
import { type Handler, loadHandler } from './handler.ts';
import type { LogLevel } from './protocol.ts';
import { toErrorPayload } from './protocol.ts';

export interface SeedSetup {
  awsUrl: string;
  line: MessagePort;
}

export interface SeedCall {
  number: number;
  functionName: string;
  taskRoot: string;
  handler: string;
  payload: unknown;
  atMs: number;
  timeoutMs: number;
}

export type SeedMessage =
  | { kind: 'returned'; number: number; payload: unknown }
  | { kind: 'failed'; number: number; error: string }
  | { kind: 'log'; level: LogLevel; text: string };

const { awsUrl, line } = workerData as SeedSetup;
const port = requireValue(parentPort);
const time = new AsyncLocalStorage<number>();
const handlers = new Map<string, Promise<Handler>>();
const send = (message: SeedMessage) => port.postMessage(message);

installDate(() => time.getStore() ?? systemNow());
installMessageTransport(awsUrl, line);
redirectOutput((level, text) => send({ kind: 'log', level, text }));
port.on('message', (call: SeedCall) => {
  time.run(call.atMs, () =>
    run(call).then(
      (payload) => send({ kind: 'returned', number: call.number, payload }),
      (error: unknown) => send({ kind: 'failed', number: call.number, error: JSON.stringify(toErrorPayload(error)) }),
    ),
  );
});

async function run({ functionName, taskRoot, handler: name, payload, number, timeoutMs }: SeedCall): Promise<unknown> {
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
    awsRequestId: `seed-${number}`,
    logGroupName: '',
    logStreamName: '',
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(timeoutMs - (performance.now() - enteredAt))),
  };
  return handler(payload, context, () => {});
}
