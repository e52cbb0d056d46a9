import {
  AdminGetUserCommand,
  type AdminGetUserCommandOutput,
  AdminListGroupsForUserCommand,
  type CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  ResourceNotFoundException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { isRole, type Role } from '../../contract/roles.ts';
import { confirmedUntilAttribute } from '../../contract/single-sign-on.ts';
import { toRoles } from './access-token.ts';

// Looks up users and clients in the user pool, without a cache. The gateway caches the authorizer's response for five
// minutes, so a deleted user or client keeps access for at most that long.

export interface Directory {
  /** By user name or subject. Undefined for a user who does not exist, is disabled or has no email address. */
  findEmail(username: string): Promise<string | undefined>;
  /** Like findEmail, with the end of the identity provider's last confirmation if the user signs in with it. */
  findAccess(username: string): Promise<{ email: string; confirmedUntilMs?: number } | undefined>;
  /** Also returns the address of a disabled user. */
  findEmailOfAnyUser(username: string): Promise<string | undefined>;
  /** The roles of the user's current groups. A token may contain outdated groups. */
  findRoles(username: string): Promise<readonly Role[]>;
  /** Undefined if the client does not exist. */
  findClient(clientId: string): Promise<{ name: string; roles: readonly Role[] } | undefined>;
}

/** A user is in at most 100 groups, listed in pages of 60. */
const maxGroupPages = 2;

export function createDirectory(client: CognitoIdentityProviderClient, userPoolId: string): Directory {
  const findUser = (username: string) => {
    const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: username });
    return client.send(command).catch(ignoreError(UserNotFoundException));
  };
  return {
    async findEmail(username) {
      const user = await findUser(username);
      return user?.Enabled ? getEmail(user) : undefined;
    },
    async findAccess(username) {
      const user = await findUser(username);
      const email = user?.Enabled ? getEmail(user) : undefined;
      const until = getAttribute(user, confirmedUntilAttribute);
      return email === undefined ? undefined : { email, ...(until && { confirmedUntilMs: Date.parse(until) }) };
    },
    async findEmailOfAnyUser(username) {
      return getEmail(await findUser(username));
    },
    async findRoles(username) {
      const names: string[] = [];
      let next: string | undefined;
      for (let page = 0; page < maxGroupPages; page++) {
        const input = { UserPoolId: userPoolId, Username: username, Limit: 60, NextToken: next };
        const response = await client
          .send(new AdminListGroupsForUserCommand(input))
          .catch(ignoreError(UserNotFoundException));
        names.push(...(response?.Groups ?? []).flatMap(({ GroupName = [] }) => GroupName));
        next = response?.NextToken;
        if (next === undefined) break;
      }
      return names.filter(isRole);
    },
    async findClient(clientId) {
      const command = new DescribeUserPoolClientCommand({ UserPoolId: userPoolId, ClientId: clientId });
      const described = await client.send(command).catch(ignoreError(ResourceNotFoundException));
      if (described?.UserPoolClient?.ClientName === undefined) return undefined;
      const { ClientName: name, AllowedOAuthScopes: scopes = [] } = described.UserPoolClient;
      return { name, roles: toRoles(scopes) };
    },
  };
}

function getEmail(user: AdminGetUserCommandOutput | undefined): string | undefined {
  return getAttribute(user, 'email');
}

function getAttribute(user: AdminGetUserCommandOutput | undefined, name: string): string | undefined {
  return user?.UserAttributes?.find(({ Name }) => Name === name)?.Value;
}

function ignoreError(expected: new (...args: never[]) => Error): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof expected) return undefined;
    throw error;
  };
}
