// One worker thread that runs one function or several. It takes several calls at once, interleaved as asynchronous code
// always is; Lambda would give each concurrent call a worker of its own. Two rules make up for most of the difference: a
// call that fails the worker (timeout, uncaught exception) fails alone where the culprit is known, the others may finish;
// and a call that the worker never began (it was stuck in another one) is given to a fresh worker.
import { type MessagePort, Worker } from 'node:worker_threads';
import { batchMessages } from '../aws/message-transport.ts';
import { getBootstrapCode } from './function-code.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { type Answer, type Call, exited, failed, type LogLine, outOfMemory, timedOut } from './invocation.ts';
import {
  type ErrorPayload,
  exitMessage,
  type FunctionSetup,
  readResponse,
  type WorkerMessage,
  type WorkerSetup,
  writeCall,
} from './worker/protocol.ts';
import type { WorkerGroup } from './worker-groups.ts';

/** How long a start may take before Lambda begins it anew, within the time that the first call has. */
const firstInitMs = 10_000;
const maxAttempts = 3;

/** Beyond this, garbage is collected more often. Every worker takes this room sooner or later. */
const maxYoungGenerationSizeMb = 12;

/** A worker that is stuck does not hear that it should leave. */
const exitTimeoutMs = 1_000;

/** A shared worker that says nothing for this long is stuck in a call; the other functions do not wait for its timeout. */
const stuckAfterMs = 3_000;

interface FunctionWorkerOptions {
  group: WorkerGroup;
  clockOffset: Float64Array;
  awsUrl: string;
  /** What the thread itself sees of the world. */
  environment: Record<string, string>;
  /** What the worker needs to load a function. */
  setUp(definition: FunctionDefinition): Omit<FunctionSetup, 'index'>;
  /** Opens a line for the worker's AWS calls. */
  connect?(): MessagePort;
  /** It takes no further calls. */
  onRetire(sandbox: FunctionWorker): void;
  /** The worker has ended. */
  onEnd(sandbox: FunctionWorker): void;
  onIdle(sandbox: FunctionWorker): void;
  /** A call that was given to this worker and never began. */
  onReturn(call: Call): void;
  onLog(line: LogLine): void;
}

/** A function in this worker. */
interface LoadedFunction {
  readonly index: number;
  readonly definition: FunctionDefinition;
  readonly initTimer: NodeJS.Timeout;
  isReady: boolean;
}

interface InFlight {
  call: Call;
  loaded: LoadedFunction;
  takenAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

export class FunctionWorker {
  readonly group: WorkerGroup;
  /** Raised by the pool at every use; the lowest one is the least recently used. */
  lastUse = 0;
  lastUseMs = 0;
  private readonly options: FunctionWorkerOptions;
  private readonly worker: Worker;
  private readonly post: (entry: string | FunctionSetup) => void;
  private readonly loadedByName = new Map<string, LoadedFunction>();
  private readonly loadedByIndex: LoadedFunction[] = [];
  private readonly inFlight = new Map<number, InFlight>();
  private readonly begun = new Int32Array(new SharedArrayBuffer(4));
  private number = 0;
  /** When the worker last began a call or sent something; never, until it runs. */
  private lastProgressMs = Number.POSITIVE_INFINITY;
  private lastBegun = 0;
  private state: 'open' | 'leaving' | 'ended' = 'open';
  private ranOutOfMemory = false;
  private ending: Promise<void> | undefined;

  constructor(options: FunctionWorkerOptions) {
    this.options = options;
    this.group = options.group;
    this.worker = this.startWorker();
    this.post = batchMessages(this.worker);
    this.worker.on('online', () => {
      this.lastProgressMs = performance.now();
    });
    this.worker.on('message', (message: WorkerMessage) => this.receive(message));
    this.worker.on('error', (error: NodeJS.ErrnoException) => this.workerFailed(error));
    this.worker.on('exit', (code) => this.workerEnded(code));
  }

  get load(): number {
    return this.inFlight.size;
  }

  take(call: Call): void {
    call.attempts++;
    const loaded = this.loadedByName.get(call.definition.name) ?? this.loadFunction(call.definition);
    const number = ++this.number;
    const inFlight: InFlight = { call, loaded, takenAtMs: performance.now(), timer: undefined };
    this.inFlight.set(number, inFlight);
    if (loaded.isReady) this.limitTime(number, inFlight);
    const { requestId, invokedArn, payload } = call;
    this.post(writeCall({ number, index: loaded.index, requestId, invokedArn, payload }));
  }

