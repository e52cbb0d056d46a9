import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { hasRole, type Role, rolesWithin } from '../../contract/roles.ts';
import { type Caller, toAuthorizerContext } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import {
  bearerToken,
  holderOf,
  InvalidToken,
  type SessionCheck,
  type TokenHolder,
  type TokenVerifier,
} from './access-token.ts';
import { keyIdIn } from './api-key.ts';
import type { NoteUse } from './api-key-store.ts';
import type { Directory } from './directory.ts';

/**
 * Throws when the identity cannot be determined, for example during an outage of the user pool; the gateway then
 * responds with 503.
 */
export function authorizer(identification: Identification, log: Log) {
  return async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    try {
      return allow(await identifyCaller(authorizationOf(event), identification), event.methodArn);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      log('info', 'token refused', { request_id: event.requestContext.requestId, reason: error.message });
      return deny('invalid_token', event.methodArn);
    }
  };
}

function authorizationOf({ headers }: APIGatewayRequestAuthorizerEvent): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

export interface Identification {
  verify: TokenVerifier;
  directory: Pick<Directory, 'emailOfUser' | 'rolesOfUser' | 'client'>;
  isSessionOpen: SessionCheck;
  noteUse: NoteUse;
  serviceDomain: string;
  clock: Clock;
}

/** Rejects with InvalidToken when the token's user or client is gone. */
export async function identifyCaller(
  authorization: string | undefined,
  identification: Identification,
): Promise<Caller> {
  const token = bearerToken(authorization);
  const holder = holderOf(await identification.verify(token));
  const identity = await identityOf(holder, token, identification);
  if (identity?.email === undefined) throw new InvalidToken(`the ${holder.kind} of the token is gone`);
  const { kind, id, clientId, expiresAt } = holder;
  return { kind, id, clientId, ownerId: id, ...identity, email: identity.email, tokenExpiresAt: expiresAt };
}

interface Identity {
  email: string | undefined;
  roles: readonly Role[];
  /** The owner of an API key. */
  ownerId?: string;
}

/** Access tokens carry no email address, and a client has none: it gets one below the service's domain. */
async function identityOf(
  holder: TokenHolder,
  token: string,
  identification: Identification,
): Promise<Identity | undefined> {
  const { directory, serviceDomain } = identification;
  const { username, clientId } = holder;
  if (username !== undefined) return identityOfPerson(username, holder, token, identification);
  const client = await directory.client(clientId);
  if (client === undefined) return undefined;
  // A token keeps its original scopes; the client may have lost one since.
  const roles = holder.roles.filter((role) => hasRole(client.roles, role));
  const keyId = keyIdIn(client.name);
  if (keyId !== undefined) return identityOfKey(keyId, { ...holder, roles }, identification);
  return { email: `${localPart(client.name) || clientId}@clients.${serviceDomain}`, roles };
}

/** Undefined when the user is gone, disabled or has signed out of the token's session. */
async function identityOfPerson(
  username: string,
  { hasUserInfo }: TokenHolder,
  token: string,
  { directory, isSessionOpen }: Identification,
): Promise<Identity | undefined> {
  const [email, roles, open] = await Promise.all([
    directory.emailOfUser(username),
    directory.rolesOfUser(username),
    hasUserInfo ? isSessionOpen(token) : true,
  ]);
  return open ? { email, roles } : undefined;
}

/** An API key acts on behalf of its owner while the owner has access, and never with a higher role. */
async function identityOfKey(
  keyId: string,
  { clientId, roles }: TokenHolder,
  { directory, noteUse, clock }: Identification,
): Promise<Identity | undefined> {
  const key = await noteUse(keyId, clock.now());
  if (key?.client_id !== clientId) return undefined;
  const { kind, id, email } = key.owner;
  if (kind === 'client') {
    const owner = await directory.client(id);
    return owner && { email, roles: rolesWithin(roles, owner.roles), ownerId: id };
  }
  const [address, held] = await Promise.all([directory.emailOfUser(id), directory.rolesOfUser(id)]);
  return { email: address, roles: rolesWithin(roles, held), ownerId: id };
}

/** Converts a name to the local part of an email address; empty when no character is allowed there. */
export function localPart(clientName: string): string {
  return clientName
    .toLowerCase()
    .replace(/[^a-z0-9._+-]+/g, '-')
    .replace(/^[-.]+|[-.]+$|(?<=\.)\.+/g, '');
}

// The authorizer's response. The gateway caches it per token for all routes, so it covers the whole stage; the routes
// check roles.

export function allow(caller: Caller, methodArn: string): APIGatewayAuthorizerResult {
  return {
    principalId: caller.id,
    policyDocument: policy('Allow', methodArn),
    context: toAuthorizerContext(caller),
    // The usage plan identifies a consumer by an API key whose value is the client id.
    usageIdentifierKey: caller.clientId,
  };
}

/** The gateway caches denials, too, so repeated bad tokens cost nothing. */
export function deny(reason: string, methodArn: string): APIGatewayAuthorizerResult {
  return { principalId: 'unknown', policyDocument: policy('Deny', methodArn), context: { reason } };
}

function policy(effect: 'Allow' | 'Deny', methodArn: string): APIGatewayAuthorizerResult['policyDocument'] {
  const stage = methodArn.split('/').slice(0, 2).join('/');
  return {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: `${stage}/*` }],
  };
}
