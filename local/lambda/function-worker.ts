// A worker thread that runs one or more functions. It runs several calls concurrently, whereas Lambda gives each call its
// own environment. Two rules hide most of the difference. If the call that broke the worker (timeout, uncaught exception)
// is known, only that call fails. A call that the worker never started moves to a new worker.
import type { Worker } from 'node:worker_threads';
import { batchMessages } from '../aws/message-transport.ts';
import { requireValue } from '../require-value.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { type Call, type CallResult, type LogLine, toExit, toFailure, toOutOfMemory, toTimeout } from './invocation.ts';
import { endThread, startThread, type ThreadOptions } from './thread.ts';
import {
  type ErrorPayload,
  type FunctionSetup,
  readResponse,
  type WorkerMessage,
  writeCall,
} from './worker/protocol.ts';
import type { WorkerGroup } from './worker-groups.ts';

/** Lambda restarts an init that takes longer, within the timeout of the first call. */
const firstInitMs = 10_000;
const maxAttempts = 3;

/** A shared worker without progress for this long is stuck in a call; calls of other functions move to a new worker. */
const stuckAfterMs = 3_000;

interface FunctionWorkerOptions extends ThreadOptions {
  setUp(definition: FunctionDefinition): Omit<FunctionSetup, 'index'>;
  /** The worker accepts no further calls. */
  onRetire(worker: FunctionWorker): void;
  /** The worker has ended. */
  onEnd(worker: FunctionWorker): void;
  onIdle(worker: FunctionWorker): void;
  /** The worker accepted the call but never started it. */
  onReturn(call: Call): void;
  onLog(line: LogLine): void;
}

interface LoadedFunction {
  readonly index: number;
  readonly definition: FunctionDefinition;
  readonly initTimer: NodeJS.Timeout;
  isReady: boolean;
}

interface InFlight {
  call: Call;
  loaded: LoadedFunction;
  acceptedAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

export class FunctionWorker {
  readonly group: WorkerGroup;
  /** Set by the pool at every use; the lowest value is the least recently used. */
  lastUse = 0;
  lastUseMs = 0;
  private readonly options: FunctionWorkerOptions;
  private readonly worker: Worker;
  private readonly post: (entry: string | FunctionSetup) => void;
  private readonly loadedByName = new Map<string, LoadedFunction>();
  private readonly loadedByIndex: LoadedFunction[] = [];
  private readonly inFlight = new Map<number, InFlight>();
  private readonly lastStartedCall = new Int32Array(new SharedArrayBuffer(4));
  private number = 0;
  /** When the worker last started a call or sent a message. */
  private lastProgressMs = Number.POSITIVE_INFINITY;
  private lastSeenCall = 0;
  private state: 'open' | 'retiring' | 'ended' = 'open';
  private threadError: NodeJS.ErrnoException | undefined;
  private ending: Promise<void> | undefined;

  constructor(options: FunctionWorkerOptions) {
    this.options = options;
    this.group = options.group;
    this.worker = startThread(options, this.lastStartedCall);
    this.post = batchMessages(this.worker);
    this.worker.on('online', () => {
      this.lastProgressMs = performance.now();
    });
    this.worker.on('message', (message: WorkerMessage) => this.receive(message));
    this.worker.on('error', (error: NodeJS.ErrnoException) => this.handleWorkerError(error));
    this.worker.on('exit', (code) => this.handleWorkerExit(code));
  }

  get load(): number {
    return this.inFlight.size;
  }

  accept(call: Call): void {
    call.attempts++;
    const loaded = this.loadedByName.get(call.definition.name) ?? this.loadFunction(call.definition);
    const number = ++this.number;
    const inFlight: InFlight = { call, loaded, acceptedAtMs: performance.now(), timer: undefined };
    this.inFlight.set(number, inFlight);
    if (loaded.isReady) this.startTimeout(number, inFlight);
    const { requestId, invokedArn, payload } = call;
    this.post(writeCall({ number, index: loaded.index, requestId, invokedArn, payload }));
  }

