// The endpoint of all SDK clients on this machine. It reads the service and the caller from the signature, authorizes the
// call with IAM and dispatches it. It listens on loopback only.
import { randomUUID } from 'node:crypto';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { AllowedHosts } from '../allowed-hosts.ts';
import { formatError, type Log } from '../log.ts';
import { StorageUnavailable, toStorageError } from '../storage/errors.ts';
import { AwsError } from './error.ts';
import { toErrorResponse } from './error-response.ts';
import { Faults, LostResponse } from './faults.ts';
import { type HttpRequest, type HttpResponse, HttpServer } from './http-server.ts';
import type { TransportRequest, TransportResponse } from './message-transport.ts';
import { batchMessages } from './message-transport.ts';
import { parsePresigned, splitQuery, verifyPresigned } from './presigned.ts';
import {
  type Access,
  type Authorize,
  type AwsHttpRequest,
  type AwsHttpResponse,
  type AwsService,
  type Caller,
  unsupportedOperationError,
} from './service.ts';
import { type CredentialScope, isSignedWith, parseAuthorization } from './signature.ts';

/** A signed request, over HTTP or as a message; header names are in lower case. */
interface IncomingRequest {
  method?: string;
  url?: string;
  headers: Record<string, string | undefined>;
}

type Body = AwsHttpRequest['body'];

/** Parsed once, because most calls go to `/`. */
const root = splitUrl('/');

const maxBodyBytes = 20 * 1024 * 1024;

export interface EndpointServices {
  services: readonly AwsService[];
  authorize(caller: Caller, accesses: readonly Access[]): void;
  /** Finds the owner of an access key; undefined for an unknown key. */
  identify(accessKeyId: string): Identity | undefined;
}

export interface Identity {
  caller: Caller;
  secretAccessKey: string;
}

export class AwsEndpoint {
  readonly faults = new Faults();
  private readonly log: Log;
  private readonly server: HttpServer;
  private readonly counts = new Map<string, number>();
  private services = new Map<string, AwsService>();
  private authorize: EndpointServices['authorize'] = () => {};
  private identify: EndpointServices['identify'] = () => undefined;
  private hosts = new AllowedHosts(0);

  constructor(log: Log) {
    this.log = log;
    this.server = new HttpServer((request, response) => {
      this.handleHttp(request, response).catch((error: unknown) =>
        this.log.warn('AWS call failed without a response', { error: String(error) }),
      );
    });
  }

  /** Registers the services. The endpoint listens before they exist, because they need to know its address. */
  open({ services, authorize, identify }: EndpointServices): void {
    this.services = new Map(services.map((service) => [service.signingName, service]));
    this.authorize = authorize;
    this.identify = identify;
  }

  async listen(wantedPort: number): Promise<number> {
    const port = await this.server.listen(wantedPort);
    this.hosts = new AllowedHosts(port);
    return port;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Opens a message transport for a worker: the same calls as over HTTP. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const post = batchMessages<TransportResponse>(port1);
    port1.on('message', (requests: readonly TransportRequest[]) => {
      for (const request of requests) void this.handleMessage(request).then(post);
    });
    port1.unref();
    return port2;
  }

  /** Calls a service in-process, for Step Functions' service integrations. */
  async call(signingName: string, operation: string, input: unknown, caller: Caller): Promise<unknown> {
    const service = this.services.get(signingName);
    if (!service?.call) throw unsupportedOperationError(signingName, operation);
    this.count(caller, signingName, operation);
    return service.call(operation, input, this.authorizeAs(caller), caller).catch((error: unknown) => {
      throw isStorageFailure(error) ? createInternalError() : error;
    });
  }

