import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { hasRole, limitRoles, type Role } from '../../contract/roles.ts';
import { type Caller, toAuthorizerContext } from '../platform/caller.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { type Clock, clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import {
  createRemoteKeys,
  createSessionCheck,
  createTokenVerifier,
  InvalidToken,
  parseBearerToken,
  parsePrincipal,
  type SessionCheck,
  type TokenPrincipal,
  type TokenVerifier,
} from './access-token.ts';
import {
  createKeyFinder,
  createUseRecorder,
  type FindKey,
  parseKeyId,
  type RecordUse,
  secretPrefix,
} from './api-key-store.ts';
import { createDirectory, type Directory } from './directory.ts';

/**
 * Throws when the identity cannot be determined, for example during an outage of the user pool; the gateway then
 * responds with 503.
 */
export function createAuthorizer(identification: Identification, log: Log) {
  return async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    try {
      return allow(await identifyCaller(getAuthorization(event), identification), event.methodArn);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      log('info', 'token rejected', { request_id: event.requestContext.requestId, reason: error.message });
      return deny('invalid_token', event.methodArn);
    }
  };
}

function getAuthorization({ headers }: APIGatewayRequestAuthorizerEvent): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

export interface Identification {
  verify: TokenVerifier;
  directory: Pick<Directory, 'findAccess' | 'findRoles' | 'findClient'>;
  isSessionOpen: SessionCheck;
  findKey: FindKey;
  recordUse: RecordUse;
  serviceDomain: string;
  clock: Clock;
}

/** Rejects with InvalidToken if the token's user or client no longer has access. */
export async function identifyCaller(
  authorization: string | undefined,
  identification: Identification,
): Promise<Caller> {
  const token = parseBearerToken(authorization);
  const principal = await findPrincipal(token, identification);
  const identity = await findIdentity(principal, token, identification);
  if (identity?.email === undefined) throw new InvalidToken(`the ${principal.kind} of the token no longer has access`);
  const { kind, id, clientId } = principal;
  const { confirmedUntil = principal.expiresAt, email, roles, ownerId = id } = identity;
  const tokenExpiresAt = Math.min(principal.expiresAt, confirmedUntil);
  return { kind, id, clientId, ownerId, email, roles, tokenExpiresAt };
}

/** Longer than the gateway caches a response: a key ends with its revocation, not with time. */
const keyPrincipalLifetimeMs = 60 * 60_000;

/** An API key in place of a token is the principal that its tokens have. */
async function findPrincipal(token: string, { verify, findKey, clock }: Identification): Promise<TokenPrincipal> {
  if (!token.startsWith(secretPrefix)) return parsePrincipal(await verify(token));
  const key = await findKey(token);
  if (!key) throw new InvalidToken('the API key is unknown');
  const { clientId, role } = key;
  const expiresAt = Math.floor((clock.now() + keyPrincipalLifetimeMs) / 1_000);
  return { kind: 'client', id: clientId, clientId, roles: [role], hasUserInfo: false, expiresAt };
}

interface Identity {
  email: string | undefined;
  roles: readonly Role[];
  /** The owner of an API key. */
  ownerId?: string;
  /** In seconds: when the identity provider must confirm the person again. */
  confirmedUntil?: number;
}

/** Access tokens contain no email address. A client gets an address in the service's domain. */
async function findIdentity(
  principal: TokenPrincipal,
  token: string,
  identification: Identification,
): Promise<Identity | undefined> {
  const { directory, serviceDomain } = identification;
  const { username, clientId } = principal;
  if (username !== undefined) return findUserIdentity(username, principal, token, identification);
  const client = await directory.findClient(clientId);
  if (client === undefined) return undefined;
  // A token has the scopes of its creation; the client may have lost one since then.
  const roles = principal.roles.filter((role) => hasRole(client.roles, role));
  const keyId = parseKeyId(client.name);
  if (keyId !== undefined) return findKeyIdentity(keyId, { ...principal, roles }, identification);
  return { email: `${toLocalPart(client.name) || clientId}@clients.${serviceDomain}`, roles };
}

