import { lookup as systemLookup } from 'node:dns/promises';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { type ItemStore, writeWithRetry } from '../../records/item-store.ts';
import { buildSlowWrite } from './webhook-list.ts';

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

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;

export function createReceiverClient(rule: AddressRule, resolve: Resolve = resolveAll): PostTo {
  const lookup = createCheckedLookup(rule, resolve);
  const connections = createConnectionPool();
  const limit = createDeliveryLimiter();
  return async (post) => {
    const url = new URL(post.url);
    const problem = findHostProblem(url, rule);
    if (problem) return { kind: 'failed', error: problem };
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const agent = connections()[url.protocol as 'http:' | 'https:'];
    const headers = { ...post.headers, 'content-length': String(post.body.byteLength) };
    const start: StartRequest = (onResponse) => send(url, { method: 'POST', agent, lookup, headers }, onResponse);
    return limit(url.host, () => exchange(start, post));
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
      if (status) settle();
      else fail(`no response within ${Math.round(timeoutMs / 1_000)} s`);
    }, timeoutMs);
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (status) settle();
      else fail(formatNetworkError(error));
    });
    request.end(body);
  });
}

function toPostResponse(
  status: { code: number; retryAfter: string | undefined },
  chunks: readonly Buffer[],
): PostResult {
  const text = Buffer.concat(chunks).subarray(0, maxStoredBytes).toString('utf8');
  return { kind: 'responded', status: status.code, text, retryAfter: status.retryAfter };
}

/** An IP address in the URL is never resolved, so it is checked here. http is allowed for loopback only. */
function findHostProblem(url: URL, rule: AddressRule): string | undefined {
  const host = toHost(url);
  if (isIP(host) !== 0) {
    if (url.protocol === 'http:' && !isLoopback(host)) return 'the URL must use https';
    return rule(host);
  }
  return undefined;
}

/** Node calls this instead of its resolver and connects only to the returned addresses. */
function createCheckedLookup(rule: AddressRule, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const problem = found.map(({ address }) => rule(address)).find((reason) => reason !== undefined);
        const [first] = found;
        if (problem) callback(new Error(`${host}: ${problem}`), '', 0);
        else if (!first) callback(new Error(`${host} has no address`), '', 0);
        else if (options.all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

const resolveAll: Resolve = (host) => systemLookup(host, { all: true, verbatim: true });

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

// Limits concurrent requests per receiver, so that connections are reused. A request that takes longer than `maxCountedMs`
// no longer counts against the limit, so a receiver that hangs delays its own deliveries only briefly.

/** Runs work as soon as its key is below the limit. */
type DeliveryLimiter = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createDeliveryLimiter(maxConcurrent = 32, maxCountedMs = 250): DeliveryLimiter {
  const receivers = new Map<string, { running: number; waiting: (() => void)[] }>();
  const release = (key: string) => {
    const receiver = receivers.get(key);
    if (!receiver) return;
    const next = receiver.waiting.shift();
    if (next) next();
    else if (--receiver.running === 0) receivers.delete(key);
  };
  const acquire = async (key: string) => {
    const receiver = receivers.get(key) ?? { running: 0, waiting: [] };
    receivers.set(key, receiver);
    if (receiver.running < maxConcurrent) receiver.running++;
    else await new Promise<void>((resolve) => receiver.waiting.push(resolve));
  };
  return async (key, work) => {
    await acquire(key);
    let counts = true;
    const stopCounting = () => {
      if (counts) release(key);
      counts = false;
    };
    const timer = setTimeout(stopCounting, maxCountedMs).unref();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      stopCounting();
    }
  };
}

// Workers mark slow receivers while they wait for them. Queueing reads the marks together with the webhooks.

export type WatchReceiver = <Result>(webhookId: string, response: Promise<Result>) => Promise<Result>;

/** Validity of a mark. Each slow response renews it, at most once per worker and interval. */
const markTtlMs = 60_000;
const renewalIntervalMs = 15_000;

/** A working receiver responds faster than this. */
export function createSlowReceiverWatch(
  store: Pick<ItemStore, 'transact'>,
  clock: Clock,
  log: Log,
  slowAfterMs = 3_000,
): WatchReceiver {
  const markedAtMs = new Map<string, number>();
  const mark = async (webhookId: string) => {
    const nowMs = clock.now();
    if ((markedAtMs.get(webhookId) ?? 0) + renewalIntervalMs > nowMs) return;
    markedAtMs.set(webhookId, nowMs);
    try {
      await writeWithRetry(store, [buildSlowWrite(webhookId, nowMs + markTtlMs)]);
    } catch (error) {
      // The delivery continues; the next slow response sets the mark.
      markedAtMs.delete(webhookId);
      log('warn', 'failed to mark a slow receiver', { webhook: webhookId, ...toErrorFields(error) });
    }
  };
  return async (webhookId, response) => {
    let marking: Promise<void> | undefined;
    const timer = setTimeout(() => {
      marking = mark(webhookId);
    }, slowAfterMs);
    try {
      return await response;
    } finally {
      clearTimeout(timer);
      // Lambda freezes the function after its response, so wait for the mark to be written.
      await marking;
    }
  };
}

// The addresses that deliveries may use. Without this check a webhook could make the service call hosts that only the
// service can reach: its own machine, its network, or the metadata endpoint of the cloud (SSRF).

export type LoopbackRule = 'allowed' | 'refused';

/** Returns the reason why an address must not be called; undefined for a permitted address. */
export type AddressRule = (address: string) => string | undefined;

export function createAddressRule(loopback: LoopbackRule): AddressRule {
  return (address) => {
    if (isLoopback(address)) return loopback === 'allowed' ? undefined : `${address} is a loopback address`;
    return isPublic(address) ? undefined : `${address} is not a public address`;
  };
}

export function isLoopback(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback';
}

/** The host of a URL without the brackets of IPv6; URL has normalized forms such as 0x7f.1. */
export function toHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Azure's wire server is reachable from every Azure machine but is not in a reserved range. */
const wireServer = '168.63.129.16';

/** Only this range is assigned to the public; the rest of the IPv6 space is rejected as a whole. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** `unicast` excludes everything in IANA's special-purpose registries, and multicast. */
function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed?.range() !== 'unicast' || parsed.toString() === wireServer) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/** Unwraps an IPv4 address inside an IPv6 one: mapped, translated (RFC 6145) or behind NAT64 (64:ff9b::/96). */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js also parses short forms such as 127.1; a resolved address never has one.
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed;
  const embedsIpv4 = parsed.range() === 'rfc6145' || parsed.match(nat64);
  return embedsIpv4 ? new ipaddr.IPv4(parsed.toByteArray().slice(-4)) : parsed;
}

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