  /** Gives calls to a fresh worker when this one has been busy with another for long; that one may still finish. */
  retireIfStuck(nowMs: number): void {
    const begun = Atomics.load(this.begun, 0);
    if (begun !== this.lastBegun) this.lastProgressMs = nowMs;
    this.lastBegun = begun;
    const oldest = [...this.inFlight].find(([number]) => !this.hasStarted(number));
    if (!oldest || this.state !== 'open') return;
    const waitsSinceMs = Math.max(oldest[1].takenAtMs, this.lastProgressMs);
    // On a busy machine loading takes long by itself, and elsewhere it would begin anew.
    const isLoading = [...this.loadedByName.values()].some(({ isReady }) => !isReady);
    if (nowMs - waitsSinceMs > (isLoading ? firstInitMs : stuckAfterMs)) this.returnUnstarted();
  }

  /** Ends the worker, whatever it is doing; calls still in hand are answered as if the process had gone. */
  end(): Promise<void> {
    this.leave();
    this.ending ??= this.endWorker();
    return this.ending;
  }

  /**
   * The worker is asked to leave by itself first. Ending a thread from outside while it is inside a native module (a
   * model that computes, say) can take the whole process with it; between two steps of its own code nothing is open.
   */
  private async endWorker(): Promise<void> {
    const left = new Promise<void>((resolve) => this.worker.once('exit', () => resolve()));
    this.worker.postMessage(exitMessage);
    const timer = setTimeout(() => void this.worker.terminate(), exitTimeoutMs);
    await left;
    clearTimeout(timer);
  }

  private startWorker(): Worker {
    const { group, clockOffset, awsUrl, environment } = this.options;
    const line = this.options.connect?.();
    const setup: WorkerSetup = { awsUrl, line, isLowPriority: group.isLowPriority, clockOffset, begun: this.begun };
    return new Worker(getBootstrapCode(), {
      eval: true,
      name: group.name.slice(0, 60),
      env: environment,
      // Nothing of the main thread's loaders and flags reaches a function.
      execArgv: [],
      argv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: group.heapMb, maxYoungGenerationSizeMb },
      workerData: setup,
      transferList: line ? [line] : [],
    });
  }

  private loadFunction(definition: FunctionDefinition): LoadedFunction {
    const index = this.loadedByIndex.length;
    // The time of Lambda's two attempts, for one: on a busy machine beginning anew would only take longer.
    const initMs = firstInitMs + definition.timeoutMs;
    const initTimedOut = () => this.failFunction(loaded, (call) => timedOut(call.requestId, initMs));
    const loaded: LoadedFunction = { index, definition, initTimer: setTimeout(initTimedOut, initMs), isReady: false };
    this.loadedByName.set(definition.name, loaded);
    this.loadedByIndex.push(loaded);
    this.post({ index, ...this.options.setUp(definition) });
    return loaded;
  }

  private receive(message: WorkerMessage): void {
    this.lastProgressMs = performance.now();
    if (Array.isArray(message)) {
      for (const text of message) this.answered(text);
      return;
    }
    const loaded = message.index === undefined ? undefined : this.loadedByIndex[message.index];
    if (message.kind === 'log') this.log({ ...message, functionName: this.nameOf(loaded) });
    else if (message.kind === 'ready') this.ready(loaded!);
    else if (message.kind === 'init-failed') this.failFunction(loaded!, () => failed(message.error));
    else if (message.kind === 'crashed') this.crashed(loaded, message.requestId, message.error);
    else this.handleExit(loaded, message.requestId, message.exitCode);
  }

  private nameOf(loaded: LoadedFunction | undefined): string {
    return loaded?.definition.name ?? this.group.name;
  }

  private answered(text: string): void {
    const { number, outcome, payload } = readResponse(text);
    this.answer(number, { payload, functionError: outcome === 'threw' ? 'Unhandled' : undefined });
  }

  private log(line: LogLine): void {
    for (const { call } of this.inFlight.values()) if (call.requestId === line.requestId) call.log?.(line);
    this.options.onLog(line);
  }

  private ready(loaded: LoadedFunction): void {
    clearTimeout(loaded.initTimer);
    loaded.isReady = true;
    for (const [number, inFlight] of this.inFlight) if (inFlight.loaded === loaded) this.limitTime(number, inFlight);
  }

