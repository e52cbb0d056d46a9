// The program inside each function's worker thread: it sets the clock, takes over the console, loads the handler and
// answers calls. It is bundled into one string before the first worker starts, so it loads under plain node.
import { AsyncLocalStorage } from 'node:async_hooks';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { installShiftedDate } from '../../clock/shifted-date.ts';
import { redirectOutput } from './console.ts';
import { installDirectLine } from './direct-line.ts';
import { errorPayload } from './error-payload.ts';
import { gathering } from './gathering.ts';
import { type Handler, type HandlerContext, loadHandler } from './handler.ts';
import {
  type CallMessage,
  leaveMessage,
  type MainMessage,
  readCall,
  type WorkerMessage,
  type WorkerSetup,
  writeAnswer,
} from './protocol.ts';

const largestResponseBytes = 6 * 1024 * 1024 + 100;

const setup = workerData as WorkerSetup;
const port = parentPort!;
const currentRequest = new AsyncLocalStorage<string>();
const send = (message: WorkerMessage) => port.postMessage(message);
const post = gathering<string>(port);

if (setup.givesWay) giveWay();
installShiftedDate(setup.clockOffset);
if (setup.line) installDirectLine(setup.awsUrl, setup.line);
redirectOutput((level, text) => send({ kind: 'log', level, requestId: currentRequest.getStore(), text }));
process.on('unhandledRejection', (reason) =>
  send({
    kind: 'crashed',
    requestId: currentRequest.getStore(),
    error: { ...errorPayload(reason), errorType: 'Runtime.UnhandledPromiseRejection' },
  }),
);
process.on('uncaughtException', (error) =>
  send({ kind: 'crashed', requestId: currentRequest.getStore(), error: errorPayload(error) }),
);

// Calls that arrive while the handler loads wait in the port, because nobody listens to it yet. The port is
// referenced meanwhile, so that a module that awaits something does not end the worker.
port.ref();
loadHandler(setup.taskRoot, setup.handler).then(
  (handler) => {
    send({ kind: 'ready' });
    port.on('message', (message: MainMessage) => {
      if (message === leaveMessage) process.exit();
      for (const text of message) answer(handler, readCall(text));
    });
  },
  (error: unknown) => {
    send({ kind: 'init-failed', error: errorPayload(error) });
    port.on('message', (message: MainMessage) => message === leaveMessage && process.exit());
  },
);

/** Linux takes 0 for the calling thread; elsewhere it would be the whole process. */
function giveWay(): void {
  const threadOnly = process.platform === 'linux';
  if (threadOnly) os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);
}

function answer(handler: Handler, call: CallMessage): void {
  Atomics.store(setup.begun, 0, call.number);
  currentRequest.run(call.requestId, () => {
    run(handler, call).then(
      (payload) => post(writeAnswer({ number: call.number, outcome: 'returned', payload })),
      (error: unknown) => {
        const payload = JSON.stringify(errorPayload(error));
        post(writeAnswer({ number: call.number, outcome: 'threw', payload }));
      },
    );
  });
}

async function run(handler: Handler, call: CallMessage): Promise<string> {
  return serialized(await settled(handler, JSON.parse(call.payload), contextOf(call)));
}

/** A handler answers by its promise or, when it takes a third parameter, by calling back; whichever comes first counts. */
function settled(handler: Handler, event: unknown, context: HandlerContext): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const returned = handler(event, context, (error, result) => {
      if (error === undefined || error === null) resolve(result);
      else reject(error);
    });
    if (isThenable(returned)) returned.then(resolve, reject);
    // Without a promise and without a callback nothing can answer any more; Lambda then answers null.
    else if (handler.length < 3) resolve(null);
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function serialized(result: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch {
    throw new Error('Unable to stringify response body');
  }
  // undefined and functions have no JSON form; Lambda answers null for them.
  if (text === undefined) return 'null';
  if (text.length > largestResponseBytes / 3 && Buffer.byteLength(text) > largestResponseBytes) {
    throw Object.assign(
      new Error(`Response payload size exceeded maximum allowed payload size (${largestResponseBytes} bytes).`),
      { name: 'Function.ResponseSizeTooLarge' },
    );
  }
  return text;
}

function contextOf(call: CallMessage): HandlerContext {
  const enteredAt = performance.now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: setup.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: call.invokedArn,
    memoryLimitInMB: String(setup.memorySizeMb),
    awsRequestId: call.requestId,
    logGroupName: setup.logGroupName,
    logStreamName: setup.logStreamName,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(setup.timeoutMs - (performance.now() - enteredAt))),
  };
}
