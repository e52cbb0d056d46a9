import { createHmac, hash, randomUUID } from 'node:crypto';
import { type Agent as HttpAgent, request as openHttp } from 'node:http';
import { type Agent as HttpsAgent, request as openHttps } from 'node:https';
import { DynamoDBClient, type ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import { clientDefaults, createSharedClient } from './shared-client.ts';

// Each client has its own file, so that a function loads only the clients that it uses.
export const dynamodbClient = createSharedClient(
  () => new DynamoDBClient(clientDefaults),
  (client) => assertPlainCalls(withPlainCalls(client)),
);

// The SDK spends most of its CPU time resolving the same endpoint, signer and serializers for every call. So only the
// first call of a client uses the whole SDK, which provides the endpoint and the headers; later calls are serialized,
// signed and parsed here. Every unsuccessful response is passed to the SDK as the response to its first attempt, so the
// SDK always handles errors, retries and backoff.

export function withPlainCalls(client: DynamoDBClient): DynamoDBClient {
  const { config, middlewareStack } = client;
  let endpoint: Endpoint | undefined;
  middlewareStack.add(
    (next, context) => {
      const operation = String(context.commandName).replace(/Command$/, '');
      return async (args) => {
        if (!endpoint) return next(args);
        const input = addRequestToken(operation, args.input);
        const attempt = await settle(send(config, endpoint, operation, JSON.stringify(encodeBytes(input))));
        const response = attempt.response;
        if (response?.statusCode !== 200) return next({ ...args, input, [firstAttempt]: attempt } as typeof args);
        return { response, output: parseOutput(response) };
      };
    },
    { step: 'initialize', name: stepNames.call, priority: 'high' },
  );
  middlewareStack.add(
    (next) => async (args) => {
      const attempt = (args as { [firstAttempt]?: FirstAttempt })[firstAttempt];
      if (!attempt || attempt.taken) {
        endpoint ??= parseEndpoint(args.request as Request);
        return next(args);
      }
      attempt.taken = true;
      if (!attempt.response) throw attempt.error;
      return { response: attempt.response, output: { $metadata: {} } };
    },
    { step: 'deserialize', name: stepNames.response, priority: 'low' },
  );
  return client;
}

const stepNames = { call: 'plainCall', response: 'plainCallResponse' };

/** Fails the cold start of a function whose client would silently take the slow path. */
export function assertPlainCalls(client: DynamoDBClient): DynamoDBClient {
  const steps = client.middlewareStack.identify().join('\n');
  const missing = Object.values(stepNames).filter((name) => !steps.includes(`${name} `));
  if (missing.length > 0) throw new Error(`the DynamoDB client lacks the middleware ${missing.join(' and ')}`);
  return client;
}

type Config = DynamoDBClient['config'];
type Request = Parameters<Config['requestHandler']['handle']>[0];
type Response = Awaited<ReturnType<Config['requestHandler']['handle']>>['response'];

interface FirstAttempt {
  response?: Response;
  error?: unknown;
  taken?: boolean;
}

/** The endpoint and the headers of every call. */
interface Endpoint {
  request: Pick<Request, 'protocol' | 'hostname' | 'port' | 'path'>;
  host: string;
  contentType: string;
  targetPrefix: string;
  /** region/service, as in the credential scope of a signature */
  scope: string;
}

const firstAttempt = Symbol('the first attempt');

/** Undefined for a call that only the SDK can make. */
function parseEndpoint({ protocol, hostname, port, path, query, headers }: Request): Endpoint | undefined {
  const scope = /Credential=[^/]+\/\d+\/([^/]+\/[^/]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1];
  const { host, 'content-type': contentType, 'x-amz-target': target } = headers;
  const isPlain = path === '/' && Object.keys(query ?? {}).length === 0;
  if (!scope || !host || !contentType || !target || !isPlain) return undefined;
  const targetPrefix = target.slice(0, target.indexOf('.') + 1);
  return { request: { protocol, hostname, port, path }, host, contentType, targetPrefix, scope };
}

async function send(config: Config, endpoint: Endpoint, operation: string, body: string): Promise<Response> {
  const credentials = await config.credentials();
  const now = new Date(Date.now() + config.systemClockOffset).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const signed: Headers = {
    'content-type': endpoint.contentType,
    host: endpoint.host,
    'x-amz-date': now,
    ...(credentials.sessionToken && { 'x-amz-security-token': credentials.sessionToken }),
    'x-amz-target': endpoint.targetPrefix + operation,
  };
  signed.authorization = buildAuthorization(signed, body, endpoint.scope, credentials);
  signed['content-length'] = String(Buffer.byteLength(body));
  return exchange(config, endpoint, signed, body);
}

/** Uses the SDK's connections and its request timeout. */
function exchange(config: Config, { request: to }: Endpoint, headers: Headers, body: string): Promise<Response> {
  const { httpAgent, httpsAgent, requestTimeout: timeoutMs = maxWaitMs } = getConnections(config.requestHandler);
  const options = { hostname: to.hostname, port: to.port, path: to.path, method: 'POST', headers };
  return new Promise((resolve, reject) => {
    const request =
      to.protocol === 'https:'
        ? openHttps({ ...options, agent: httpsAgent })
        : openHttp({ ...options, agent: httpAgent });
    const timer = setTimeout(() => request.destroy(createTimeoutError(timeoutMs)), timeoutMs);
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(retryableCodes.has(error.code ?? '') ? Object.assign(error, timeoutName) : error);
    };
    request.once('error', fail);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', fail);
      response.once('end', () => {
        clearTimeout(timer);
        const [first] = chunks;
        const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks);
        resolve({ statusCode: response.statusCode ?? -1, headers: response.headers, body: bytes } as Response);
      });
    });
    request.end(body);
  });
}