  /** Timeouts are real time: a move of the runtime's clock must not end a call that is going on. */
  private limitTime(number: number, inFlight: InFlight): void {
    inFlight.timer = setTimeout(() => this.callTimedOut(number, inFlight.call), inFlight.call.definition.timeoutMs);
  }

  private answer(number: number, answer: Answer): void {
    const inFlight = this.inFlight.get(number);
    // An answer that comes after its call has timed out has nobody to go to.
    if (!inFlight) return;
    this.inFlight.delete(number);
    clearTimeout(inFlight.timer);
    inFlight.call.settle(answer);
    if (this.inFlight.size > 0) return;
    if (this.state === 'leaving') void this.end();
    else if (this.state === 'open') this.options.onIdle(this);
  }

  private callTimedOut(number: number, call: Call): void {
    this.returnUnstarted();
    this.answer(number, timedOut(call.requestId, call.definition.timeoutMs));
    this.endIfDone();
  }

  /** The function cannot be loaded. A shared worker stays for the others, and the next call tries again. */
  private failFunction(loaded: LoadedFunction, answer: (call: Call) => Answer): void {
    clearTimeout(loaded.initTimer);
    if (this.loadedByName.get(loaded.definition.name) === loaded) this.loadedByName.delete(loaded.definition.name);
    if (this.loadedByName.size === 0) this.leave();
    this.failCalls((inFlight) => inFlight.loaded === loaded, answer);
    this.endIfDone();
  }

  private crashed(loaded: LoadedFunction | undefined, requestId: string | undefined, error: ErrorPayload): void {
    const text = JSON.stringify({ message: error.errorMessage, ...error });
    this.options.onLog({ level: 'error', functionName: this.nameOf(loaded), requestId, text });
    this.failOrigin(loaded, requestId, () => failed(error));
  }

  private handleExit(loaded: LoadedFunction | undefined, requestId: string | undefined, exitCode: number): void {
    this.failOrigin(loaded, requestId, (call) => exited(call.requestId, exitCode));
  }

  /** The call that did it; where only its function is known, all calls of that; where nothing is, all. */
  private failOrigin(
    loaded: LoadedFunction | undefined,
    requestId: string | undefined,
    answer: (call: Call) => Answer,
  ): void {
    if (requestId === undefined && loaded) this.failCalls((inFlight) => inFlight.loaded === loaded, answer);
    this.returnUnstarted();
    if (requestId !== undefined) this.failCalls(({ call }) => call.requestId === requestId, answer);
    else if (!loaded) this.failCalls(() => true, answer);
    this.leave();
    this.endIfDone();
  }

  private workerFailed(error: NodeJS.ErrnoException): void {
    this.ranOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const text = `the worker failed: ${error.message}`;
    this.options.onLog({ level: 'error', functionName: this.group.name, requestId: undefined, text });
  }

  private workerEnded(exitCode: number): void {
    this.leave();
    this.state = 'ended';
    for (const { initTimer } of this.loadedByIndex) clearTimeout(initTimer);
    // A function alone in its worker that ends it while loading would end every other one, too.
    const endedWhileLoading = !this.group.isShared && this.loadedByIndex.some(({ isReady }) => !isReady);
    if (!endedWhileLoading && !this.ending) this.returnUnstarted();
    this.failCalls(
      () => true,
      ({ requestId }) => (this.ranOutOfMemory ? outOfMemory(requestId) : exited(requestId, exitCode)),
    );
    this.options.onEnd(this);
  }

  private failCalls(isMeant: (inFlight: InFlight) => boolean, answer: (call: Call) => Answer): void {
    for (const [number, inFlight] of [...this.inFlight])
      if (isMeant(inFlight)) this.answer(number, answer(inFlight.call));
  }

  private endIfDone(): void {
    if (this.state === 'leaving' && this.inFlight.size === 0) void this.end();
  }

  private returnUnstarted(): void {
    if (this.ending) return;
    this.leave();
    for (const [number, { call, timer }] of [...this.inFlight]) {
      if (this.hasStarted(number) || call.attempts >= maxAttempts) continue;
      this.inFlight.delete(number);
      clearTimeout(timer);
      this.options.onReturn(call);
    }
  }

  private hasStarted(number: number): boolean {
    return number <= Atomics.load(this.begun, 0);
  }

  private leave(): void {
    if (this.state === 'leaving' || this.state === 'ended') return;
    this.state = 'leaving';
    this.options.onRetire(this);
  }
}
