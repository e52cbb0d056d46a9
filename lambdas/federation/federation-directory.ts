import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminLinkProviderForUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  AliasExistsException,
  type AttributeType,
  type CognitoIdentityProviderClient,
  InvalidParameterException,
  ListUsersCommand,
  UserNotFoundException,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import { isRole, type Role } from '../../contract/roles.ts';
import { confirmedUntilAttribute } from '../../contract/single-sign-on.ts';
import { randomHex } from '../platform/ids.ts';
import { requireValue } from '../platform/require-value.ts';

// People of the identity provider in the user pool. Each has an account of the pool that the provider's identity is linked
// to, so that people with and without the provider are alike for the rest of the service.

export interface Person {
  username: string;
  isEnabled: boolean;
  isEmailVerified: boolean;
  /** Whether the person signs in with the provider. */
  isFederated: boolean;
}

export interface FederationDirectory {
  find(username: string): Promise<Person | undefined>;
  findByEmail(email: string): Promise<Person | undefined>;
  create(email: string): Promise<Person>;
  /** A repeated call changes nothing. */
  link(person: Person, providerName: string, subject: string): Promise<void>;
  /** `taken`: the address belongs to another account. */
  update(username: string, attributes: Readonly<Record<string, string>>): Promise<'updated' | 'taken'>;
  listRoles(username: string): Promise<Role[]>;
  addRole(username: string, role: Role): Promise<void>;
  removeRole(username: string, role: Role): Promise<void>;
}

/** Roles are few; a person is in at most 60 groups of the pool. */
const maxGroups = 60;

export function createFederationDirectory(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
): FederationDirectory {
  return {
    async find(Username) {
      const user = await client.send(new AdminGetUserCommand({ UserPoolId, Username })).catch((error: unknown) => {
        if (error instanceof UserNotFoundException) return undefined;
        throw error;
      });
      return user && toPerson({ ...user, Attributes: user.UserAttributes });
    },
    async findByEmail(email) {
      const Filter = `email = "${email.replace(/["\\]/g, '\\$&')}"`;
      const { Users = [] } = await client.send(new ListUsersCommand({ UserPoolId, Filter, Limit: 1 }));
      return Users[0] && toPerson(Users[0]);
    },
    async create(email) {
      const target = { UserPoolId, Username: email };
      const UserAttributes = toAttributes({ email, email_verified: 'true' });
      const { User } = await client.send(
        new AdminCreateUserCommand({ ...target, UserAttributes, MessageAction: 'SUPPRESS' }),
      );
      // Nobody knows it. Without one, Cognito would wait for the person to replace a temporary password.
      const Password = `${randomHex(32)}aA1!`;
      await client.send(new AdminSetUserPasswordCommand({ ...target, Password, Permanent: true }));
      return toPerson(requireValue(User));
    },
    async link({ username }, ProviderName, subject) {
      const command = new AdminLinkProviderForUserCommand({
        UserPoolId,
        DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: username },
        SourceUser: {
          ProviderName,
          ProviderAttributeName: 'Cognito_Subject',
          ProviderAttributeValue: subject,
        },
      });
      await client.send(command).catch((error: unknown) => {
        if (!(error instanceof InvalidParameterException && /already linked/i.test(error.message))) throw error;
      });
    },
    async update(Username, attributes) {
      const UserAttributes = toAttributes(attributes);
      try {
        await client.send(new AdminUpdateUserAttributesCommand({ UserPoolId, Username, UserAttributes }));
        return 'updated';
      } catch (error) {
        if (error instanceof AliasExistsException) return 'taken';
        throw error;
      }
    },
    async listRoles(Username) {
      const command = new AdminListGroupsForUserCommand({ UserPoolId, Username, Limit: maxGroups });
      const { Groups = [] } = await client.send(command);
      return Groups.flatMap(({ GroupName = '' }) => (isRole(GroupName) ? [GroupName] : []));
    },
    async addRole(Username, GroupName) {
      await client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName }));
    },
    async removeRole(Username, GroupName) {
      await client.send(new AdminRemoveUserFromGroupCommand({ UserPoolId, Username, GroupName }));
    },
  };
}

function toAttributes(attributes: Readonly<Record<string, string>>): AttributeType[] {
  return Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
}

function toPerson(user: Pick<UserType, 'Username' | 'Enabled' | 'Attributes'>): Person {
  const find = (name: string) => user.Attributes?.find(({ Name }) => Name === name)?.Value;
  return {
    username: requireValue(user.Username),
    isEnabled: user.Enabled ?? false,
    isEmailVerified: find('email_verified') === 'true',
    isFederated: find(confirmedUntilAttribute) !== undefined,
  };
}
