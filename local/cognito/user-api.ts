// The operations of the Cognito API for users and groups.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import type { Log } from '../log.ts';
import { requireValue } from '../require-value.ts';
import type { Operation } from './client-api.ts';
import { formatPageToken, parsePageSize, parsePageToken } from './paging.ts';
import { assertPasswordPolicy, generatePassword, hashPassword } from './password.ts';
import type { Group, UserPool } from './user-pool.ts';
import { applyAttributeChanges, createAttributes, toAttributeList, type User, type UserStore } from './user-store.ts';

const scanPage = 500;

export function createUserOperations(users: UserStore, log: Log): Record<string, Operation> {
  const getUser = (pool: UserPool, { Username }: Input): User => {
    if (typeof Username !== 'string' || Username === '') throw createError('Missing required parameter Username');
    const user = users.find(pool, Username);
    if (user) return user;
    throw new AwsError('UserNotFoundException', 'User does not exist.');
  };
  return {
    async AdminCreateUser(pool, input) {
      return { User: describe(await createUser(users, log, pool, input)) };
    },
    async AdminGetUser(pool, input) {
      const { Attributes, ...user } = describe(getUser(pool, input));
      return { ...user, UserAttributes: Attributes };
    },
    async AdminSetUserPassword(pool, input) {
      const user = getUser(pool, input);
      assertPasswordPolicy(pool.passwordPolicy, input.Password);
      const hash = await hashPassword(input.Password);
      await users.setPassword(user, hash, input.Permanent === true ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD');
      return {};
    },
    async AdminUpdateUserAttributes(pool, input) {
      const user = getUser(pool, input);
      await users.setAttributes(pool, user, applyAttributeChanges(pool, user, input.UserAttributes));
      return {};
    },
    async AdminDeleteUser(pool, input) {
      await users.delete(getUser(pool, input));
      return {};
    },
    async AdminEnableUser(pool, input) {
      await users.setEnabled(getUser(pool, input), 'enabled');
      return {};
    },
    async AdminDisableUser(pool, input) {
      await users.setEnabled(getUser(pool, input), 'disabled');
      return {};
    },
    async AdminUserGlobalSignOut(pool, input) {
      await users.signOut(getUser(pool, input));
      return {};
    },
    async AdminAddUserToGroup(pool, input) {
      const user = getUser(pool, input);
      await users.addToGroup(user, findGroup(pool, input.GroupName).name);
      return {};
    },
    async AdminRemoveUserFromGroup(pool, input) {
      const user = getUser(pool, input);
      await users.removeFromGroup(user, findGroup(pool, input.GroupName).name);
      return {};
    },
    async AdminLinkProviderForUser(pool, { DestinationUser, SourceUser }) {
      if (DestinationUser?.ProviderName !== 'Cognito' || SourceUser?.ProviderAttributeName !== 'Cognito_Subject')
        throw createError('Only the Cognito_Subject of a provider can be linked to a user of the pool here');
      const { ProviderName: provider, ProviderAttributeValue: subject } = SourceUser;
      if (!pool.identityProviders.some(({ name }) => name === provider) || !subject)
        throw createError(`The provider ${String(provider)} does not exist for User Pool.`);
      await users.link(getUser(pool, { Username: DestinationUser.ProviderAttributeValue }), provider, String(subject));
      return {};
    },
    async AdminListGroupsForUser(pool, input) {
      const names = users.listGroups(pool, getUser(pool, input));
      return toPage(
        'Groups',
        names.map((name) => describeGroup(pool, findGroup(pool, name))),
        input,
      );
    },
    async ListGroups(pool, input) {
      const sorted = [...pool.groups].sort((a, b) => (a.name < b.name ? -1 : 1));
      return toPage(
        'Groups',
        sorted.map((one) => describeGroup(pool, one)),
        input,
      );
    },
    async ListUsers(pool, input) {
      return listUsers(users, pool, input);
    },
    async ListUsersInGroup(pool, input) {
      const limit = parsePageSize(input.Limit, 'limit');
      const { name } = findGroup(pool, input.GroupName);
      const found = users.listInGroup(pool, name, Number(parsePageToken(input.NextToken) ?? 0), limit + 1);
      const page = found.slice(0, limit);
      const more = found.length > limit ? { NextToken: formatPageToken(requireValue(page.at(-1)).number) } : {};
      return { Users: page.map((user) => describe(user)), ...more };
    },
  };
}

async function createUser(users: UserStore, log: Log, pool: UserPool, input: Input): Promise<User> {
  const { Username, TemporaryPassword, MessageAction } = input;
  if (typeof Username !== 'string' || Username === '') throw createError('Missing required parameter Username');
  if (MessageAction !== undefined && MessageAction !== 'SUPPRESS') {
    throw createError(`MessageAction ${String(MessageAction)} is not supported here: no e-mail leaves this machine`);
  }
  if (TemporaryPassword !== undefined) assertPasswordPolicy(pool.passwordPolicy, TemporaryPassword);
  const attributes = createAttributes(pool, Username, input.UserAttributes);
  const password = TemporaryPassword ?? generatePassword(pool.passwordPolicy);
  const user = await users.create(pool, { username: Username, passwordHash: await hashPassword(password), attributes });
  if (MessageAction !== 'SUPPRESS') {
    log.warn('Invitation: AWS would send this by e-mail', {
      user_pool: pool.name,
      username: Username,
      temporary_password: password,
    });
  }
  return user;
}

function listUsers(users: UserStore, pool: UserPool, { Filter, Limit, PaginationToken, AttributesToGet }: Input) {
  const matches = parseFilter(Filter);
  const limit = parsePageSize(Limit, 'limit');
  const page: User[] = [];
  let after = Number(parsePageToken(PaginationToken) ?? 0);
  // Each turn advances, so the loop ends with the table even if the filter matches nothing.
  for (let batch = users.list(pool, after, scanPage); batch.length > 0; batch = users.list(pool, after, scanPage)) {
    for (const user of batch) {
      if (matches(user)) {
        if (page.length === limit) return { Users: page.map(toResponse), PaginationToken: formatPageToken(after) };
        page.push(user);
      }
      after = user.number;
    }
  }
  return { Users: page.map(toResponse) };

  function toResponse(user: User) {
    const described = describe(user);
    if (!Array.isArray(AttributesToGet)) return described;
    return { ...described, Attributes: described.Attributes.filter(({ Name }) => AttributesToGet.includes(Name)) };
  }
}

function findGroup(pool: UserPool, name: unknown): Group {
  const found = pool.groups.find((one) => one.name === name);
  if (found) return found;
  throw new AwsError('ResourceNotFoundException', 'Group not found.');
}

function toPage(field: string, all: unknown[], { Limit, NextToken }: Input): Record<string, unknown> {
  const from = Number(parsePageToken(NextToken) ?? 0);
  const to = from + parsePageSize(Limit, 'limit');
  return { [field]: all.slice(from, to), ...(all.length > to ? { NextToken: formatPageToken(to) } : {}) };
}

function describe(user: User) {
  return {
    Username: user.username,
    Attributes: toAttributeList(user),
    UserCreateDate: user.createdMs / 1000,
    UserLastModifiedDate: user.modifiedMs / 1000,
    Enabled: user.enabled,
    UserStatus: user.status,
  };
}

function describeGroup(pool: UserPool, { name, description, precedence }: Group) {
  return {
    GroupName: name,
    UserPoolId: pool.id,
    ...(description === undefined ? {} : { Description: description }),
    ...(precedence === undefined ? {} : { Precedence: precedence }),
  };
}

function createError(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}

const searchable: Record<string, (user: User) => string | undefined> = {
  username: ({ username }) => username,
  sub: ({ sub }) => sub,
  'cognito:user_status': ({ status }) => status,
  status: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
};
for (const name of ['email', 'phone_number', 'name', 'given_name', 'family_name', 'preferred_username']) {
  searchable[name] = ({ attributes }) => attributes[name];
}

/** ListUsers filters by one attribute: equal to a value or starting with it. */
export function parseFilter(filter: unknown): (user: User) => boolean {
  if (filter === undefined || filter === '') return () => true;
  const [, name = '', operator, quoted = ''] =
    /^\s*([\w:]+)\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(String(filter)) ?? [];
  const read = searchable[name];
  if (operator === undefined || !read) {
    throw new AwsError('InvalidParameterException', `Error while parsing filter: ${String(filter)}`);
  }
  const wanted = quoted.replace(/\\(.)/g, '$1');
  return operator === '=' ? (user) => read(user) === wanted : (user) => read(user)?.startsWith(wanted) ?? false;
}
