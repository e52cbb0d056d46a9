import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeysCommand,
  GetUsagePlansCommand,
} from '@aws-sdk/client-api-gateway';
import {
  type CognitoIdentityProviderClient,
  ConcurrentModificationException,
  CreateUserPoolClientCommand,
  DeleteUserPoolClientCommand,
  DescribeUserPoolClientCommand,
  ListUserPoolClientsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { usagePlanTag } from '../../contract/http.ts';
import { type Role, scopePrefix } from '../../contract/roles.ts';
import { clientDefaults, createSharedClient } from '../platform/clients/shared-client.ts';
import { retry } from '../platform/retry.ts';

// App clients of the user pool, the only place that stores the secrets of API keys.

export interface AppClient {
  clientId: string;
  clientSecret: string;
}

export interface AppClients {
  /** Creates a client that gets tokens with the scope of one role and nothing else. */
  create(name: string, role: Role): Promise<AppClient>;
  read(clientId: string): Promise<AppClient>;
  /** Stops the issuing of tokens. Succeeds if the client no longer exists. */
  delete(clientId: string): Promise<void>;
  findIds(name: string): Promise<string[]>;
}

export function createAppClientDirectory(client: CognitoIdentityProviderClient, userPoolId: string): AppClients {
  const pool = { UserPoolId: userPoolId };
  return {
    async create(name, role) {
      const { UserPoolClient } = await client.send(
        new CreateUserPoolClientCommand({
          ...pool,
          ClientName: name,
          GenerateSecret: true,
          AllowedOAuthFlowsUserPoolClient: true,
          AllowedOAuthFlows: ['client_credentials'],
          AllowedOAuthScopes: [`${scopePrefix}/${role}`],
          ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
          // As of all programs (lib/identity.ts).
          AccessTokenValidity: 24,
          TokenValidityUnits: { AccessToken: 'hours' },
        }),
      );
      return toAppClient(UserPoolClient);
    },
    async read(clientId) {
      return toAppClient(
        (await client.send(new DescribeUserPoolClientCommand({ ...pool, ClientId: clientId }))).UserPoolClient,
      );
    },
    async delete(clientId) {
      const attempt = async () => {
        try {
          await client.send(new DeleteUserPoolClientCommand({ ...pool, ClientId: clientId }));
        } catch (error) {
          // A concurrent request is deleting it; the next attempt will not find it.
          if (error instanceof ConcurrentModificationException) return undefined;
          if (!(error instanceof ResourceNotFoundException)) throw error;
        }
        return true;
      };
      const exhausted = () => new Error(`too many concurrent changes of the app client ${clientId}`);
      await retry(attempt, { maxAttempts: maxDeletionAttempts, exhausted });
    },
    async findIds(name) {
      const found: string[] = [];
      let next: string | undefined;
      for (let page = 0; page < maxClientPages; page++) {
        const { UserPoolClients = [], NextToken } = await client.send(
          new ListUserPoolClientsCommand({ ...pool, MaxResults: 60, ...(next && { NextToken: next }) }),
        );
        found.push(
          ...UserPoolClients.filter(({ ClientName }) => ClientName === name).flatMap(({ ClientId = [] }) => ClientId),
        );
        next = NextToken;
        if (!next) return found;
      }
      throw new Error(`the user pool has more than ${maxClientPages} pages of clients`);
    },
  };
}

const maxDeletionAttempts = 6;

/** Ten times the default quota of a user pool. */
const maxClientPages = 170;

function toAppClient(
  described: { ClientId?: string | undefined; ClientSecret?: string | undefined } | undefined,
): AppClient {
  const { ClientId, ClientSecret } = described ?? {};
  if (!ClientId || !ClientSecret) throw new Error('the user pool returned no client id or no secret');
  return { clientId: ClientId, clientSecret: ClientSecret };
}

// Consumers of the gateway's usage plan. A consumer is a gateway key whose value is the client id set by the
// authorizer; callers never send it. The plan is found by name, because a reference would create a cycle in the stack
// between plan and routes.

export interface Consumers {
  add(name: string, clientId: string): Promise<void>;
  /** Succeeds if the consumer no longer exists. */
  remove(name: string): Promise<void>;
  /** Removes all consumers that callers created. Runs when the stack is deleted. */
  removeAll(): Promise<void>;
}

export function createConsumers(client: APIGatewayClient, planName: string): Consumers {
  let planId: Promise<string> | undefined;
  const plan = () => {
    planId ??= findPlan(client, planName).catch((error: unknown) => {
      planId = undefined;
      throw error;
    });
    return planId;
  };
  return {
    async add(name, clientId) {
      const usagePlanId = await plan();
      // The functions may create, use and delete keys with this tag only.
      const tags = { [usagePlanTag]: planName };
      const { id } = await client.send(new CreateApiKeyCommand({ name, value: clientId, enabled: true, tags }));
      await client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' }));
    },
    async remove(name) {
      for (const id of await findKeys(client, name, planName)) {
        await client.send(new DeleteApiKeyCommand({ apiKey: id })).catch(async (error: unknown) => {
          // A key that another call deleted no longer has the tag, so access to it is denied.
          if ((await findKeys(client, name, planName)).includes(id)) throw error;
        });
      }
    },
    async removeAll() {
      let position: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const response = await client.send(new GetApiKeysCommand({ limit: 500, ...(position && { position }) }));
        const own = response.items?.filter(({ tags }) => tags?.[usagePlanTag] === planName) ?? [];
        for (const { id } of own) await client.send(new DeleteApiKeyCommand({ apiKey: id }));
        position = response.position;
        if (!position) return;
      }
      throw new Error('the gateway has more keys than one deletion can remove');
    },
  };
}

/** Names are unique, so one page is enough. */
async function findKeys(client: APIGatewayClient, name: string, planName: string): Promise<(string | undefined)[]> {
  const { items = [] } = await client.send(new GetApiKeysCommand({ nameQuery: name, limit: 10 }));
  const own = items.filter((key) => key.name === name && key.tags?.[usagePlanTag] === planName);
  return own.map(({ id }) => id);
}

const maxPages = 20;

async function findPlan(client: APIGatewayClient, name: string): Promise<string> {
  let position: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const response = await client.send(new GetUsagePlansCommand({ limit: 500, ...(position && { position }) }));
    const found = response.items?.find((plan) => plan.name === name)?.id;
    if (found) return found;
    position = response.position;
    if (!position) break;
  }
  throw new Error(`the gateway has no usage plan ${name}`);
}

export const apiGatewayClient = createSharedClient(() => new APIGatewayClient(clientDefaults));
