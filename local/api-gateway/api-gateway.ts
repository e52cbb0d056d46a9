// Serves the template's REST API in API Gateway's order: route → stage throttle → authorizer → usage plan → Lambda →
// response, with its limits and gateway responses. Lambda scales out; one machine sheds load instead.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock/clock.ts';
import type { RecordMetric } from '../cloudwatch/metrics.ts';
import { TrustedProxies } from '../forwarded-headers.ts';
import { formatError, type Log } from '../log.ts';
import { requireValue } from '../require-value.ts';
import { StorageUnavailable, toStorageError } from '../storage/errors.ts';
import type { Resource, Stack } from '../template/resource-type.ts';
import { UnsupportedTemplate } from '../template/template.ts';
import { Admission } from './admission.ts';
import { Authorizers, type Decision, type Invoke, toGatewayCaller } from './authorizers.ts';
import { createExchange, type Exchange, type GatewayIdentity, toProxyEvent } from './exchange.ts';
import {
  buildGatewayResponse,
  fillTemplate,
  type GatewayResponse,
  type GatewayResponseType,
  readContextValue,
  toGatewayResponse,
} from './gateway-response.ts';
import { type ApiDefinition, type Method, parseApiBody } from './openapi-body.ts';
import { Router } from './router.ts';
import { type CreatedKeys, TokenBucket, UsagePlans } from './usage-plans.ts';

const maxBodyBytes = 10 * 1024 * 1024;

export interface ApiGatewayOptions {
  stack: Stack;
  clock: Clock;
  log: Log;
  invoke: Invoke;
  /** API keys created by API calls. */
  keys: CreatedKeys;
  /** Proxies whose X-Forwarded-For header is trusted. */
  proxies?: TrustedProxies;
  recordMetric?: RecordMetric;
  /** Whether an overloaded server runs requests of this method first. */
  isUrgent?(method: Method): boolean;
  admission?: Admission;
}

export class ApiGateway {
  /** The stage's path prefix. */
  readonly basePath: string;
  private readonly options: ApiGatewayOptions;
  private readonly proxies: TrustedProxies;
  private readonly api: Resource;
  private readonly stage: Resource;
  private readonly definition: ApiDefinition;
  private readonly router: Router;
  private readonly authorizers: Authorizers;
  private readonly plans: UsagePlans;
  private readonly bucket: TokenBucket | undefined;
  private readonly admission: Admission;

