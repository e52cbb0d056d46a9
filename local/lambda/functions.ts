// Runs the template's functions in worker threads, synchronously or as events. Differences from Lambda: a worker runs
// several calls concurrently, so calls share module variables; code continues after its response, whereas Lambda freezes
// it; the memory limit applies to the JavaScript heap of a worker, which several functions may share (worker-groups.ts).
import { randomBytes, randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import type { AccessKey } from '../aws/access-keys.ts';
import type { Identity } from '../aws/endpoint.ts';
import { AwsError } from '../aws/error.ts';
import type { AwsService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Metrics } from '../cloudwatch/metrics.ts';
import type { Log } from '../log.ts';
import type { RuntimeService } from '../runtime-service.ts';
import { toStorageError } from '../storage/errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource } from '../template/resource-type.ts';
import { AsyncInvocations } from './async-invocations.ts';
import { getBootstrapCode, type SharedCode, translateModules } from './function-code.ts';
import { buildWorkerEnvironment, type FunctionDefinition, parseFunctionReference } from './function-definition.ts';
import { FunctionRegistry, type RegistryOptions } from './function-registry.ts';
import { FunctionWorker } from './function-worker.ts';
import {
  type Call,
  type CallResult,
  type InvokeOptions,
  type InvokeResult,
  type InvokeTextResult,
  logFunctionLine,
} from './invocation.ts';
import { createLambdaService } from './lambda-service.ts';
import { openSeedCalls, type SeedCalls } from './seed-calls.ts';
import type { FunctionSetup, ResultText } from './worker/protocol.ts';
import { type WorkerGroup, WorkerGroups } from './worker-groups.ts';
import { WorkerPool } from './worker-pool.ts';

const maxRequestBytes = 6 * 1024 * 1024;

/** process.env of a shared thread; each function in it has its own environment. */
const sharedEnvironment = { TZ: ':UTC', LANG: 'en_US.UTF-8' };

export interface FunctionsOptions extends RegistryOptions {
  clock: Clock;
  log: Log;
  storage: Storage;
  /** Slots for warm workers of single functions; 48 by default. Shared workers do not count. */
  maxWarm?: number;
  /** Number of workers that quick functions share; 0 disables sharing. Default: one per two CPUs, at most 4. */
  sharedWorkers?: number;
  /** Default: 1, so all calls of a function run in one thread. More workers help compute-heavy functions. */
  workersPerFunction?: number;
  metrics?: Metrics;
  /** Opens a message transport for a worker's AWS calls; without it they use HTTP. */
  connect?(): MessagePort;
  /** Signs the calls of a seed, which run as the operator. */
  operatorKey?: AccessKey;
}

export interface Functions extends RuntimeService {
  readonly service: Required<AwsService>;
  /** Loads the functions; throws an error that lists all unsupported ones. */
  load(resources: readonly Resource[]): void;
  /** Calls a function and waits for its result. Rejects with an AwsError if it does not exist. */
  invoke(functionArnOrName: string, payload: unknown, options?: InvokeOptions): Promise<InvokeResult>;
  invokeText(functionArnOrName: string, payload: string, options?: InvokeOptions): Promise<InvokeTextResult>;
  /**
   * Accepts an event and resolves once it is durable (immediately if expendable). The function runs afterwards, with two
   * retries.
   */
  invokeEvent(functionArnOrName: string, payload: unknown, expendable?: () => boolean): Promise<void>;
  /** The function's definition, or ResourceNotFoundException. */
  find(functionArnOrName: string): FunctionDefinition;
  /** The role behind a function's access key. */
  identify(accessKeyId: string): Identity | undefined;
  warmCount(): number;
  /** Ends idle workers. */
  endWorkers(): void;
  /** Total run time of calls, except calls from event sources; concurrent calls add up. */
  readonly requestMs: number;
  /** Opens a worker for calls at past times; end it after seeding. */
  openSeedCalls(): SeedCalls;
}

export function createFunctions(options: FunctionsOptions): Functions {
  return new LambdaFunctions(options);
}

class LambdaFunctions implements Functions {
  readonly name = 'lambda';
  readonly service: Required<AwsService>;
  private readonly options: FunctionsOptions;
  private readonly registry: FunctionRegistry;
  /** Random at every start, so that no other program can sign as a function. */
  private readonly secretAccessKey = randomBytes(30).toString('base64');
  private readonly pool: WorkerPool;
  private readonly groups: WorkerGroups;
  /** By code folder, for functions that can share a worker. */
  private readonly sharedCode = new Map<string, SharedCode>();
  private readonly events: AsyncInvocations;
  requestMs = 0;

  constructor(options: FunctionsOptions) {
    this.options = options;
    this.registry = new FunctionRegistry(options);
    this.pool = new WorkerPool({
      maxWarm: options.maxWarm ?? 48,
      findGroup: (definition) => this.groups.getGroup(definition),
      start: (group, pool) => this.startWorker(group, pool),
    });
    this.groups = new WorkerGroups({
      sharedWorkers: options.sharedWorkers,
      workersPerFunction: options.workersPerFunction ?? 1,
      definitions: () => this.registry.list(),
      isBehindQueue: (name) => this.registry.isBehindQueue(name),
      canShare: ({ codeFolder }) => this.sharedCode.has(codeFolder),
    });
    this.events = new AsyncInvocations({
      clock: options.clock,
      log: options.log,
      storage: options.storage,
      invoke: (name, payload, requestId) => this.invokeText(name, payload, { requestId }),
    });
    this.service = createLambdaService(this);
  }

  load(resources: readonly Resource[]): void {
    this.registry.load(resources);
  }

  async start(): Promise<void> {
    getBootstrapCode();
    await this.translateCode();
    this.events.start();
  }

  async stop(): Promise<void> {
    this.events.stop();
    await this.pool.stop();
    this.registry.removeInlineCode();
  }

  openSeedCalls(): SeedCalls {
    const { connect, log, operatorKey } = this.options;
    if (!connect || !operatorKey) throw new Error('seeding needs a message transport and the operator key');
    const all = this.registry.list().map((definition) => this.buildEnvironment(definition, 'seed'));
    const shared = Object.assign({}, ...all, { AWS_ACCESS_KEY_ID: operatorKey.accessKeyId });
    return openSeedCalls({ find: (name) => this.find(name), environment: shared, connect, log });
  }

  async invoke(functionArnOrName: string, payload: unknown, options: InvokeOptions = {}): Promise<InvokeResult> {
    const { body, ...result } = await this.call(functionArnOrName, JSON.stringify(payload ?? null), options);
    const parsed = JSON.parse(result.payload);
    return { ...result, payload: body === undefined ? parsed : { ...parsed, body } };
  }

  async invokeText(functionArnOrName: string, payload: string, options: InvokeOptions = {}): Promise<InvokeTextResult> {
    const { body, ...result } = await this.call(functionArnOrName, payload, options);
    return body === undefined
      ? result
      : { ...result, payload: JSON.stringify({ ...JSON.parse(result.payload), body }) };
  }

  private call(reference: string, payload: string, options: InvokeOptions): Promise<InvokeTextResult & ResultText> {
    return this.options.clock.track(() => this.run(reference, payload, options));
  }

  async invokeEvent(functionArnOrName: string, payload: unknown, expendable?: () => boolean): Promise<void> {
    await this.events.accept(this.find(functionArnOrName).name, JSON.stringify(payload ?? null), expendable);
  }

  find(functionArnOrName: string): FunctionDefinition {
    return this.registry.find(functionArnOrName);
  }

  list(): FunctionDefinition[] {
    return this.registry.list();
  }

  identify(accessKeyId: string): Identity | undefined {
    const caller = this.registry.findCaller(accessKeyId);
    return caller && { caller, secretAccessKey: this.secretAccessKey };
  }

  warmCount(): number {
    return this.pool.warmCount;
  }

  endWorkers(): void {
    this.pool.endIdle(Number.POSITIVE_INFINITY);
  }

  private async translateCode(): Promise<void> {
    const folders = new Set(this.registry.list().map(({ codeFolder }) => codeFolder));
    for (const folder of folders) {
      const code = await translateModules(folder);
      if (code) this.sharedCode.set(folder, code);
    }
  }

  private startWorker(group: WorkerGroup, pool: WorkerPool): FunctionWorker {
    const { clock, environment, log, connect } = this.options;
    const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '/');
    const logStreamName = `${day}/[$LATEST]${randomUUID().replaceAll('-', '')}`;
    const own = group.isShared ? undefined : this.find(group.name);
    return new FunctionWorker({
      group,
      clockOffset: clock.shared,
      ...(connect ? { connect } : {}),
      awsUrl: environment.awsUrl,
      addresses: { publicUrl: environment.publicUrl, loopbackUrl: environment.loopbackUrl ?? environment.publicUrl },
      environment: own ? this.buildEnvironment(own, logStreamName) : sharedEnvironment,
      setUp: (definition) => ({
        functionName: definition.name,
        handler: definition.handler,
        taskRoot: definition.codeFolder,
        memorySizeMb: definition.memorySizeMb,
        timeoutMs: definition.timeoutMs,
        logGroupName: definition.logGroupName,
        logStreamName,
        isolated: this.isolate(definition, logStreamName),
      }),
      onRetire: (worker) => pool.retire(worker),
      onEnd: (worker) => pool.markEnded(worker),
      onIdle: () => pool.trim(),
      onReturn: (call) => pool.dispatch(call),
      onLog: (line) => logFunctionLine(log, line, this.options.metrics),
    });
  }

  /** Undefined for code that must be loaded as Node loads modules. */
  private isolate(definition: FunctionDefinition, logStreamName: string): FunctionSetup['isolated'] {
    const code = this.sharedCode.get(definition.codeFolder);
    return code && { environment: this.buildEnvironment(definition, logStreamName), ...code };
  }

  private buildEnvironment(definition: FunctionDefinition, logStreamName: string): Record<string, string> {
    return buildWorkerEnvironment(definition, this.options.environment, logStreamName, this.secretAccessKey);
  }

  private async run(
    reference: string,
    payload: string,
    options: InvokeOptions,
  ): Promise<InvokeTextResult & ResultText> {
    const definition = this.find(reference);
    rejectTooLarge(payload);
    const record = this.createRecorder(reference, definition.name);
    const lines: string[] = [];
    const startedAt = performance.now();
    const result = await new Promise<CallResult>((settle) => {
      const call: Call = {
        definition,
        requestId: options.requestId ?? randomUUID(),
        invokedArn: reference.startsWith('arn:aws:lambda:') ? reference : definition.arn,
        payload,
        attempts: 0,
        settle,
      };
      if (options.logs) call.log = ({ text }) => lines.push(text);
      this.pool.dispatch(call);
    });
    record('Invocations', 1);
    record('Errors', result.functionError ? 1 : 0);
    // Without file descriptors no worker starts and no module loads: that is a state of the machine, not of the function.
    if (result.functionError && /\bE[MN]FILE\b|too many open files/i.test(result.payload))
      throw toStorageError(Object.assign(new Error(result.payload), { code: 'EMFILE' }));
    const durationMs = performance.now() - startedAt;
    record('Duration', durationMs);
    if (!this.registry.isBehindQueue(definition.name)) this.requestMs += durationMs;
    return {
      payload: result.payload,
      body: result.body,
      ...(result.functionError ? { functionError: result.functionError } : {}),
      ...(options.logs ? { logs: lines.join('\n').slice(-4096) } : {}),
    };
  }

  /** As in CloudWatch: calls through a version or an alias also count with the dimension Resource. */
  private createRecorder(reference: string, FunctionName: string): (name: string, value: number) => void {
    const { metrics } = this.options;
    if (!metrics) return () => {};
    const qualifier = parseFunctionReference(reference)?.qualifier;
    return (name, value) => {
      metrics.record('AWS/Lambda', name, { FunctionName }, value);
      if (!qualifier) return;
      metrics.record('AWS/Lambda', name, { FunctionName, Resource: `${FunctionName}:${qualifier}` }, value);
    };
  }
}

function rejectTooLarge(payload: string): void {
  if (payload.length <= maxRequestBytes / 3 || Buffer.byteLength(payload) <= maxRequestBytes) return;
  throw new AwsError(
    'RequestTooLargeException',
    `Request must be smaller than ${maxRequestBytes} bytes for the InvokeFunction operation`,
    { status: 413 },
  );
}
