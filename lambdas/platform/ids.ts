import { hash, randomBytes, randomInt } from 'node:crypto';

// The only source of randomness. Ids are a prefix, by which people and programs tell the kinds apart, and characters of
// Crockford's base 32, which has no letters that look like digits, or digits alone where the interface says so.

const forms = {
  job: { prefix: 'job_', characters: 26 },
  incident: { prefix: 'INC', characters: 7 },
  article: { prefix: 'KB', characters: 7 },
  audit: { prefix: 'aud_', characters: 26 },
  apiKey: { prefix: 'key_', characters: 26 },
  ci: { prefix: 'CI', characters: 7, digits: true },
  change: { prefix: 'CHG', characters: 7 },
  request: { prefix: 'REQ', characters: 7 },
  note: { prefix: 'note_', characters: 26 },
  snapshot: { prefix: 'snap_', characters: 26 },
  inboundWebhook: { prefix: 'wh_in_', characters: 26 },
  inboundEvent: { prefix: 'evt_in_', characters: 26 },
  notification: { prefix: 'ntf_', characters: 26 },
  delivery: { prefix: 'dlv_', characters: 26 },
  event: { prefix: 'evt_', characters: 26 },
  conversation: { prefix: 'conv_', characters: 26 },
  outboundWebhook: { prefix: 'wh_out_', characters: 26 },
} as const satisfies Record<string, { prefix: string; characters: number; digits?: true }>;

export type IdKind = keyof typeof forms;

export function newId(kind: IdKind): string {
  const { prefix, characters } = forms[kind];
  const bytes = randomBytes(characters);
  return prefix + ('digits' in forms[kind] ? digitsOf(bytes) : lettersOf(bytes));
}

/** The id that always follows from the same text. */
export function idFrom(kind: IdKind, text: string): string {
  const { prefix, characters } = forms[kind];
  return prefix + lettersOf(hash('sha256', text, 'buffer').subarray(0, characters));
}

/** The same, for lists that show the newest first: in the order of these ids, the latest time comes first. */
export function timedIdFrom(kind: IdKind, text: string, atMs: number): string {
  return timedPrefix(kind, atMs) + idFrom(kind, text).slice(forms[kind].prefix.length + timeCharacters);
}

/** When an id with a time was made; for one without, some moment in the past or far in the future. */
export function timeOfId(kind: IdKind, id: string): number {
  const { prefix } = forms[kind];
  const digits = [...id.slice(prefix.length, prefix.length + timeCharacters)];
  return 2 ** 50 - 1 - digits.reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0);
}

/** What ids made at the given time start with; those of later times are lower. */
export function timedPrefix(kind: IdKind, atMs: number): string {
  return forms[kind].prefix + countdown(atMs);
}

/** A webhook's secret in the form of Standard Webhooks: 256 random bits. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A whole number from 0 up to, but not including, the limit. */
export function randomBelow(limit: number): number {
  return randomInt(limit);
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Fifty bits of milliseconds last until the year 37658. */
const timeCharacters = 10;

function countdown(atMs: number): string {
  let rest = 2 ** 50 - 1 - atMs;
  let text = '';
  for (let place = 0; place < timeCharacters; place++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Some digits are a little likelier than others, which harms nobody: the id is no secret. */
function digitsOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte % 10).join('');
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}