type Headers = Record<string, string>;

function getConnections(handler: object): Connections {
  if (!('httpHandlerConfigs' in handler) || typeof handler.httpHandlerConfigs !== 'function') {
    throw new Error('the HTTP handler of the SDK does not expose its connections');
  }
  return handler.httpHandlerConfigs();
}

interface Connections {
  httpAgent: HttpAgent;
  httpsAgent: HttpsAgent;
  requestTimeout?: number;
}

/** The timeout for a client without a configured one. */
const maxWaitMs = 10_000;

/** The SDK retries errors with this name. */
const timeoutName = { name: 'TimeoutError' };
const retryableCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

function createTimeoutError(ms: number): Error {
  return Object.assign(new Error(`no response within ${ms} ms`), timeoutName);
}

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Signature version 4 of a POST to the root; `headers` are in the order of their names. */
function buildAuthorization(headers: Headers, body: string, region: string, by: Credentials): string {
  const now = headers['x-amz-date'] ?? '';
  const scope = `${now.slice(0, 8)}/${region}/aws4_request`;
  const names = Object.keys(headers);
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const signedNames = names.join(';');
  const canonical = `POST\n/\n\n${lines}\n${signedNames}\n${sha256(body)}`;
  const text = `AWS4-HMAC-SHA256\n${now}\n${scope}\n${sha256(canonical)}`;
  const signature = createHmac('sha256', deriveSigningKey(by.secretAccessKey, scope)).update(text).digest('hex');
  return `AWS4-HMAC-SHA256 Credential=${by.accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
}

let lastKey: { secret: string; scope: string; key: Buffer } = { secret: '', scope: '', key: Buffer.alloc(0) };

/** The key is valid for a whole day. */
function deriveSigningKey(secret: string, scope: string): Buffer {
  if (lastKey.secret !== secret || lastKey.scope !== scope) {
    const key = scope.split('/').reduce<Buffer>((above, part) => hmac(above, part), Buffer.from(`AWS4${secret}`));
    lastKey = { secret, scope, key };
  }
  return lastKey.key;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** A retried transaction keeps its token, so that it is applied once. */
function addRequestToken<Input extends object>(operation: string, input: Input): Input {
  return operation === 'TransactWriteItems' ? { ClientRequestToken: randomUUID(), ...input } : input;
}

/** Bytes are sent as base64. Values without bytes are not copied. */
function encodeBytes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  let copy: Record<string, unknown> | undefined;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    const inner = encodeBytes(member);
    if (inner === member) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = inner;
  }
  return copy ?? value;
}

async function settle(response: Promise<Response>): Promise<FirstAttempt> {
  try {
    return { response: await response };
  } catch (error) {
    return { error };
  }
}

function parseOutput({ statusCode, headers, body }: Response): ServiceOutputTypes {
  const text: string = body.toString('utf8');
  const output = JSON.parse(text);
  if (text.includes('"B":') || text.includes('"BS":')) decodeBytes(output);
  const $metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'], attempts: 1 };
  return { $metadata, ...output };
}

/** A member B that is a string, or BS that is a list, is always a value: an attribute with that name is an object. */
function decodeBytes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (key === 'B' && typeof member === 'string') members.B = fromBase64(member);
    else if (key === 'BS' && Array.isArray(member)) members.BS = member.map(fromBase64);
    else decodeBytes(member);
  }
}

/** Like the SDK, returns a Uint8Array, whose `slice` copies; the `slice` of a Buffer does not. */
function fromBase64(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}
