import { hash, randomBytes, randomInt } from 'node:crypto';
import { type IdKind, idAlphabet, idFormats } from '../../contract/ids.ts';

// The only source of randomness in functions.

export function newId(kind: IdKind): string {
  const { prefix, length } = idFormats[kind];
  const bytes = randomBytes(length);
  return prefix + ('digits' in idFormats[kind] ? toDigits(bytes) : toLetters(bytes));
}

/** Returns the same id for the same text. */
export function deriveId(kind: IdKind, text: string): string {
  const { prefix, length } = idFormats[kind];
  return prefix + toLetters(hash('sha256', text, 'buffer').subarray(0, length));
}

/** Like deriveId(), for lists with the newest first: an id of a later time sorts before an earlier one. */
export function deriveTimedId(kind: IdKind, text: string, atMs: number): string {
  return toTimedPrefix(kind, atMs) + deriveId(kind, text).slice(idFormats[kind].prefix.length + timeCharacters);
}

/** The creation time in a timed id; an arbitrary time for any other id. */
export function parseIdTime(kind: IdKind, id: string): number {
  const { prefix } = idFormats[kind];
  const digits = [...id.slice(prefix.length, prefix.length + timeCharacters)];
  return 2 ** 50 - 1 - digits.reduce((sum, digit) => sum * 32 + idAlphabet.indexOf(digit), 0);
}

/** The prefix of ids created at the given time; ids of later times sort before it. */
export function toTimedPrefix(kind: IdKind, atMs: number): string {
  return idFormats[kind].prefix + encodeCountdown(atMs);
}

/** A webhook's secret in the form of Standard Webhooks: 256 random bits. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Distributes ids evenly over a number of shards. */
export function toShard(id: string, shards: number): number {
  return (hash('sha256', id, 'buffer')[0] ?? 0) % shards;
}

/** A whole number from 0 up to, but not including, the limit. */
export function randomBelow(limit: number): number {
  return randomInt(limit);
}

/** Fifty bits of milliseconds last until the year 37658. */
const timeCharacters = 10;

function encodeCountdown(atMs: number): string {
  let rest = 2 ** 50 - 1 - atMs;
  let text = '';
  for (let index = 0; index < timeCharacters; index++) {
    text = idAlphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Some digits are slightly more likely than others, which is harmless because ids are not secret. */
function toDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte % 10).join('');
}

function toLetters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => idAlphabet[byte % idAlphabet.length]).join('');
}
