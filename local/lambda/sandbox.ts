// One worker thread that runs one function. It takes several calls at once, interleaved as asynchronous code always is;
// Lambda would give each concurrent call a worker of its own. Two rules make up for most of the difference: a call that
// fails the worker (timeout, uncaught exception) fails alone where the culprit is known, the others may finish; and a
// call that the worker never began (it was stuck in another one) is given to a fresh worker.
import { type MessagePort, Worker } from 'node:worker_threads';
import { bootstrapCode } from './bootstrap-code.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { type Answer, type Call, exited, failed, type LogLine, outOfMemory, timedOut } from './invocation.ts';
import { gathering } from './worker/gathering.ts';
import {
  type ErrorPayload,
  leaveMessage,
  readAnswer,
  type WorkerMessage,
  type WorkerSetup,
  writeCall,
} from './worker/protocol.ts';

/** How long a start may take before Lambda begins it anew, within the time that the first call has. */
const firstInitMs = 10_000;
const mostHandings = 3;

/** Beyond this, garbage is collected more often. A worker takes the room only when it is busy enough to need it. */
const maxYoungGenerationSizeMb = 32;

/** A worker that is stuck does not hear that it should leave. */
const leaveWithinMs = 1_000;

export interface SandboxOptions {
  definition: FunctionDefinition;
  clockOffset: Float64Array;
  environment: Record<string, string>;
  /** Whether it gives way to functions that somebody waits for. */
  givesWay: boolean;
  logStreamName: string;
  /** Opens a line for the worker's AWS calls. */
  connect?(): MessagePort;
  /** It takes no further calls. */
  onLeave(sandbox: Sandbox): void;
  /** The worker has ended. */
  onEnd(sandbox: Sandbox): void;
  onIdle(sandbox: Sandbox): void;
  /** A call that was given to this worker and never began. */
  onReturn(call: Call): void;
  onLog(line: LogLine): void;
}

interface InHand {
  call: Call;
  timer: NodeJS.Timeout | undefined;
}

export class Sandbox {
  readonly definition: FunctionDefinition;
  /** Raised by the pool at every use; the lowest one is the least recently used. */
  lastUse = 0;
  lastUseMs = 0;
  private readonly options: SandboxOptions;
  private readonly worker: Worker;
  private readonly post: (call: string) => void;
  private readonly inHand = new Map<number, InHand>();
  private readonly begun = new Int32Array(new SharedArrayBuffer(4));
  private readonly initTimer: NodeJS.Timeout;
  private number = 0;
  private state: 'starting' | 'ready' | 'leaving' | 'ended' = 'starting';
  private ranOutOfMemory = false;
  private ending: Promise<void> | undefined;

  constructor(options: SandboxOptions) {
    this.options = options;
    this.definition = options.definition;
    this.worker = this.startWorker();
    this.post = gathering(this.worker);
    this.worker.on('message', (message: WorkerMessage) => this.receive(message));
    this.worker.on('error', (error: NodeJS.ErrnoException) => this.workerFailed(error));
    this.worker.on('exit', (code) => this.workerEnded(code));
    this.initTimer = setTimeout(() => this.initTimedOut(), this.initMs);
  }

  get load(): number {
    return this.inHand.size;
  }

  /** The time of Lambda's two attempts, for one: on a busy machine beginning anew would only take longer. */
  private get initMs(): number {
    return firstInitMs + this.definition.timeoutMs;
  }

  take(call: Call): void {
    call.handings++;
    const number = ++this.number;
    const inHand: InHand = { call, timer: undefined };
    this.inHand.set(number, inHand);
    if (this.state === 'ready') this.limitTime(number, inHand);
    const { requestId, invokedArn, payload } = call;
    this.post(writeCall({ number, requestId, invokedArn, payload }));
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
    this.worker.postMessage(leaveMessage);
    const timer = setTimeout(() => void this.worker.terminate(), leaveWithinMs);
    await left;
    clearTimeout(timer);
  }

