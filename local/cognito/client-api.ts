// The Cognito API's calls for app clients.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import { defined } from '../defined.ts';
import { type Client, clientProblem, readClientSettings } from './client.ts';
import type { ClientStore } from './client-store.ts';
import { formatMark, parseMark, parsePageSize } from './paging.ts';
import type { UserPool } from './user-pool.ts';

export type Operation = (pool: UserPool, input: Input) => Promise<unknown>;

export function clientOperations(clients: ClientStore): Record<string, Operation> {
  const existing = (pool: UserPool, clientId: unknown): Client => {
    const client = clients.get(pool.id, clientId);
    if (client) return client;
    throw new AwsError('ResourceNotFoundException', `User pool client ${String(clientId)} does not exist.`);
  };
  return {
    async CreateUserPoolClient(pool, input) {
      const settings = checked(pool, input);
      return { UserPoolClient: describe(await clients.create(pool.id, settings)) };
    },
    async DescribeUserPoolClient(pool, { ClientId }) {
      return { UserPoolClient: describe(existing(pool, ClientId)) };
    },
    // What is not given falls back to its default, as in AWS; only the name and the secret stay.
    async UpdateUserPoolClient(pool, input) {
      const { clientId, settings: before } = existing(pool, input.ClientId);
      const { ClientName, GenerateSecret } = before;
      await clients.update(pool.id, clientId, checked(pool, { ClientName, ...input, GenerateSecret }));
      return { UserPoolClient: describe(existing(pool, clientId)) };
    },
    async DeleteUserPoolClient(pool, { ClientId }) {
      await clients.delete(pool.id, existing(pool, ClientId).clientId);
      return {};
    },
    async ListUserPoolClients(pool, { MaxResults, NextToken }) {
      const limit = parsePageSize(MaxResults, 'maxResults');
      const found = clients.list(pool.id, parseMark(NextToken) ?? '', limit + 1);
      const page = found.slice(0, limit);
      return {
        UserPoolClients: page.map(({ clientId, poolId, settings }) => ({
          ClientId: clientId,
          UserPoolId: poolId,
          ClientName: settings.ClientName,
        })),
        ...(found.length > limit ? { NextToken: formatMark(defined(page.at(-1)).clientId) } : {}),
      };
    },
  };
}

const knownFields = new Set([
  ...['UserPoolId', 'ClientId', 'ClientName', 'GenerateSecret', 'RefreshTokenValidity', 'AccessTokenValidity'],
  ...[
    'IdTokenValidity',
    'TokenValidityUnits',
    'ReadAttributes',
    'WriteAttributes',
    'ExplicitAuthFlows',
    'CallbackURLs',
  ],
  ...['SupportedIdentityProviders', 'LogoutURLs', 'DefaultRedirectURI', 'AllowedOAuthFlows', 'AllowedOAuthScopes'],
  ...['AllowedOAuthFlowsUserPoolClient', 'PreventUserExistenceErrors', 'EnableTokenRevocation', 'AuthSessionValidity'],
  'EnablePropagateAdditionalUserContextData',
]);

function checked(pool: UserPool, input: Input) {
  for (const field of Object.keys(input)) {
    if (!knownFields.has(field)) throw new AwsError('InvalidParameterException', `${field} is not supported here`);
  }
  const settings = readClientSettings(input);
  const problem = clientProblem(settings, pool.scopes);
  if (problem) throw problem;
  return settings;
}

function describe({ poolId, clientId, secret, settings, createdMs, modifiedMs }: Client) {
  const { GenerateSecret: _generated, ...shown } = settings;
  const filled = Object.entries(shown).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return {
    UserPoolId: poolId,
    ClientId: clientId,
    ...(secret === undefined ? {} : { ClientSecret: secret }),
    RefreshTokenValidity: 30,
    ...Object.fromEntries(filled),
    CreationDate: createdMs / 1000,
    LastModifiedDate: modifiedMs / 1000,
  };
}