  constructor(options: ApiGatewayOptions) {
    const { stack, clock } = options;
    this.options = options;
    this.proxies = options.proxies ?? new TrustedProxies();
    const problems: string[] = [];
    this.api = findOnly(stack, 'AWS::ApiGateway::RestApi', problems);
    this.stage = findOnly(stack, 'AWS::ApiGateway::Stage', problems);
    if (problems.length > 0) throw new UnsupportedTemplate(problems);
    this.definition = parseApiBody(this.api.properties.Body ?? {}, problems);
    if (problems.length > 0) throw new UnsupportedTemplate(problems);
    this.basePath = `/${this.stage.physicalId}`;
    this.router = new Router(this.definition.methods);
    this.authorizers = new Authorizers(clock, options.invoke);
    this.plans = new UsagePlans(stack, this.api.physicalId, this.stage.physicalId, options.keys);
    this.bucket = createStageBucket(this.stage, clock.now());
    this.admission = options.admission ?? new Admission();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock } = this.options;
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = (mark < 0 ? url : url.slice(0, mark)).slice(this.basePath.length) || '/';
    const query = mark < 0 ? '' : url.slice(mark + 1);
    const sourceIp = this.proxies.findClient(request);
    const exchange = createExchange(request, sourceIp, path, query, this.getIdentity(), clock.now());
    const startedAt = performance.now();
    const result = await clock.track(this.process(request, exchange));
    const latencyMs = Math.round(performance.now() - startedAt);
    sendResponse(response, result, exchange);
    this.logAccess(exchange, result, latencyMs);
    this.recordMetrics(result.status, latencyMs);
  }

  /** The response to a request that could not be parsed. */
  rejectUnreadable(socket: Socket, reason: 'malformed' | 'too large'): GatewayResponse {
    const request = { rawHeaders: [], method: 'GET', socket };
    const sourceIp = this.proxies.findClient({ socket, headers: {} });
    const exchange = createExchange(request, sourceIp, '/', '', this.getIdentity(), this.options.clock.now());
    const type = reason === 'malformed' ? 'BAD_REQUEST_PARAMETERS' : 'REQUEST_TOO_LARGE';
    return buildGatewayResponse(type, exchange, this.definition.gatewayResponses);
  }

  private getIdentity(): GatewayIdentity {
    const { accountId, publicUrl } = this.options.stack.environment;
    const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
    return { apiId: this.api.physicalId, stage: this.stage.physicalId, accountId, scheme };
  }

  private async process(request: IncomingMessage, exchange: Exchange): Promise<GatewayResponse> {
    const reject = (type: GatewayResponseType) =>
      buildGatewayResponse(type, exchange, this.definition.gatewayResponses);
    try {
      const body = await readBody(request);
      if (!body) return reject('REQUEST_TOO_LARGE');
      const match = this.router.match(exchange.httpMethod, exchange.path);
      if (!match) return reject('MISSING_AUTHENTICATION_TOKEN');
      exchange.match = match;
      if (this.bucket && !this.bucket.take(this.options.clock.now())) return reject('THROTTLED');
      const leave = await this.admission.enter(this.options.isUrgent?.(match.method) ? 'urgent' : 'normal');
      if (!leave) return reject('INTEGRATION_FAILURE');
      try {
        const rejection = await this.authorize(match.method, exchange);
        if (rejection) return reject(rejection);
        return await this.integrate(match.method, exchange, body, reject);
      } finally {
        leave();
      }
    } catch (error) {
      this.options.log.error('API Gateway request failed', {
        request_id: exchange.requestId,
        error: formatError(error),
      });
      const isMachineFailure = toStorageError(error) instanceof StorageUnavailable;
      return reject(isMachineFailure ? 'INTEGRATION_FAILURE' : 'API_CONFIGURATION_ERROR');
    }
  }

  /** Checks authorizer, API key and usage plan; returns the rejection, if any. */
  private async authorize(method: Method, exchange: Exchange): Promise<GatewayResponseType | undefined> {
    let usageIdentifierKey: string | undefined;
    if (method.authorizer) {
      const decision = await this.authorizers.decide(
        method.authorizer,
        exchange,
        this.options.stack.environment.region,
      );
      if ('context' in decision) exchange.authorizerContext = decision.context;
      const rejection = rejectionTypes[decision.outcome];
      if (rejection) return rejection;
      usageIdentifierKey = 'usageIdentifierKey' in decision ? decision.usageIdentifierKey : undefined;
    }
    if (!method.apiKeyRequired) return undefined;
    const key = this.plans.find(
      this.definition.apiKeySource === 'AUTHORIZER' ? usageIdentifierKey : exchange.headers['x-api-key'],
    );
    if (!key) return 'INVALID_API_KEY';
    exchange.apiKey = key;
    const name = `${method.resourcePath}/${method.httpMethod}`;
    return this.plans.admits(key, name, this.options.clock.now()) ? undefined : 'THROTTLED';
  }

  private async integrate(
    method: Method,
    exchange: Exchange,
    body: Buffer,
    reject: (type: GatewayResponseType) => GatewayResponse,
  ): Promise<GatewayResponse> {
    const caller = toGatewayCaller(method.roleArn);
    const work = this.options
      .invoke(method.functionArn, toProxyEvent(exchange, body), caller)
      .catch((error: unknown) => {
        if ((error as { code?: string }).code === 'RequestTooLargeException') return 'too large' as const;
        throw error;
      });
    const invoked = await raceTimeout(method.timeoutMs, work);
    if (invoked === 'timeout') return reject('INTEGRATION_TIMEOUT');
    // Lambda accepts 6 MB, the gateway 10 MB; Lambda rejects payloads in between.
    if (invoked === 'too large') return reject('REQUEST_TOO_LARGE');
    if (invoked.functionError) return reject('MALFORMED_PROXY_RESPONSE');
    return toGatewayResponse(invoked.payload) ?? reject('MALFORMED_PROXY_RESPONSE');
  }

  private recordMetrics(status: number, latencyMs: number): void {
    const { recordMetric } = this.options;
    if (!recordMetric) return;
    const api = { ApiName: String(this.api.properties.Name) };
    const sets = [api, { ...api, Stage: this.stage.physicalId }];
    for (const dimensions of sets) {
      recordMetric('AWS/ApiGateway', 'Count', dimensions, 1);
      recordMetric('AWS/ApiGateway', '4XXError', dimensions, status >= 400 && status < 500 ? 1 : 0);
      recordMetric('AWS/ApiGateway', '5XXError', dimensions, status >= 500 ? 1 : 0);
      recordMetric('AWS/ApiGateway', 'Latency', dimensions, latencyMs);
    }
  }

  private logAccess(exchange: Exchange, result: GatewayResponse, latencyMs: number): void {
    const format: string | undefined = this.stage.properties.AccessLogSetting?.Format;
    if (!format) return;
    const outcome = { status: result.status, responseLength: Buffer.byteLength(result.body), latencyMs };
    const line = fillTemplate(format, (variable) => readContextValue(variable, exchange, outcome));
    this.options.log.info('access', parseLogLine(line));
  }
}