  /** Number of calls by `<caller> <service>.<operation>`. */
  calls(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  resetCalls(): void {
    this.counts.clear();
  }

  private authorizeAs(caller: Caller): Authorize {
    return (accesses) => this.authorize(caller, accesses);
  }

  private count(caller: Caller, signingName: string, operation: string): void {
    const key = `${caller.name} ${signingName}.${operation}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  private async handleHttp(request: HttpRequest, response: HttpResponse): Promise<void> {
    if (!this.hosts.allowsHost(request))
      return writeMessage(response, 421, 'This endpoint does not serve this host name.');
    if (!this.hosts.allowsOrigin(request))
      return writeMessage(response, 403, 'This endpoint does not serve web pages.');
    const body = readBody(request);
    // A rejected call gets its response before its body is read; ignore a body that fails afterwards.
    body.catch(() => {});
    const result = await this.handleSafely(request as IncomingRequest, body);
    if (result === lostResponse) {
      response.destroy();
      return;
    }
    writeResult(response, result);
  }

  /**
   * Handles a request with a presigned URL that came to the public server, whose name is `host`. Its origin also serves
   * applications, so browsers must not run what it returns.
   */
  async handlePresigned(request: HttpRequest, response: HttpResponse, host: string, nowMs: number): Promise<void> {
    const headers = { ...(request.headers as IncomingRequest['headers']), host };
    const result = await this.callPresigned(request, headers, nowMs).catch((error: unknown) =>
      error instanceof LostResponse
        ? lostResponse
        : toErrorResponse(this.toAwsError(error), { method: request.method ?? 'GET', headers }, 's3'),
    );
    if (result === lostResponse) response.destroy();
    else writeResult(response, result, sandboxHeaders);
  }

  private async callPresigned(
    request: HttpRequest,
    headers: IncomingRequest['headers'],
    nowMs: number,
  ): Promise<AwsHttpResponse> {
    const { method = 'GET', url = '/' } = request;
    const { path, query } = splitUrl(url);
    const scope = parsePresigned(query);
    if (!scope) throw new AwsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    const { caller, secretAccessKey } = this.findIdentity(scope);
    verifyPresigned(secretAccessKey, scope, { method, path, query, headers }, nowMs);
    const body = await readBody(request).catch((error: unknown) => {
      if (error instanceof AwsError) throw error;
      throw new AwsError('IncompleteBody', 'The connection broke before the end of the body.');
    });
    const given = splitQuery(query);
    const signed = { ...given.headers, ...headers };
    return this.callService(scope.service, caller, { method, path, query: given.query, headers: signed, body });
  }

  private async handleMessage([number, method, path, headers, body]: TransportRequest): Promise<TransportResponse> {
    const request = { method, url: path, headers: JSON.parse(headers) };
    const given = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const result = await this.handleSafely(request, given, { isTrusted: true });
    const sent = { 'x-amzn-requestid': randomUUID(), ...result.headers };
    return [number, result.status, JSON.stringify(sent), result.body];
  }

  private async handleSafely(
    request: IncomingRequest,
    body: Body | Promise<Body>,
    { isTrusted } = { isTrusted: false },
  ): Promise<AwsHttpResponse> {
    const scope = parseAuthorization(request.headers.authorization);
    try {
      return await this.handle(request, scope, body, isTrusted);
    } catch (error) {
      if (error instanceof LostResponse) return lostResponse;
      return toErrorResponse(this.toAwsError(error), request, scope?.service);
    }
  }

  /** Calls over a message transport are trusted: only the worker itself can write to its port. */
  private async handle(
    request: IncomingRequest,
    scope: CredentialScope | undefined,
    body: Body | Promise<Body>,
    isTrusted: boolean,
  ): Promise<AwsHttpResponse> {
    const { method = 'GET', headers } = request;
    if (!scope) throw new AwsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    const { caller, secretAccessKey } = this.findIdentity(scope);
    const url = request.url ?? '/';
    const { path, query } = url === '/' ? root : splitUrl(url);
    if (!isTrusted) {
      const signed = { method, path, query, headers, body: await body };
      if (!isSignedWith(secretAccessKey, scope, signed))
        throw new AwsError('SignatureDoesNotMatch', wrongSignatureMessage, { status: 403 });
    }
    return this.callService(scope.service, caller, { method, path, query, headers, body });
  }

  private findIdentity({ accessKeyId }: CredentialScope): Identity {
    const identity = this.identify(accessKeyId);
    if (!identity) throw new AwsError('UnrecognizedClientException', unknownKeyMessage, { status: 403 });
    return identity;
  }

  private async callService(
    name: string,
    caller: Caller,
    { body, ...request }: Omit<AwsHttpRequest, 'body'> & { body: Body | Promise<Body> },
  ): Promise<AwsHttpResponse> {
    const service = this.services.get(name);
    if (!service)
      throw new AwsError('UnknownOperationException', `The local runtime does not run the service ${name}.`);
    const target = request.headers['x-amz-target'];
    const operation = target ? target.slice(target.indexOf('.') + 1) : `${request.method} ${request.path}`;
    this.count(caller, name, operation);
    const sent = body instanceof Promise ? await body : body;
    const call = () => service.handle({ ...request, body: sent }, this.authorizeAs(caller), caller);
    if (!this.faults.isSet(name)) return call();
    return this.faults.apply({ service: name, operation, caller: caller.name }, call);
  }

  private toAwsError(error: unknown): AwsError {
    if (error instanceof AwsError) return error;
    if (isStorageFailure(error)) return createInternalError();
    if (error instanceof URIError) return new AwsError('ValidationException', 'The path is not correctly encoded.');
    this.log.error('AWS call failed with an internal error', { error: formatError(error) });
    return new AwsError('InternalServerError', 'Internal error in the local runtime.', { status: 500 });
  }
}

/** Status 0: the connection breaks. */
const lostResponse: AwsHttpResponse = { status: 0, headers: {}, body: '' };

const unknownKeyMessage =
  'The security token included in the request is invalid: use the access key in credentials.json.';
const wrongSignatureMessage =
  'The request signature does not match: check the secret access key and the signing method.';

const sandboxHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
};

function writeResult(response: HttpResponse, result: AwsHttpResponse, added: Record<string, string> = {}): void {
  response.writeHead(result.status, {
    'x-amzn-requestid': randomUUID(),
    'content-length': Buffer.byteLength(result.body),
    ...result.headers,
    ...added,
  });
  response.end(result.body);
}

function writeMessage(response: HttpResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(JSON.stringify({ message }));
}

function isStorageFailure(error: unknown): boolean {
  return toStorageError(error) instanceof StorageUnavailable;
}

/** AWS's response to its own failures: clients retry it. */
function createInternalError(): AwsError {
  return new AwsError('InternalServerError', 'Internal server error', { status: 500 });
}

function splitUrl(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  return { path: mark < 0 ? url : url.slice(0, mark), query };
}

async function readBody(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes)
      throw new AwsError('RequestEntityTooLargeException', 'The request is too large', { status: 413 });
    chunks.push(chunk);
  }
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
