import { createHmac, timingSafeEqual } from 'node:crypto';

// Two signatures of the same bytes. X-Service-Signature is the hexadecimal HMAC-SHA256 of the body; its key is the
// whole secret as shown, including `whsec_`. The Standard Webhooks signature covers id, time and body; its key is the
// decoded part after `whsec_`.

/** The three headers of Standard Webhooks. */
export interface StandardHeaders {
  id: string;
  /** Unix seconds. */
  timestamp: string;
  /** One or more of `v1,<base64>`, separated by spaces. */
  signature: string;
}

export const secretPrefix = 'whsec_';

export const toleranceSeconds = 300;

export function signHex(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

export function signStandardWebhook(secret: string, id: string, timestampSeconds: number, body: Uint8Array): string {
  return `v1,${computeStandardDigest(secret, id, String(timestampSeconds), body).toString('base64')}`;
}

/** The signature may have the prefix `sha256=`. */
export function verifyHex(secret: string, body: Uint8Array, signature: string): boolean {
  const received = signature.trim().replace(/^sha256=/, '');
  return isEqualInConstantTime(received.toLowerCase(), signHex(secret, body));
}

/** A signature outside the tolerance may be a replay of a recorded request. */
export function verifyStandard(
  secret: string,
  { id, timestamp, signature }: StandardHeaders,
  body: Uint8Array,
  nowMs: number,
): boolean {
  if (!isRecent(timestamp, nowMs)) return false;
  const expected = `v1,${computeStandardDigest(secret, id, timestamp, body).toString('base64')}`;
  const received = signature.split(' ').slice(0, maxSignatures);
  return received.filter((one) => isEqualInConstantTime(one, expected)).length > 0;
}

export function isRecent(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1_000 - Number(timestamp)) <= toleranceSeconds;
}

/** More than a rotation needs. The limit keeps a header with thousands of signatures cheap. */
const maxSignatures = 10;

function computeStandardDigest(secret: string, id: string, timestamp: string, body: Uint8Array): Buffer {
  const key = Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Compares in constant time. The length, which is not secret, is compared first. */
function isEqualInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
