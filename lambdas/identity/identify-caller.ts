import type { Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { bearerToken, holderOf, InvalidToken, type TokenHolder } from './access-token.ts';
import { keyIdIn } from './api-key.ts';
import type { NoteUse } from './api-key-store.ts';
import type { Directory } from './directory.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface Identification {
  verify: TokenVerifier;
  directory: Directory;
  noteUse: NoteUse;
  serviceDomain: string;
  clock: Clock;
}

/** Rejects with InvalidToken when the token does not name somebody who may still call. */
export async function identifyCaller(
  authorization: string | undefined,
  identification: Identification,
): Promise<Caller> {
  const holder = holderOf(await identification.verify(bearerToken(authorization)));
  const email = await emailOf(holder, identification);
  if (email === undefined) throw new InvalidToken(`the ${holder.kind} of the token is gone`);
  const { kind, id, clientId, roles, expiresAt } = holder;
  return { kind, id, clientId, roles, email, tokenExpiresAt: expiresAt };
}

/** Access tokens carry no address, and a client has none of its own: it gets one below the service's domain. */
async function emailOf(holder: TokenHolder, identification: Identification): Promise<string | undefined> {
  const { directory, serviceDomain } = identification;
  if (holder.username !== undefined) return directory.emailOfUser(holder.username);
  const name = await directory.nameOfClient(holder.clientId);
  if (name === undefined) return undefined;
  const keyId = keyIdIn(name);
  if (keyId !== undefined) return emailOfOwner(keyId, holder, identification);
  return `${localPart(name) || holder.clientId}@clients.${serviceDomain}`;
}

/** An API key acts in the name of its owner, and only as long as the owner could act, too. */
async function emailOfOwner(
  keyId: string,
  { clientId }: TokenHolder,
  { directory, noteUse, clock }: Identification,
): Promise<string | undefined> {
  const key = await noteUse(keyId, clock.now());
  if (key?.client_id !== clientId) return undefined;
  return key.owner.kind === 'user' ? directory.emailOfUser(key.owner.id) : key.owner.email;
}

/** A name as the part of an address before the @; empty when nothing of it can be. */
export function localPart(clientName: string): string {
  return clientName
    .toLowerCase()
    .replace(/[^a-z0-9._+-]+/g, '-')
    .replace(/^[-.]+|[-.]+$|(?<=\.)\.+/g, '');
}
