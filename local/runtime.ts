// Runs a synthesized CloudFormation template on this machine. Start-up is an ordered list of steps, each with an undo;
// stopping runs the undo steps in reverse. Nothing here knows which application the template describes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Admission } from './api-gateway/admission.ts';
import { ApiGateway, type ApiGatewayOptions } from './api-gateway/api-gateway.ts';
import { type AccessKey, ensureOperatorKey } from './aws/access-keys.ts';
import { AwsEndpoint } from './aws/endpoint.ts';
import { type AwsService, operator } from './aws/service.ts';
import type { ConverseModel } from './bedrock/converse.ts';
import type { Clock } from './clock/clock.ts';
import { openClock } from './clock/open-clock.ts';
import { installShiftedDate } from './clock/shifted-date.ts';
import { type Cloud, createCloud, resourceTypes } from './cloud.ts';
import { CustomResources } from './cloudformation/custom-resources.ts';
import { Distribution } from './cloudfront/distribution.ts';
import { describeAlarms } from './cloudwatch/alarms.ts';
import { Control } from './control/control.ts';
import { TrustedProxies } from './forwarded-headers.ts';
import type { Log } from './log.ts';
import { type PublicRoutes, PublicServer } from './public-server.ts';
import { applySeed, findPendingSeed, type Seed } from './seed.ts';
import type { MailTransport } from './ses/ses.ts';
import { lockFolder } from './storage/data-folder.ts';
import { Storage } from './storage/storage.ts';
import { StorageFaults } from './storage/storage-faults.ts';
import type { Stack, StackEnvironment } from './template/resource-type.ts';
import { type CloudFormationTemplate, loadTemplate } from './template/template.ts';

const stopTimeoutMs = 1500;
const checkPagesAfterMs = 5_000;

export interface RuntimeOptions {
  template: CloudFormationTemplate;
  stackName: string;
  /** The cloud assembly that the template's assets are relative to. */
  assetFolder: string;
  dataFolder: string;
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Only creates data for a later start on this port, which is in stored addresses. Streams, queues and schedules wait for it. */
  preparedPort?: number | undefined;
  /** Additional host names of the public server, besides `host` and the loopback names. */
  allowedHosts?: readonly string[];
  /** The URL of a proxy in front of the server. Default: http://localhost with the port. */
  publicUrl?: string | undefined;
  /** Proxies whose X-Forwarded-For header is trusted. */
  trustedProxies?: readonly string[];
  /** Whether to serve /_local. */
  hasControl?: boolean;
  parameters(publicUrl: string): Record<string, string>;
  /** How long requests may queue before the server sheds load. */
  burstMs?: number;
  /** The requests that an overloaded server runs first. */
  isUrgent?: ApiGatewayOptions['isUrgent'];
  /** Seed data for an empty data folder. */
  seed?: Seed;
  /** Answers Bedrock's Converse operation. */
  model?: ConverseModel | undefined;
  /** Sends e-mails; absent: they go to the outbox. */
  sendMail?: MailTransport | undefined;
  /** Puts a service between callers and one of this runtime, such as one that compares it with another implementation. */
  wrapService?: (service: AwsService) => AwsService;
  log: Log;
}

