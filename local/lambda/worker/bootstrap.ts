// The program of each worker thread: sets the clock, redirects output, loads handlers and runs calls. It is bundled into
// one string before the first worker starts, so it runs under plain Node.
import { AsyncLocalStorage } from 'node:async_hooks';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { batchMessages, installMessageTransport } from '../../aws/message-transport.ts';
import { installShiftedDate } from '../../clock/shifted-date.ts';
import { requireValue } from '../../require-value.ts';
import { storeCodeCache } from './compiled-code.ts';
import { redirectOutput } from './console.ts';
import { createInstance, type Handler, type HandlerContext, loadHandler } from './handler.ts';
import { installLoopback } from './loopback.ts';
import {
  type CallMessage,
  exitMessage,
  type FunctionSetup,
  type MainMessage,
  type ResultText,
  readCall,
  toErrorPayload,
  type WorkerMessage,
  type WorkerSetup,
  writeResponse,
} from './protocol.ts';

const maxResponseBytes = 6 * 1024 * 1024 + 100;

interface LoadedFunction {
  setup: FunctionSetup;
  loading: Promise<Handler>;
}

/** The function and request of the running code. */
interface Work {
  index: number;
  requestId: string | undefined;
}

const setup = workerData as WorkerSetup;
const port = requireValue(parentPort);
const currentWork = new AsyncLocalStorage<Work>();
const functions = new Map<number, LoadedFunction>();
const send = (message: WorkerMessage) => port.postMessage(message);
const post = batchMessages<string>(port);

if (setup.isLowPriority) lowerPriority();
installShiftedDate(setup.clockOffset);
if (setup.line) installMessageTransport(setup.awsUrl, setup.line);
installLoopback(setup.addresses);
redirectOutput((level, text) => send({ kind: 'log', level, text, ...getOrigin() }));
process.on('unhandledRejection', (reason) =>
  send({
    kind: 'crashed',
    error: { ...toErrorPayload(reason), errorType: 'Runtime.UnhandledPromiseRejection' },
    ...getOrigin(),
  }),
);
process.on('uncaughtException', (error) => send({ kind: 'crashed', error: toErrorPayload(error), ...getOrigin() }));
port.on('message', (message: MainMessage) => {
  if (message === exitMessage) process.exit();
  for (const entry of message) {
    if (typeof entry === 'string') handleCall(readCall(entry));
    else load(entry);
  }
});

function getOrigin(): { index: number | undefined; requestId: string | undefined } {
  const { index, requestId } = currentWork.getStore() ?? {};
  return { index, requestId };
}

function load(setup: FunctionSetup): void {
  const { index, taskRoot, handler, isolated } = setup;
  const loading = currentWork.run({ index, requestId: undefined }, () =>
    loadHandler(taskRoot, handler, isolated && createInstance({ taskRoot, exit: exitFunction, ...isolated })),
  );
  functions.set(index, { setup, loading });
  loading.then(
    () => {
      send({ kind: 'ready', index });
      setImmediate(storeCodeCache);
    },
    (error: unknown) => {
      functions.delete(index);
      send({ kind: 'init-failed', index, error: toErrorPayload(error) });
    },
  );
}

/** Replaces process.exit of isolated functions: the main thread fails the call and replaces the worker. */
function exitFunction(exitCode: number): never {
  send({ kind: 'exited', exitCode, ...getOrigin() });
  throw new Error(`process.exit(${exitCode})`);
}

/** Linux only, where 0 means the calling thread; on other systems it means the whole process. */
function lowerPriority(): void {
  const isThreadOnly = process.platform === 'linux';
  if (isThreadOnly) os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);
}

/** Waits until the function is loaded. The main thread fails the calls of a function that cannot be loaded. */
function handleCall(call: CallMessage): void {
  const { setup, loading } = functions.get(call.index) ?? {};
  loading?.then(
    (handler) =>
      currentWork.run({ index: call.index, requestId: call.requestId }, () =>
        startCall(requireValue(setup), handler, call),
      ),
    () => {},
  );
}

function startCall(definition: FunctionSetup, handler: Handler, call: CallMessage): void {
  Atomics.store(setup.lastStartedCall, 0, Math.max(call.number, Atomics.load(setup.lastStartedCall, 0)));
  run(definition, handler, call).then(
    (result) => post(writeResponse({ number: call.number, outcome: 'returned', ...result })),
    (error: unknown) => {
      const payload = JSON.stringify(toErrorPayload(error));
      post(writeResponse({ number: call.number, outcome: 'threw', payload }));
    },
  );
}

async function run(definition: FunctionSetup, handler: Handler, call: CallMessage): Promise<ResultText> {
  return serializeResult(await callHandler(handler, JSON.parse(call.payload), createContext(definition, call)));
}

/** A handler responds with a promise or, with a third parameter, a callback; the first response counts. */
function callHandler(handler: Handler, event: unknown, context: HandlerContext): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const returned = handler(event, context, (error, result) => {
      if (error === undefined || error === null) resolve(result);
      else reject(error);
    });
    if (isThenable(returned)) returned.then(resolve, reject);
    // Without a promise or callback no response can follow; Lambda returns null.
    else if (handler.length < 3) resolve(null);
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function serializeResult(result: unknown): ResultText {
  if (hasShortBody(result)) {
    const { body, ...head } = result;
    return { payload: stringify(head), body };
  }
  const text = stringify(result);
  if (text.length > maxResponseBytes / 3 && Buffer.byteLength(text) > maxResponseBytes) {
    throw Object.assign(
      new Error(`Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`),
      { name: 'Function.ResponseSizeTooLarge' },
    );
  }
  return { payload: text };
}

/** Quoted, a body takes at most six bytes for each of its characters, so a short one cannot exceed the limit. */
function hasShortBody(result: unknown): result is { body: string } {
  const { body, toJSON } = (result ?? {}) as { body?: unknown; toJSON?: unknown };
  return typeof body === 'string' && body.length < maxResponseBytes / 12 && toJSON === undefined;
}

function stringify(value: unknown): string {
  try {
    // undefined and functions have no JSON form; Lambda returns null.
    return JSON.stringify(value) ?? 'null';
  } catch {
    throw new Error('Unable to stringify response body');
  }
}

/** The qualifier is the eighth part of an ARN. An alias points to the only version. */
function getVersion(invokedArn: string): string {
  const qualifier = invokedArn.split(':')[7] ?? '$LATEST';
  return qualifier === '$LATEST' ? qualifier : '1';
}

function createContext(definition: FunctionSetup, call: CallMessage): HandlerContext {
  const enteredAt = performance.now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: definition.functionName,
    functionVersion: getVersion(call.invokedArn),
    invokedFunctionArn: call.invokedArn,
    memoryLimitInMB: String(definition.memorySizeMb),
    awsRequestId: call.requestId,
    logGroupName: definition.logGroupName,
    logStreamName: definition.logStreamName,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(definition.timeoutMs - (performance.now() - enteredAt))),
  };
}