/**
 * Undefined for a user who was deleted, was disabled or has signed out of the token's session, or whose identity provider
 * must confirm the roles again. The next token brings that (lambdas/federation).
 */
async function findUserIdentity(
  username: string,
  { hasUserInfo }: TokenPrincipal,
  token: string,
  { directory, isSessionOpen, clock }: Identification,
): Promise<Identity | undefined> {
  const [access, roles, open] = await Promise.all([
    directory.findAccess(username),
    directory.findRoles(username),
    hasUserInfo ? isSessionOpen(token) : true,
  ]);
  const untilMs = access?.confirmedUntilMs ?? Infinity;
  if (!access || !open || untilMs <= clock.now()) return undefined;
  return { email: access.email, roles, ...(untilMs < Infinity && { confirmedUntil: Math.floor(untilMs / 1_000) }) };
}

/** A key works without its owner, so nobody asks the identity provider in the meantime. */
const maxUnconfirmedKeyMs = 7 * 86_400_000;

/** An API key acts on behalf of its owner while the owner has access, and never with a higher role. */
async function findKeyIdentity(
  keyId: string,
  { clientId, roles }: TokenPrincipal,
  { directory, recordUse, clock }: Identification,
): Promise<Identity | undefined> {
  const key = await recordUse(keyId, clock.now());
  if (key?.client_id !== clientId) return undefined;
  const { kind, id, email } = key.owner;
  if (kind === 'client') {
    const owner = await directory.findClient(id);
    return owner && { email, roles: limitRoles(roles, owner.roles), ownerId: id };
  }
  const [access, held] = await Promise.all([directory.findAccess(id), directory.findRoles(id)]);
  if (!access || clock.now() - (access.confirmedUntilMs ?? Infinity) > maxUnconfirmedKeyMs) return undefined;
  return { email: access.email, roles: limitRoles(roles, held), ownerId: id };
}

/** Converts a name to the local part of an email address; empty when no character is allowed there. */
export function toLocalPart(clientName: string): string {
  return clientName
    .toLowerCase()
    .replace(/[^a-z0-9._+-]+/g, '-')
    .replace(/^[-.]+|[-.]+$|(?<=\.)\.+/g, '');
}

// The authorizer's response. The gateway caches it per token for all routes, so it covers the whole stage; the routes
// check roles.

function allow(caller: Caller, methodArn: string): APIGatewayAuthorizerResult {
  return {
    principalId: caller.id,
    policyDocument: buildPolicy('Allow', methodArn),
    context: toAuthorizerContext(caller),
    // The usage plan identifies a consumer by an API key whose value is the client id.
    usageIdentifierKey: caller.clientId,
  };
}

/** The gateway caches denials, too, so repeated bad tokens cost nothing. */
function deny(reason: string, methodArn: string): APIGatewayAuthorizerResult {
  return { principalId: 'unknown', policyDocument: buildPolicy('Deny', methodArn), context: { reason } };
}

function buildPolicy(effect: 'Allow' | 'Deny', methodArn: string): APIGatewayAuthorizerResult['policyDocument'] {
  const stage = methodArn.split('/').slice(0, 2).join('/');
  return {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: `${stage}/*` }],
  };
}

/** The dependencies of `identifyCaller`, created from the function's environment. */
export function createIdentification(): Identification {
  const { ISSUER, JWKS_URL, USER_INFO_URL, USER_POOL_ID, SERVICE_DOMAIN, RECORDS_TABLE } = env(
    'ISSUER',
    'JWKS_URL',
    'USER_INFO_URL',
    'USER_POOL_ID',
    'SERVICE_DOMAIN',
    'RECORDS_TABLE',
  );
  return {
    verify: createTokenVerifier(createRemoteKeys(JWKS_URL), ISSUER, clock),
    directory: createDirectory(cognitoClient(), USER_POOL_ID),
    isSessionOpen: createSessionCheck(USER_INFO_URL),
    findKey: createKeyFinder(dynamodbClient(), RECORDS_TABLE),
    recordUse: createUseRecorder(dynamodbClient(), RECORDS_TABLE),
    serviceDomain: SERVICE_DOMAIN,
    clock,
  };
}