const rejectionTypes: Record<Decision['outcome'], GatewayResponseType | undefined> = {
  allowed: undefined,
  denied: 'ACCESS_DENIED',
  unauthorized: 'UNAUTHORIZED',
  failed: 'AUTHORIZER_FAILURE',
  misconfigured: 'AUTHORIZER_CONFIGURATION_ERROR',
};

function findOnly(stack: Stack, type: string, problems: string[]): Resource {
  const resources = stack.findByType(type);
  if (resources.length !== 1) problems.push(`${resources.length} resources of type ${type}: exactly one can be served`);
  return requireValue(resources[0]);
}

function createStageBucket(stage: Resource, nowMs: number): TokenBucket | undefined {
  const settings = (stage.properties.MethodSettings ?? []) as Record<string, unknown>[];
  const all = settings.find((each) => each.HttpMethod === '*' && each.ResourcePath === '/*');
  if (all?.ThrottlingRateLimit === undefined) return undefined;
  return new TokenBucket({ rate: Number(all.ThrottlingRateLimit), burst: Number(all.ThrottlingBurstLimit) }, nowMs);
}

/** Returns undefined for a body that is too large. Uses events, because async iteration is several times slower. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
    });
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client disconnected before the request was complete')));
    request.once('end', () => {
      if (bytes > maxBodyBytes) resolve(undefined);
      else resolve(Buffer.concat(chunks));
    });
  });
}

async function raceTimeout<T>(limitMs: number, work: Promise<T>): Promise<T | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function sendResponse(response: ServerResponse, result: GatewayResponse, exchange: Exchange): void {
  response.writeHead(result.status, {
    ...(result.headers as Record<string, string | string[]>),
    'x-amzn-RequestId': exchange.requestId,
    'x-amz-apigw-id': exchange.extendedRequestId,
    'X-Amzn-Trace-Id': exchange.traceId,
    ...(result.status === 204 || result.status === 304 ? {} : { 'Content-Length': Buffer.byteLength(result.body) }),
  });
  response.end(exchange.httpMethod === 'HEAD' ? undefined : result.body);
}

function parseLogLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { line };
  }
}
