import type { Caller } from '../platform/caller.ts';
import { bearerToken, holderOf, InvalidToken, type TokenHolder } from './access-token.ts';
import type { Directory } from './directory.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface Identification {
  verify: TokenVerifier;
  directory: Directory;
  serviceDomain: string;
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
async function emailOf(holder: TokenHolder, { directory, serviceDomain }: Identification): Promise<string | undefined> {
  if (holder.username !== undefined) return directory.emailOfUser(holder.username);
  const name = await directory.nameOfClient(holder.clientId);
  return name === undefined ? undefined : `${localPart(name) || holder.clientId}@clients.${serviceDomain}`;
}

/** A name as the part of an address before the @; empty when nothing of it can be. */
export function localPart(clientName: string): string {
  return clientName
    .toLowerCase()
    .replace(/[^a-z0-9._+-]+/g, '-')
    .replace(/^[-.]+|[-.]+$|(?<=\.)\.+/g, '');
}
