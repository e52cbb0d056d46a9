import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  ResourceNotFoundException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';

// Asks the user pool about the holder of a token. It is asked on every run of the authorizer and nothing is kept: the
// gateway keeps the verdict for five minutes, and that is how long a deleted client or person may still get through.

export interface Directory {
  /** By the pool's name or the subject. Undefined when the person is gone, disabled or has no address. */
  emailOfUser(username: string): Promise<string | undefined>;
  /** Undefined when the client is gone. */
  nameOfClient(clientId: string): Promise<string | undefined>;
}

export function userPoolDirectory(client: CognitoIdentityProviderClient, userPoolId: string): Directory {
  return {
    async emailOfUser(username) {
      const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: username });
      const user = await client.send(command).catch(undefinedIf(UserNotFoundException));
      if (!user?.Enabled) return undefined;
      return user.UserAttributes?.find(({ Name }) => Name === 'email')?.Value;
    },
    async nameOfClient(clientId) {
      const command = new DescribeUserPoolClientCommand({ UserPoolId: userPoolId, ClientId: clientId });
      const described = await client.send(command).catch(undefinedIf(ResourceNotFoundException));
      return described?.UserPoolClient?.ClientName;
    },
  };
}

function undefinedIf(expected: new (...args: never[]) => Error): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof expected) return undefined;
    throw error;
  };
}
