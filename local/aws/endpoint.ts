// The one address that every SDK client on this machine talks to. It reads from the signature which service is meant and
// whose credentials were used, has IAM decide, and hands the call on. It listens on loopback only.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { AllowedHosts } from '../allowed-hosts.ts';
import type { LineRequest, LineResponse } from '../lambda/worker/direct-line.ts';
import { gathering } from '../lambda/worker/gathering.ts';
import type { Log } from '../log.ts';
import { StorageUnavailable, toStorageError } from '../storage/errors.ts';
import { AwsError } from './error.ts';
import { Faults } from './faults.ts';
import { type Exchange, HttpServer } from './http-server.ts';
import type { Access, Authorize, AwsHttpRequest, AwsHttpResponse, AwsService, Caller } from './service.ts';
import { isSignedWith, parseAuthorization } from './signature.ts';

/** A signed request, whichever way it came; header names are in lower case. */
interface Signed {
  method?: string;
  url?: string;
  headers: Record<string, string | undefined>;
}

type Body = AwsHttpRequest['body'];

/** Most calls go there. */
const root = splitUrl('/');

const largestBodyBytes = 20 * 1024 * 1024;

export interface EndpointServices {
  services: readonly AwsService[];
  authorize(caller: Caller, accesses: readonly Access[]): void;
  /** Whose access key it is; undefined for one that nobody here has. */
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
      this.answer(request, response).catch((error: unknown) =>
        this.log.warn('an AWS call was not answered', { error: String(error) }),
      );
    });
  }

  /** It listens before the services exist, because they need to know its address. */
  open({ services, authorize, identify }: EndpointServices): void {
    this.services = new Map(services.map((service) => [service.signingName, service]));
    this.authorize = authorize;
    this.identify = identify;
  }

  /** Listens on the wanted port, or on any free one when that is taken. */
  async listen(wantedPort: number): Promise<number> {
    const port = await this.server.listen(wantedPort);
    this.hosts = new AllowedHosts(port);
    return port;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** The other end of a worker's line: the same calls as over HTTP, as messages. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const post = gathering<LineResponse>(port1);
    port1.on('message', (requests: readonly LineRequest[]) => {
      for (const request of requests) void this.answerOnLine(request).then(post);
    });
    port1.unref();
    return port2;
  }

  /** The same call from inside the runtime: Step Functions' service integrations. */
  async call(signingName: string, operation: string, input: unknown, caller: Caller): Promise<unknown> {
    const service = this.services.get(signingName);
    if (!service?.call)
      throw new AwsError('UnknownOperationException', `${signingName}:${operation} is not available here`);
    this.count(caller, signingName, operation);
    return service.call(operation, input, this.authorizeAs(caller), caller).catch((error: unknown) => {
      throw isStorageTrouble(error) ? serviceTrouble() : error;
    });
  }

  /** Calls so far, by `<caller> <service>.<operation>`. */
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

  private async answer(request: IncomingMessage, response: Parameters<Exchange>[1]): Promise<void> {
    if (!this.hosts.allowsHost(request))
      return reply(response, 421, 'This endpoint does not answer to this host name.');
    if (!this.hosts.allowsOrigin(request)) return reply(response, 403, 'This endpoint does not answer web pages.');
    const body = readBody(request);
    // A call may be answered before its body was read; a body that breaks off then concerns nobody.
    body.catch(() => {});
    const answer = await this.answered(request as Signed, body);
    response.writeHead(answer.status, {
      'x-amzn-requestid': randomUUID(),
      'content-length': Buffer.byteLength(answer.body),
      ...answer.headers,
    });
    response.end(answer.body);
  }

  private async answerOnLine([number, method, path, headers, body]: LineRequest): Promise<LineResponse> {
    const request = { method, url: path, headers: JSON.parse(headers) };
    const given = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const answer = await this.answered(request, given, { isProven: true });
    const sent = { 'x-amzn-requestid': randomUUID(), ...answer.headers };
    return [number, answer.status, JSON.stringify(sent), answer.body];
  }

  private async answered(
    request: Signed,
    body: Body | Promise<Body>,
    { isProven } = { isProven: false },
  ): Promise<AwsHttpResponse> {
    try {
      return await this.handle(request, body, isProven);
    } catch (error) {
      return this.failure(error);
    }
  }

  /** Nobody but a worker writes to its line, so a signature on it proves nothing more. */
  private async handle(request: Signed, body: Body | Promise<Body>, isProven: boolean): Promise<AwsHttpResponse> {
    const { method = 'GET', headers } = request;
    const scope = parseAuthorization(headers.authorization);
    if (!scope) throw new AwsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    const identity = this.identify(scope.accessKeyId);
    if (!identity) throw new AwsError('UnrecognizedClientException', unknownKey, { status: 403 });
    const { caller } = identity;
    const url = request.url ?? '/';
    const { path, query } = url === '/' ? root : splitUrl(url);
    if (!isProven) {
      const signed = { method, path, query, headers, body: await body };
      if (!isSignedWith(identity.secretAccessKey, scope, signed))
        throw new AwsError('SignatureDoesNotMatch', wrongSignature, { status: 403 });
    }
    const service = this.services.get(scope.service);
    if (!service) throw new AwsError('UnknownOperationException', `The service ${scope.service} does not run here`);
    const target = headers['x-amz-target'];
    this.count(caller, scope.service, target ? target.slice(target.indexOf('.') + 1) : `${method} ${path}`);
    if (this.faults.isSet(scope.service)) await this.faults.meet(scope.service);
    const sent = body instanceof Promise ? await body : body;
    return service.handle({ method, path, query, headers, body: sent }, this.authorizeAs(caller), caller);
  }

  private failure(error: unknown): AwsHttpResponse {
    const known = error instanceof AwsError ? error : isStorageTrouble(error) ? serviceTrouble() : undefined;
    if (!known)
      this.log.error('an AWS call failed inside the runtime', {
        error: String((error as Error)?.stack ?? error),
      });
    const { code, message, status } = known ?? {
      code: 'InternalServerError',
      message: 'The runtime failed.',
      status: 500,
    };
    return {
      status,
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code },
      body: JSON.stringify({ __type: code, message }),
    };
  }
}

const unknownKey = 'The security token included in the request is invalid: use the access key in credentials.json.';
const wrongSignature = 'The request signature does not match: check the secret access key and the signing method.';

function reply(response: Parameters<Exchange>[1], status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(JSON.stringify({ message }));
}

function isStorageTrouble(error: unknown): boolean {
  return toStorageError(error) instanceof StorageUnavailable;
}

/** What AWS answers when the trouble is its own: clients try again. */
function serviceTrouble(): AwsError {
  return new AwsError('InternalServerError', 'Internal server error', { status: 500 });
}

function splitUrl(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  return { path: mark < 0 ? url : url.slice(0, mark), query };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestBodyBytes)
      throw new AwsError('RequestEntityTooLargeException', 'The request is too large', { status: 413 });
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