  /** Moves unstarted calls to a new worker when a call blocks this one. The blocking call may still finish. */
  retireIfStuck(nowMs: number): void {
    const lastStartedCall = Atomics.load(this.lastStartedCall, 0);
    if (lastStartedCall !== this.lastSeenCall) this.lastProgressMs = nowMs;
    this.lastSeenCall = lastStartedCall;
    const oldest = [...this.inFlight].find(([number]) => !this.hasStarted(number));
    if (!oldest || this.state !== 'open') return;
    const waitsSinceMs = Math.max(oldest[1].acceptedAtMs, this.lastProgressMs);
    // Loading is slow on a busy machine, and a new worker would start over.
    const isLoading = [...this.loadedByName.values()].some(({ isReady }) => !isReady);
    if (nowMs - waitsSinceMs > (isLoading ? firstInitMs : stuckAfterMs)) this.returnUnstartedCalls();
  }

  /** Ends the worker; calls in flight fail as if the process had exited. */
  end(): Promise<void> {
    this.retire();
    this.ending ??= endThread(this.worker);
    return this.ending;
  }

  private loadFunction(definition: FunctionDefinition): LoadedFunction {
    const index = this.loadedByIndex.length;
    // A single attempt gets the time of Lambda's two attempts: on a busy machine a restart would take longer.
    const initMs = firstInitMs + definition.timeoutMs;
    const initTimedOut = () => this.failFunction(loaded, (call) => toTimeout(call.requestId, initMs));
    const loaded: LoadedFunction = { index, definition, initTimer: setTimeout(initTimedOut, initMs), isReady: false };
    this.loadedByName.set(definition.name, loaded);
    this.loadedByIndex.push(loaded);
    this.post({ index, ...this.options.setUp(definition) });
    return loaded;
  }

  private receive(message: WorkerMessage): void {
    this.lastProgressMs = performance.now();
    if (Array.isArray(message)) {
      for (const text of message) this.handleResponse(text);
      return;
    }
    const loaded = message.index === undefined ? undefined : this.loadedByIndex[message.index];
    if (message.kind === 'log') this.log({ ...message, functionName: this.getFunctionName(loaded) });
    else if (message.kind === 'ready') this.markReady(requireValue(loaded));
    else if (message.kind === 'init-failed') this.failFunction(requireValue(loaded), () => toFailure(message.error));
    else if (message.kind === 'crashed') this.handleCrash(loaded, message.requestId, message.error);
    else this.handleExit(loaded, message.requestId, message.exitCode);
  }

  private getFunctionName(loaded: LoadedFunction | undefined): string {
    return loaded?.definition.name ?? this.group.name;
  }

  private handleResponse(text: string): void {
    const { number, outcome, ...result } = readResponse(text);
    this.respond(number, { ...result, functionError: outcome === 'threw' ? 'Unhandled' : undefined });
  }

  private log(line: LogLine): void {
    for (const { call } of this.inFlight.values()) if (call.requestId === line.requestId) call.log?.(line);
    this.options.onLog(line);
  }

  private markReady(loaded: LoadedFunction): void {
    clearTimeout(loaded.initTimer);
    loaded.isReady = true;
    for (const [number, inFlight] of this.inFlight) if (inFlight.loaded === loaded) this.startTimeout(number, inFlight);
  }

  /** Timeouts use real time: moving the runtime's clock must not end a running call. */
  private startTimeout(number: number, inFlight: InFlight): void {
    inFlight.timer = setTimeout(() => this.handleTimeout(number, inFlight.call), inFlight.call.definition.timeoutMs);
  }

  private respond(number: number, result: CallResult): void {
    const inFlight = this.inFlight.get(number);
    // The call has timed out already.
    if (!inFlight) return;
    this.inFlight.delete(number);
    clearTimeout(inFlight.timer);
    inFlight.call.settle(result);
    if (this.inFlight.size > 0) return;
    if (this.state === 'retiring') void this.end();
    else if (this.state === 'open') this.options.onIdle(this);
  }

