import type { WebhookPayloads } from './api-types.ts';
import { ServiceProblem } from './problem.ts';

// Verification of webhook deliveries with Web Crypto, which Node, browsers and edge runtimes have in common.

/** The body of a delivery. `event` determines the type of `data`. */
export type WebhookEvent = WebhookPayloads[keyof WebhookPayloads];

/** `standard`: Standard Webhooks, with a timestamp. `hex`: `X-Service-Signature`, which does not expire. */
export type SignatureScheme = 'standard' | 'hex';

export interface VerifyOptions {
  /** Accepted schemes; both by default. Accept only `standard` to reject replayed requests. */
  schemes?: readonly SignatureScheme[];
  /** How far the timestamp may differ from the clock; 300 seconds by default. */
  toleranceSeconds?: number;
  now?(): number;
}

/** `Headers` of a fetch request, or the `headers` of Node, Express and Lambda. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a delivery and returns its payload. `rawBody` is the body as received, before JSON parsing. During the rotation
 * of a secret, pass both. Throws a ServiceProblem with the code `invalid_signature`.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { schemes = ['standard', 'hex'], toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody))
    throw new TypeError('rawBody must be the body as received, a string or bytes. A parsed body cannot be verified.');
  if (!secret && secret !== '') throw new TypeError('The secret is not set.');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const get = (name: string) => readHeader(headers, name);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const standard = get('webhook-signature');
  const hex = get('x-service-signature');
  if (standard && schemes.includes('standard')) {
    const id = get('webhook-id') ?? '';
    const timestamp = get('webhook-timestamp') ?? '';
    const age = Math.abs(now() / 1000 - Number(timestamp || Number.NaN));
    if (!(age <= toleranceSeconds)) throw reject('webhook-timestamp is missing or too far from the current time.');
    const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
    const signatures = standard.split(' ').slice(0, maxSignatures).map(parseStandard);
    if (await matchesAny(secrets.map(parseSecret), signatures, signed)) return parsePayload(body);
  } else if (hex && schemes.includes('hex')) {
    const keys = secrets.map((one) => new TextEncoder().encode(one));
    if (await matchesAny(keys, [parseHex(hex)], body)) return parsePayload(body);
  } else throw reject(`There is no signature of the schemes ${schemes.join(', ')}.`);
  throw reject('No signature matches the secret and the body.');
}

/** A rotation sends two signatures; more are not compared. */
const maxSignatures = 10;

async function matchesAny(keys: Uint8Array[], signatures: Uint8Array[], signed: Uint8Array): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    if (bytes.length === 0) continue;
    const key = await crypto.subtle.importKey('raw', toBuffer(bytes), algorithm, false, ['verify']);
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, toBuffer(signature), toBuffer(signed))) return true;
    }
  }
  return false;
}

/** Copies the bytes, because Web Crypto rejects memory that is shared between threads. */
function toBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** The part after `whsec_` is the key in base64. */
function parseSecret(secret: string): Uint8Array {
  return parseBase64(secret.replace(/^whsec_/, ''));
}

function parseStandard(signature: string): Uint8Array {
  return signature.startsWith('v1,') ? parseBase64(signature.slice(3)) : new Uint8Array();
}

function parseBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function parseHex(text: string): Uint8Array {
  const digits = text.trim().replace(/^sha256=/, '');
  if (!/^[\da-f]{64}$/i.test(digits)) return new Uint8Array();
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16));
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const entries: [string, unknown][] = Object.entries(headers);
  const value = entries.find(([key]) => key.toLowerCase() === name)?.[1];
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? text : undefined;
}

function parsePayload(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw reject(`The signed body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function reject(detail: string): ServiceProblem {
  return new ServiceProblem({ status: 0, code: 'invalid_signature', title: 'The delivery is not verified', detail });
}
