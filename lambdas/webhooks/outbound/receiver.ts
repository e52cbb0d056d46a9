import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type AddressRule, createCheckedLookup, findHostProblem, type Resolve } from './receiver-address.ts';

// Sends one POST to a URL that a user chose. The name is resolved once, all its addresses are checked, and the connection
// uses one of them. Redirects are not followed; response size and total time are limited.

interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  timeoutMs: number;
}

export type PostResult =
  | { kind: 'responded'; status: number; text: string; retryAfter: string | undefined }
  | { kind: 'failed'; error: string };

export type PostTo = (post: Post) => Promise<PostResult>;

export function createReceiverClient(rule: AddressRule, resolve?: Resolve): PostTo {
  const lookup = createCheckedLookup(rule, resolve);
  const connections = createConnectionPool();
  return async (post) => {
    const url = new URL(post.url);
    const problem = findHostProblem(url, rule);
    if (problem) return { kind: 'failed', error: problem };
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const agent = connections()[url.protocol as 'http:' | 'https:'];
    const headers = { ...post.headers, 'content-length': String(post.body.byteLength) };
    const start: StartRequest = (onResponse) => send(url, { method: 'POST', agent, lookup, headers }, onResponse);
    return exchange(start, post);
  };
}

/** The maximum sizes of a response that are stored and read. */
const maxStoredBytes = 1_024;
const maxReadBytes = 64 * 1_024;

/**
 * A function is frozen between invocations, so it does not notice when the receiver closes an idle connection. A request
 * on it might be lost or received twice, so a connection that was idle for longer is not reused.
 */
const idleMs = 2_000;

type StartRequest = (onResponse: (message: IncomingMessage) => void) => ClientRequest;

/** Connections are reused between deliveries; each was checked when it was opened. */
function createConnectionPool(): () => { 'http:': HttpAgent; 'https:': HttpsAgent } {
  const options = { keepAlive: true, timeout: idleMs };
  const create = () => ({ 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) });
  let [agents, lastUseMs] = [create(), performance.now()];
  return () => {
    const nowMs = performance.now();
    if (nowMs - lastUseMs > idleMs) agents = create();
    lastUseMs = nowMs;
    return agents;
  };
}

function exchange(start: StartRequest, { body, timeoutMs }: Post): Promise<PostResult> {
  return new Promise((resolve) => {
    let status: { code: number; retryAfter: string | undefined } | undefined;
    const chunks: Buffer[] = [];
    const request = start((message) => {
      status = { code: message.statusCode ?? 0, retryAfter: message.headers['retry-after'] };
      let bytes = 0;
      message.on('data', (chunk: Buffer) => {
        if (bytes < maxStoredBytes) chunks.push(chunk);
        bytes += chunk.byteLength;
        if (bytes >= maxReadBytes) settle();
      });
      message.on('end', () => settle('whole'));
      message.on('error', () => settle());
      message.on('aborted', () => settle());
    });
    const settle = (how?: 'whole') => {
      clearTimeout(timer);
      // The status is sufficient. A connection with an unread response cannot be reused.
      if (how !== 'whole') request.destroy();
      if (status) resolve(toPostResponse(status, chunks));
    };
    const fail = (error: string) => {
      clearTimeout(timer);
      request.destroy();
      resolve({ kind: 'failed', error });
    };
    const timer = setTimeout(() => {
      const limit = `within ${Math.round(timeoutMs / 1_000)} s`;
      if (!status) fail(`no response ${limit}`);
      else if (isSuccess(status.code)) fail(`returned ${status.code}, but the response did not end ${limit}`);
      else settle();
    }, timeoutMs);
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (status) settle();
      else fail(formatNetworkError(error));
    });
    request.end(body);
  });
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function toPostResponse(
  status: { code: number; retryAfter: string | undefined },
  chunks: readonly Buffer[],
): PostResult {
  const text = Buffer.concat(chunks).subarray(0, maxStoredBytes).toString('utf8');
  return { kind: 'responded', status: status.code, text, retryAfter: status.retryAfter };
}

function formatNetworkError(error: NodeJS.ErrnoException): string {
  const known = error.code === undefined ? undefined : networkErrors[error.code];
  return (known ?? error.message) || 'the connection failed';
}

const networkErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
};