  private startWorker(): Worker {
    const { definition, clockOffset, environment, logStreamName } = this.options;
    const line = this.options.connect?.();
    const setup: WorkerSetup = {
      awsUrl: environment.AWS_ENDPOINT_URL ?? '',
      line,
      functionName: definition.name,
      handler: definition.handler,
      taskRoot: definition.codeFolder,
      memorySizeMb: definition.memorySizeMb,
      timeoutMs: definition.timeoutMs,
      givesWay: this.options.givesWay,
      logGroupName: definition.logGroupName,
      logStreamName,
      clockOffset,
      begun: this.begun,
    };
    return new Worker(bootstrapCode(), {
      eval: true,
      name: definition.name.slice(0, 60),
      env: environment,
      // Nothing of the main thread's loaders and flags reaches a function.
      execArgv: [],
      argv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: definition.memorySizeMb, maxYoungGenerationSizeMb },
      workerData: setup,
      transferList: line ? [line] : [],
    });
  }

  private receive(message: WorkerMessage): void {
    if (Array.isArray(message)) {
      for (const text of message) this.answered(text);
    } else if (message.kind === 'log') this.log(message);
    else if (message.kind === 'ready') this.ready();
    else if (message.kind === 'crashed') this.crashed(message.requestId, message.error);
    else this.failAll(() => failed(message.error));
  }

  private answered(text: string): void {
    const { number, outcome, payload } = readAnswer(text);
    this.answer(number, { payload, functionError: outcome === 'threw' ? 'Unhandled' : undefined });
  }

  private log(line: LogLine): void {
    for (const { call } of this.inHand.values()) if (call.requestId === line.requestId) call.log?.(line);
    this.options.onLog(line);
  }

  private ready(): void {
    clearTimeout(this.initTimer);
    if (this.state !== 'starting') return;
    this.state = 'ready';
    for (const [number, inHand] of this.inHand) this.limitTime(number, inHand);
  }

  /** Timeouts are real time: a move of the runtime's clock must not end a call that is going on. */
  private limitTime(number: number, inHand: InHand): void {
    inHand.timer = setTimeout(() => this.callTimedOut(number, inHand.call), this.definition.timeoutMs);
  }

  private answer(number: number, answer: Answer): void {
    const inHand = this.inHand.get(number);
    // An answer that comes after its call has timed out has nobody to go to.
    if (!inHand) return;
    this.inHand.delete(number);
    clearTimeout(inHand.timer);
    inHand.call.settle(answer);
    if (this.inHand.size > 0) return;
    if (this.state === 'leaving') void this.end();
    else if (this.state === 'ready') this.options.onIdle(this);
  }

  private callTimedOut(number: number, call: Call): void {
    this.returnUnbegun();
    this.answer(number, timedOut(call.requestId, this.definition.timeoutMs));
    if (this.inHand.size === 0) void this.end();
  }

  private initTimedOut(): void {
    this.failAll((call) => timedOut(call.requestId, this.initMs));
  }

  private crashed(requestId: string | undefined, error: ErrorPayload): void {
    this.options.onLog({ level: 'error', requestId, text: JSON.stringify({ message: error.errorMessage, ...error }) });
    const culprit = [...this.inHand].find(([, { call }]) => call.requestId === requestId);
    if (this.state !== 'starting') this.returnUnbegun();
    if (requestId === undefined) this.failAll(() => failed(error));
    else if (culprit) this.answer(culprit[0], failed(error));
    this.leave();
    if (this.inHand.size === 0) void this.end();
  }

  private workerFailed(error: NodeJS.ErrnoException): void {
    this.ranOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.options.onLog({ level: 'error', requestId: undefined, text: `the worker failed: ${error.message}` });
  }

  private workerEnded(exitCode: number): void {
    clearTimeout(this.initTimer);
    const wasStarting = this.state === 'starting';
    this.leave();
    this.state = 'ended';
    if (!wasStarting && !this.ending) this.returnUnbegun();
    for (const [number, { call }] of [...this.inHand])
      this.answer(number, this.ranOutOfMemory ? outOfMemory(call.requestId) : exited(call.requestId, exitCode));
    this.options.onEnd(this);
  }

  private failAll(answer: (call: Call) => Answer): void {
    this.leave();
    for (const [number, { call }] of [...this.inHand]) this.answer(number, answer(call));
    void this.end();
  }

  private returnUnbegun(): void {
    if (this.ending) return;
    this.leave();
    for (const [number, { call, timer }] of [...this.inHand]) {
      if (this.hasBegun(number) || call.handings >= mostHandings) continue;
      this.inHand.delete(number);
      clearTimeout(timer);
      this.options.onReturn(call);
    }
  }

  private hasBegun(number: number): boolean {
    return number <= Atomics.load(this.begun, 0);
  }

  private leave(): void {
    clearTimeout(this.initTimer);
    if (this.state === 'leaving' || this.state === 'ended') return;
    this.state = 'leaving';
    this.options.onLeave(this);
  }
}
