import { newSecret } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secret-box.ts';

// A webhook's secrets: the one that counts, and those before it as long as senders may still use them.

export interface SealedSecret {
  sealed: string;
  created_at: string;
  /** Null for the current one. */
  expires_at: string | null;
}

export interface MadeSecret {
  secret: string;
  sealed: string;
}

export const overlapMs = 24 * 60 * 60 * 1_000;

/** Somebody who rotates again and again does not lock out senders that still have an older one. */
const mostSecrets = 5;

export async function makeSecret(box: SecretBox, webhookId: string): Promise<MadeSecret> {
  const secret = newSecret();
  return { secret, sealed: await box.seal(webhookId, secret) };
}

export function firstSecret({ sealed }: Pick<MadeSecret, 'sealed'>, nowMs: number): SealedSecret[] {
  return [{ sealed, created_at: new Date(nowMs).toISOString(), expires_at: null }];
}

export function rotated(secrets: readonly SealedSecret[], made: MadeSecret, nowMs: number): SealedSecret[] {
  const until = new Date(nowMs + overlapMs).toISOString();
  const before = accepted(secrets, nowMs).map((secret) => ({ ...secret, expires_at: secret.expires_at ?? until }));
  return [...firstSecret(made, nowMs), ...before].slice(0, mostSecrets);
}

/** Those that a signature may be made with now. */
export function accepted(secrets: readonly SealedSecret[], nowMs: number): SealedSecret[] {
  return secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > nowMs);
}

export function previousUntil(secrets: readonly SealedSecret[], nowMs: number): string | null {
  const ends = accepted(secrets, nowMs).flatMap(({ expires_at }) => expires_at ?? []);
  return ends.sort().at(-1) ?? null;
}
