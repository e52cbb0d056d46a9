// Runs a synthesized CloudFormation template on this machine. Start-up is an ordered list of parts, each with start and
// stop; stopping is the same list backwards. Nothing here knows which service the template describes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiGateway } from './api-gateway/api-gateway.ts';
import { resourceTypes as apiGatewayTypes } from './api-gateway/resource-types.ts';
import { AwsEndpoint } from './aws/endpoint.ts';
import type { Caller } from './aws/service.ts';
import { Clock } from './clock/clock.ts';
import { installShiftedDate, realNow } from './clock/shifted-date.ts';
import { createCognito } from './cognito/cognito.ts';
import { resourceTypes as cognitoTypes } from './cognito/resource-types.ts';
import { Control } from './control/control.ts';
import { createDynamoDb } from './dynamodb/dynamodb.ts';
import { resourceTypes as dynamoDbTypes } from './dynamodb/resource-types.ts';
import { createIam } from './iam/iam.ts';
import { createEventSources } from './lambda/event-sources/event-sources.ts';
import { createFunctions } from './lambda/functions.ts';
import { resourceTypes as lambdaTypes } from './lambda/resource-types.ts';
import type { Log } from './log.ts';
import type { Part } from './part.ts';
import { resourceTypes as schedulerTypes } from './scheduler/resource-types.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import { resourceTypes as snsTypes } from './sns/resource-types.ts';
import { createSns } from './sns/sns.ts';
import { resourceTypes as sqsTypes } from './sqs/resource-types.ts';
import { createSqs } from './sqs/sqs.ts';
import { type StaticFolder, serveStatic } from './static-files/static-files.ts';
import { resourceTypes as stepFunctionsTypes } from './step-functions/resource-types.ts';
import { createStepFunctions } from './step-functions/step-functions.ts';
import { lockFolder } from './storage/folder-lock.ts';
import { Storage } from './storage/storage.ts';
import type { Resource, ResourceTypes, Stack, StackEnvironment } from './template/resource-type.ts';
import { type CloudFormationTemplate, loadTemplate } from './template/template.ts';

const stopBoundMs = 1500;

export interface RuntimeOptions {
  template: CloudFormationTemplate;
  stackName: string;
  /** The cloud assembly that the template's assets are relative to. */
  assetFolder: string;
  dataFolder: string;
  host: string;
  /** 0 takes a free one. */
  port: number;
  parameters(publicUrl: string): Record<string, string>;
  /** Folders that the public server also serves; they may need to know what the stack came to. */
  staticFolders?(stack: Stack): readonly StaticFolder[];
  log: Log;
}

