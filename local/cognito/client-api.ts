// The operations of the Cognito API for app clients.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import { requireValue } from '../require-value.ts';
import { type Client, findClientProblem, parseClientSettings } from './client.ts';
import type { ClientStore } from './client-store.ts';
import { formatPageToken, parsePageSize, parsePageToken } from './paging.ts';
import type { UserPool } from './user-pool.ts';

export type Operation = (pool: UserPool, input: Input) => Promise<unknown>;

export function createClientOperations(clients: ClientStore): Record<string, Operation> {
  const getClient = (pool: UserPool, clientId: unknown): Client => {
    const client = clients.get(pool.id, clientId);
    if (client) return client;
    throw new AwsError('ResourceNotFoundException', `User pool client ${String(clientId)} does not exist.`);
  };
  return {
    async CreateUserPoolClient(pool, input) {
      const settings = parseSettings(pool, input);
      return { UserPoolClient: describe(await clients.create(pool.id, settings)) };
    },
    async DescribeUserPoolClient(pool, { ClientId }) {
      return { UserPoolClient: describe(getClient(pool, ClientId)) };
    },
    // As in AWS, missing settings revert to their defaults, except the name and the secret.
    async UpdateUserPoolClient(pool, input) {
      const { clientId, settings: before } = getClient(pool, input.ClientId);
      const { ClientName, GenerateSecret } = before;
      await clients.update(pool.id, clientId, parseSettings(pool, { ClientName, ...input, GenerateSecret }));
      return { UserPoolClient: describe(getClient(pool, clientId)) };
    },
    async DeleteUserPoolClient(pool, { ClientId }) {
      await clients.delete(pool.id, getClient(pool, ClientId).clientId);
      return {};
    },
    async ListUserPoolClients(pool, { MaxResults, NextToken }) {
      const limit = parsePageSize(MaxResults, 'maxResults');
      const found = clients.list(pool.id, parsePageToken(NextToken) ?? '', limit + 1);
      const page = found.slice(0, limit);
      return {
        UserPoolClients: page.map(({ clientId, poolId, settings }) => ({
          ClientId: clientId,
          UserPoolId: poolId,
          ClientName: settings.ClientName,
        })),
        ...(found.length > limit ? { NextToken: formatPageToken(requireValue(page.at(-1)).clientId) } : {}),
      };
    },
  };
}

const knownFields = new Set([
  ...['UserPoolId', 'ClientId', 'ClientName', 'GenerateSecret', 'CallbackURLs', 'LogoutURLs'],
  ...['AllowedOAuthFlows', 'AllowedOAuthFlowsUserPoolClient', 'AllowedOAuthScopes', 'ExplicitAuthFlows'],
  ...['AccessTokenValidity', 'IdTokenValidity', 'RefreshTokenValidity', 'TokenValidityUnits'],
  ...['SupportedIdentityProviders', 'PreventUserExistenceErrors', 'EnableTokenRevocation'],
]);

function parseSettings(pool: UserPool, input: Input) {
  for (const field of Object.keys(input)) {
    if (!knownFields.has(field)) throw new AwsError('InvalidParameterException', `${field} is not supported here`);
  }
  const settings = parseClientSettings(input);
  const problem = findClientProblem(settings, pool);
  if (problem) throw problem;
  return settings;
}

function describe({ poolId, clientId, secret, settings, createdMs, modifiedMs }: Client) {
  const { GenerateSecret: _generated, ...visible } = settings;
  const filled = Object.entries(visible).filter(([, value]) => !Array.isArray(value) || value.length > 0);
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