  private handleTimeout(number: number, call: Call): void {
    this.returnUnstartedCalls();
    this.respond(number, toTimeout(call.requestId, call.definition.timeoutMs));
    this.endIfDone();
  }

  /** Fails the calls of a function that cannot be loaded. A shared worker stays, and the next call retries the load. */
  private failFunction(loaded: LoadedFunction, toResult: (call: Call) => CallResult): void {
    clearTimeout(loaded.initTimer);
    if (this.loadedByName.get(loaded.definition.name) === loaded) this.loadedByName.delete(loaded.definition.name);
    if (this.loadedByName.size === 0) this.retire();
    this.failCalls((inFlight) => inFlight.loaded === loaded, toResult);
    this.endIfDone();
  }

  private handleCrash(loaded: LoadedFunction | undefined, requestId: string | undefined, error: ErrorPayload): void {
    const text = JSON.stringify({ message: error.errorMessage, ...error });
    this.options.onLog({ level: 'error', functionName: this.getFunctionName(loaded), requestId, text });
    this.failOrigin(loaded, requestId, () => toFailure(error));
  }

  private handleExit(loaded: LoadedFunction | undefined, requestId: string | undefined, exitCode: number): void {
    this.failOrigin(loaded, requestId, (call) => toExit(call.requestId, exitCode));
  }

  /** Fails the call that caused it. If the call is unknown, fails all calls of the function; if that is unknown, all calls. */
  private failOrigin(
    loaded: LoadedFunction | undefined,
    requestId: string | undefined,
    toResult: (call: Call) => CallResult,
  ): void {
    if (requestId === undefined && loaded) this.failCalls((inFlight) => inFlight.loaded === loaded, toResult);
    this.returnUnstartedCalls();
    if (requestId !== undefined) this.failCalls(({ call }) => call.requestId === requestId, toResult);
    else if (!loaded) this.failCalls(() => true, toResult);
    this.retire();
    this.endIfDone();
  }

  private handleWorkerError(error: NodeJS.ErrnoException): void {
    this.threadError = error;
    const text = `Worker failed: ${error.message}`;
    this.options.onLog({ level: 'error', functionName: this.group.name, requestId: undefined, text });
  }

  private handleWorkerExit(exitCode: number): void {
    this.retire();
    this.state = 'ended';
    for (const { initTimer } of this.loadedByIndex) clearTimeout(initTimer);
    // A function that exits while loading would end every new worker, too.
    const endedWhileLoading = !this.group.isShared && this.loadedByIndex.some(({ isReady }) => !isReady);
    if (!endedWhileLoading && !this.ending) this.returnUnstartedCalls();
    this.failCalls(
      () => true,
      ({ requestId }) =>
        this.threadError?.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? toOutOfMemory(requestId)
          : toExit(requestId, exitCode, this.threadError?.message),
    );
    this.options.onEnd(this);
  }

  private failCalls(isAffected: (inFlight: InFlight) => boolean, toResult: (call: Call) => CallResult): void {
    for (const [number, inFlight] of [...this.inFlight])
      if (isAffected(inFlight)) this.respond(number, toResult(inFlight.call));
  }

  private endIfDone(): void {
    if (this.state === 'retiring' && this.inFlight.size === 0) void this.end();
  }

  private returnUnstartedCalls(): void {
    if (this.ending) return;
    this.retire();
    for (const [number, { call, timer }] of [...this.inFlight]) {
      if (this.hasStarted(number) || call.attempts >= maxAttempts) continue;
      this.inFlight.delete(number);
      clearTimeout(timer);
      this.options.onReturn(call);
    }
  }

  private hasStarted(number: number): boolean {
    return number <= Atomics.load(this.lastStartedCall, 0);
  }

  private retire(): void {
    if (this.state === 'retiring' || this.state === 'ended') return;
    this.state = 'retiring';
    this.options.onRetire(this);
  }
}
