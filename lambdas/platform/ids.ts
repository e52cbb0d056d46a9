import { randomBytes, randomInt } from 'node:crypto';

// The only source of randomness. Ids are a prefix, by which people and programs tell the kinds apart, and characters of
// Crockford's base 32, which has no letters that look like digits.

const forms = {
  job: { prefix: 'job_', characters: 26 },
  incident: { prefix: 'INC', characters: 7 },
  note: { prefix: 'note_', characters: 26 },
  snapshot: { prefix: 'snap_', characters: 26 },
  notification: { prefix: 'ntf_', characters: 26 },
  outboundWebhook: { prefix: 'wh_out_', characters: 26 },
} as const;

export type IdKind = keyof typeof forms;

export function newId(kind: IdKind): string {
  const { prefix, characters } = forms[kind];
  return prefix + Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length]).join('');
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