export interface Runtime {
  readonly publicUrl: string;
  readonly awsUrl: string;
  readonly operatorKey: AccessKey;
  /** Calls a service with the JSON protocol as the operator, without HTTP. */
  callAws(signingName: string, operation: string, input: unknown): Promise<unknown>;
  readonly stack: Stack;
  readonly clock: Clock;
  stop(): Promise<void>;
}

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const undo: (() => unknown)[] = [];
  const stop = runOnce(async () => {
    for (const step of undo.reverse()) await runWithTimeout(stopTimeoutMs, Promise.resolve().then(step));
  });
  try {
    return await start(options, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

type Undo = (() => unknown)[];

async function start(options: RuntimeOptions, undo: Undo, stop: () => Promise<void>): Promise<Runtime> {
  const { log, dataFolder } = options;
  const lock = lockFolder(dataFolder);
  undo.push(() => lock.release());
  const seed = findPendingSeed(dataFolder, options.seed);
  const faults = new StorageFaults();
  const storage = new Storage(dataFolder, { log, faults });
  undo.push(() => storage.close());
  const clock = openClock(storage, log);
  installShiftedDate(clock.shared);
  undo.push(() => clock.stop());
  const server = new PublicServer(log);
  const { host, publicUrl, allowedHosts = [] } = options;
  const names = publicUrl === undefined ? [host, ...allowedHosts] : [...toHostNames(publicUrl), ...allowedHosts];
  const loopbackUsers = publicUrl === undefined ? 'all clients' : 'local clients';
  const port = await server.listen(host, options.port, names, loopbackUsers);
  undo.push(() => server.close());
  const endpoint = new AwsEndpoint(log);
  const awsPort = await endpoint.listen(options.port === 0 ? 0 : port + 1);
  undo.push(() => endpoint.close());

  const { preparedPort = port } = options;
  const loopbackUrl = `http://${toLoopbackHost(options.host)}:${preparedPort}`;
  const environment: StackEnvironment = {
    stackName: options.stackName,
    region: 'us-east-1',
    accountId: '000000000000',
    publicUrl: options.publicUrl ?? `http://localhost:${preparedPort}`,
    loopbackUrl,
    awsUrl: `http://127.0.0.1:${awsPort}`,
  };
  const operatorKey = await ensureOperatorKey(storage);
  const { assetFolder, model, sendMail, wrapService } = options;
  const shared = { storage, faults, clock, environment, log };
  const proxies = new TrustedProxies(options.trustedProxies);
  const runs = { endpoint, operatorKey, assetFolder, dataFolder, model, sendMail, wrapService };
  const cloud = createCloud({ ...shared, proxies, ...runs });
  const parameters = options.parameters(environment.publicUrl);
  const stack = loadTemplate(options.template, { types: resourceTypes, environment, parameters });
  const gateway = new ApiGateway({
    stack,
    clock,
    log,
    invoke: cloud.invoke,
    keys: cloud.apiKeys,
    recordMetric: cloud.metrics.record,
    proxies,
    ...(options.isUrgent && { isUrgent: options.isUrgent }),
    ...(options.burstMs !== undefined && { admission: new Admission({ burstMs: options.burstMs }) }),
  });
  await load([...cloud.services, ...cloud.eventSources], stack);
  await startServices(cloud.services, undo);
  const callAws: Runtime['callAws'] = (service, operation, input) => endpoint.call(service, operation, input, operator);
  if (seed) {
    const { streams } = cloud.dynamoDb;
    const { functions } = cloud;
    await applySeed(seed, { storage, streams, functions, loopbackUrl, callAws, outputs: stack.outputs }, dataFolder);
  }
  // Stop accepting requests before the services stop.
  undo.push(() => server.close());
  const control = createControl(clock, endpoint, cloud, faults, stack);
  const distribution = createDistribution(stack, { gateway, cloud, storage, log });
  const { hasControl = true } = options;
  const routed = { server, gateway, cloud, control: hasControl ? control : undefined, distribution };
  const { host: publicHost } = new URL(environment.publicUrl);
  const files = (request: IncomingMessage, response: ServerResponse) =>
    endpoint.handlePresigned(request, response, publicHost, clock.now());
  server.open(createPublicRoutes({ ...routed, files }));
  if (options.preparedPort === undefined) await startServices(cloud.eventSources, undo);
  // The first requests matter more.
  const pageCheck = setTimeout(() => void storage.checkPages(), checkPagesAfterMs).unref();
  undo.push(() => clearTimeout(pageCheck));
  return { ...environment, operatorKey, callAws, stack, clock, stop };
}

async function load(services: Cloud['services'], stack: Stack): Promise<void> {
  for (const service of services) await service.load?.(stack.resources, stack);
}

async function startServices(services: Cloud['services'], undo: Undo): Promise<void> {
  for (const service of services) {
    undo.push(() => service.stop?.());
    await service.start?.();
  }
}

function createControl(
  clock: Clock,
  endpoint: AwsEndpoint,
  { dynamoDb, functions, sns, outbox, metrics, scheduler }: Cloud,
  storageFaults: StorageFaults,
  stack: Stack,
): Control {
  return new Control({
    clock,
    runOnly: scheduler.runOnly,
    published: () => sns.listPublished(),
    outbox: () => outbox.list(),
    usage: () => ({ calls: endpoint.calls(), dynamodb: dynamoDb.usage() }),
    resetUsage: () => {
      endpoint.resetCalls();
      dynamoDb.resetUsage();
    },
    metrics: () => {
      const totals = metrics.list();
      return { metrics: totals, alarms: describeAlarms(stack.findByType('AWS::CloudWatch::Alarm'), totals) };
    },
    resetMetrics: () => metrics.reset(),
    faults: endpoint.faults,
    storageFaults,
    endWorkers: () => functions.endWorkers(),
    delay: dynamoDb.delay,
  });
}

interface DistributionServices {
  gateway: ApiGateway;
  cloud: Cloud;
  storage: Storage;
  log: Log;
}

function createDistribution(
  stack: Stack,
  { gateway, cloud, storage, log }: DistributionServices,
): Distribution | undefined {
  const [resource] = stack.findByType('AWS::CloudFront::Distribution');
  if (!resource) return undefined;
  // Custom resources may fill the buckets of the distribution, so they run before the first object is read.
  const customResources = new CustomResources({ stack, storage, invoke: cloud.functions.invoke.bind(cloud.functions) });
  return new Distribution(resource, {
    stack,
    log,
    callGateway: (request, response) => gateway.handle(request, response),
    async readObject(bucket, key) {
      await customResources.deploy();
      return cloud.s3.readObject(bucket, key);
    },
  });
}

interface PublicServices {
  server: PublicServer;
  gateway: ApiGateway;
  cloud: Cloud;
  control: Control | undefined;
  distribution: Distribution | undefined;
  /** Handles presigned requests of S3. */
  files(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Serves the distribution, the login pages and the buckets (which have their own host names on AWS) and /_local on one address. */
function createPublicRoutes({ server, gateway, cloud, control, distribution, files }: PublicServices): PublicRoutes {
  return {
    async handle(request, response) {
      const path = request.url ?? '/';
      if (control && path.startsWith('/_local/'))
        return control.handle(request, response, server.allowsOrigin(request));
      if (cloud.s3.isPresigned(path)) return files(request, response);
      if (distribution?.matches(path)) return distribution.handle(request, response);
      if (!distribution && path.startsWith(`${gateway.basePath}/`)) return gateway.handle(request, response);
      if (await cloud.cognito.handle(request, response)) return;
      if (distribution) return distribution.handle(request, response);
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    },
    reject: (socket, reason) => gateway.rejectUnreadable(socket, reason),
  };
}

/** A URL without a port may use the default port of http or https. */
function toHostNames(publicUrl: string): string[] {
  const { hostname, port } = new URL(publicUrl);
  return port ? [`${hostname}:${port}`] : [`${hostname}:80`, `${hostname}:443`];
}

function toLoopbackHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function runOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

async function runWithTimeout(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