export interface Runtime {
  readonly publicUrl: string;
  readonly awsUrl: string;
  readonly stack: Stack;
  readonly clock: Clock;
  stop(): Promise<void>;
}

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const undo: (() => unknown)[] = [];
  const stop = once(async () => {
    for (const step of undo.reverse()) await within(stopBoundMs, Promise.resolve().then(step));
  });
  try {
    return await start(options, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: RuntimeOptions, undo: (() => unknown)[], stop: () => Promise<void>): Promise<Runtime> {
  const { log, dataFolder } = options;
  const lock = lockFolder(dataFolder);
  undo.push(() => lock.release());
  const storage = new Storage(dataFolder);
  undo.push(() => storage.close());
  const clock = openClock(storage);
  undo.push(() => clock.stop());

  const front = new FrontDoor();
  const port = await front.listen(options.host, options.port);
  undo.push(() => front.close());
  const iamLater: { authorize?: ReturnType<typeof createIam>['authorize'] } = {};
  const endpoint = new AwsEndpoint({
    authorize: (caller, accesses) => iamLater.authorize!(caller, accesses),
    callerOf: (accessKeyId) => functions.callerOf(accessKeyId),
    log,
  });
  const awsPort = await endpoint.listen(options.port === 0 ? 0 : port + 1);
  undo.push(() => endpoint.close());

  const environment: StackEnvironment = {
    stackName: options.stackName,
    region: 'us-east-1',
    accountId: '000000000000',
    publicUrl: `http://localhost:${port}`,
    awsUrl: `http://127.0.0.1:${awsPort}`,
  };
  const base = { storage, clock, environment, log };
  const iam = createIam({ environment, log });
  iamLater.authorize = iam.authorize;
  const dynamoDb = createDynamoDb(base);
  const sqs = createSqs(base);
  const cognito = createCognito(base);
  const functions = createFunctions({ ...base, assetFolder: options.assetFolder, mayAssume: iam.mayAssume });
  const mayInvoke = (functionArn: string, caller: Caller | undefined) => {
    if (caller) iam.authorize(caller, [{ action: 'lambda:InvokeFunction', resource: functionArn }]);
  };
  const invoke = async (functionArn: string, payload: unknown, caller?: Caller) => {
    mayInvoke(functionArn, caller);
    return functions.invoke(functionArn, payload);
  };
  const accept = async (functionArn: string, event: unknown, caller?: Caller) => {
    mayInvoke(functionArn, caller);
    await functions.invokeEvent(functionArn, event);
  };
  const sns = createSns({ ...base, invoke: accept, send: sqs.send });
  const callAws = endpoint.call.bind(endpoint);
  const stepFunctions = createStepFunctions({ ...base, invoke, callAws });
  const scheduler = createScheduler({
    ...base,
    invoke: accept,
    send: async (queueArn, body, caller) => {
      if (caller) iam.authorize(caller, [{ action: 'sqs:SendMessage', resource: queueArn }]);
      await sqs.send(queueArn, body);
    },
    startExecution: async (machineArn, input, name, caller) => {
      if (caller) iam.authorize(caller, [{ action: 'states:StartExecution', resource: machineArn }]);
      await stepFunctions.startExecution(machineArn, input, name);
    },
  });
  const eventSources = createEventSources({
    ...base,
    functions,
    queues: sqs,
    streams: dynamoDb.streams,
    authorize: iam.authorize,
  });
  endpoint.register(
    dynamoDb.service,
    sqs.service,
    cognito.service,
    functions.service,
    sns.service,
    stepFunctions.service,
  );

  const stack = loadTemplate(options.template, {
    types: { ...allTypes, ...iam.resourceTypes },
    environment,
    parameters: options.parameters(environment.publicUrl),
  });
  const resources = Object.keys({ ...allTypes, ...iam.resourceTypes }).flatMap((type) => stack.ofType(type));
  const parts: readonly (Partial<Part> & { load?(resources: readonly Resource[]): unknown })[] = [
    iam,
    dynamoDb,
    sqs,
    sns,
    cognito,
    functions,
    stepFunctions,
    eventSources,
    scheduler,
  ];
  for (const part of parts) await part.load?.(resources);
  const gateway = new ApiGateway({ stack, clock, log, invoke });
  for (const part of parts) {
    undo.push(() => part.stop?.());
    await part.start?.();
  }
  const control = new Control({
    clock,
    usage: () => ({ calls: endpoint.calls(), dynamodb: dynamoDb.usage() }),
    resetUsage: () => {
      endpoint.resetCalls();
      dynamoDb.resetUsage();
    },
  });
  const staticFolders = options.staticFolders?.(stack) ?? [];
  front.open(async (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith(`${gateway.basePath}/`)) return gateway.handle(request, response);
    if (path.startsWith('/_local/')) return control.handle(request, response);
    if (staticFolders.some((mount) => serveStatic(mount, request, response))) return;
    if (await cognito.handle(request, response)) return;
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing is at this address.\n');
  }, log);
  return { publicUrl: environment.publicUrl, awsUrl: environment.awsUrl, stack, clock, stop };
}

const allTypes: ResourceTypes = {
  ...apiGatewayTypes,
  ...cognitoTypes,
  ...dynamoDbTypes,
  ...lambdaTypes,
  ...schedulerTypes,
  ...snsTypes,
  ...sqsTypes,
  ...stepFunctionsTypes,
};

/** The clock goes on where it stood, so that moving it and restarting never takes time back. */
function openClock(storage: Storage): Clock {
  storage.exec('CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), offset_ms REAL NOT NULL)');
  const offsetMs = Number(storage.prepare('SELECT offset_ms FROM clock').get()?.offset_ms ?? 0);
  const save = storage.prepare('INSERT OR REPLACE INTO clock VALUES (1, ?)');
  const clock = new Clock({ offsetMs, realNow, onMove: (offset) => void storage.write(() => save.run([offset])) });
  installShiftedDate(clock.offset);
  return clock;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The public HTTP server. It listens before the template is read, because the template needs to know its port. */
class FrontDoor {
  private handle: Handle = async (_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' }).end('Starting.\n');
  };
  private log: Log | undefined;
  private readonly server: Server = createServer((request, response) => {
    this.handle(request, response).catch((error: unknown) => {
      this.log?.error('a request failed inside the runtime', { error: String((error as Error)?.stack ?? error) });
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end();
    });
  });

  open(handle: Handle, log: Log): void {
    this.handle = handle;
    this.log = log;
  }

  listen(host: string, port: number): Promise<number> {
    this.server.keepAliveTimeout = 65_000;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => resolve((this.server.address() as AddressInfo).port));
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const force = setTimeout(() => this.server.closeAllConnections(), 500);
    await closed;
    clearTimeout(force);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
