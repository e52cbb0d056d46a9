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
import { rolesOfScopes } from './access-token.ts';

// Looks up users and clients in the user pool. Every run of the authorizer asks it and nothing is cached here; the
// gateway caches the authorizer's response for five minutes, so a deleted user or client keeps access for at most that
// long.

export interface Directory {
  /** By user name or subject. Undefined when the user is gone, disabled or has no email address. */
  emailOfUser(username: string): Promise<string | undefined>;
  /** Also returns the address of a disabled user. */
  emailOfAnyUser(username: string): Promise<string | undefined>;
  /** The roles of the user's current groups; a token has those of the time it was issued. */
  rolesOfUser(username: string): Promise<readonly Role[]>;
  /** Undefined when the client is gone. */
  client(clientId: string): Promise<{ name: string; roles: readonly Role[] } | undefined>;
}

/** A user is in at most 100 groups, listed in pages of 60. */
const mostGroupPages = 2;

export function userPoolDirectory(client: CognitoIdentityProviderClient, userPoolId: string): Directory {
  const findUser = (username: string) => {
    const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: username });
    return client.send(command).catch(undefinedIf(UserNotFoundException));
  };
  return {
    async emailOfUser(username) {
      const user = await findUser(username);
      return user?.Enabled ? emailIn(user) : undefined;
    },
    async emailOfAnyUser(username) {
      return emailIn(await findUser(username));
    },
    async rolesOfUser(username) {
      const names: string[] = [];
      let next: string | undefined;
      for (let page = 0; page < mostGroupPages; page++) {
        const input = { UserPoolId: userPoolId, Username: username, Limit: 60, NextToken: next };
        const answer = await client
          .send(new AdminListGroupsForUserCommand(input))
          .catch(undefinedIf(UserNotFoundException));
        names.push(...(answer?.Groups ?? []).map(({ GroupName }) => GroupName!));
        next = answer?.NextToken;
        if (next === undefined) break;
      }
      return names.filter(isRole);
    },
    async client(clientId) {
      const command = new DescribeUserPoolClientCommand({ UserPoolId: userPoolId, ClientId: clientId });
      const described = await client.send(command).catch(undefinedIf(ResourceNotFoundException));
      if (described?.UserPoolClient?.ClientName === undefined) return undefined;
      const { ClientName: name, AllowedOAuthScopes: scopes = [] } = described.UserPoolClient;
      return { name, roles: rolesOfScopes(scopes) };
    },
  };
}

function emailIn(user: AdminGetUserCommandOutput | undefined): string | undefined {
  return user?.UserAttributes?.find(({ Name }) => Name === 'email')?.Value;
}

function undefinedIf(expected: new (...args: never[]) => Error): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof expected) return undefined;
    throw error;
  };
}
