// The Cognito API's calls for people and groups.

import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import { defined } from '../defined.ts';
import type { Log } from '../log.ts';
import type { Operation } from './client-api.ts';
import { formatMark, parseMark, parsePageSize } from './paging.ts';
import { checkPassword, generatePassword, hashPassword } from './password.ts';
import type { Group, UserPool } from './user-pool.ts';
import { changedAttributes, newAttributes, toAttributeList, type User, type UserStore } from './user-store.ts';

const scanPage = 500;

export function userOperations(users: UserStore, log: Log): Record<string, Operation> {
  const existing = (pool: UserPool, { Username }: Input): User => {
    if (typeof Username !== 'string' || Username === '') throw invalid('Missing required parameter Username');
    const user = users.find(pool, Username);
    if (user) return user;
    throw new AwsError('UserNotFoundException', 'User does not exist.');
  };
  return {
    async AdminCreateUser(pool, input) {
      return { User: describe(await createUser(users, log, pool, input)) };
    },
    async AdminGetUser(pool, input) {
      const { Attributes, ...user } = describe(existing(pool, input));
      return { ...user, UserAttributes: Attributes };
    },
    async AdminSetUserPassword(pool, input) {
      const user = existing(pool, input);
      checkPassword(pool.passwordPolicy, input.Password);
      const hash = await hashPassword(input.Password);
      await users.setPassword(user, hash, input.Permanent === true ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD');
      return {};
    },
    async AdminUpdateUserAttributes(pool, input) {
      const user = existing(pool, input);
      await users.setAttributes(pool, user, changedAttributes(pool, user, input.UserAttributes));
      return {};
    },
    async AdminDeleteUser(pool, input) {
      await users.delete(existing(pool, input));
      return {};
    },
    async AdminEnableUser(pool, input) {
      await users.setEnabled(existing(pool, input), 'enabled');
      return {};
    },
    async AdminDisableUser(pool, input) {
      await users.setEnabled(existing(pool, input), 'disabled');
      return {};
    },
    async AdminUserGlobalSignOut(pool, input) {
      await users.signOut(existing(pool, input));
      return {};
    },
    async AdminAddUserToGroup(pool, input) {
      const user = existing(pool, input);
      await users.join(user, group(pool, input.GroupName).name);
      return {};
    },
    async AdminRemoveUserFromGroup(pool, input) {
      const user = existing(pool, input);
      await users.leave(user, group(pool, input.GroupName).name);
      return {};
    },
    async AdminListGroupsForUser(pool, input) {
      const names = users.groupsOf(pool, existing(pool, input));
      return listed(
        'Groups',
        names.map((name) => describeGroup(pool, group(pool, name))),
        input,
      );
    },
    async ListGroups(pool, input) {
      const sorted = [...pool.groups].sort((a, b) => (a.name < b.name ? -1 : 1));
      return listed(
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
      const { name } = group(pool, input.GroupName);
      const found = users.listInGroup(pool, name, Number(parseMark(input.NextToken) ?? 0), limit + 1);
      const page = found.slice(0, limit);
      const more = found.length > limit ? { NextToken: formatMark(defined(page.at(-1)).number) } : {};
      return { Users: page.map((user) => describe(user)), ...more };
    },
  };
}

async function createUser(users: UserStore, log: Log, pool: UserPool, input: Input): Promise<User> {
  const { Username, TemporaryPassword, MessageAction } = input;
  if (typeof Username !== 'string' || Username === '') throw invalid('Missing required parameter Username');
  if (MessageAction !== undefined && MessageAction !== 'SUPPRESS') {
    throw invalid(`MessageAction ${String(MessageAction)} is not supported here: no e-mail leaves this machine`);
  }
  if (TemporaryPassword !== undefined) checkPassword(pool.passwordPolicy, TemporaryPassword);
  const attributes = newAttributes(pool, Username, input.UserAttributes);
  const password = TemporaryPassword ?? generatePassword(pool.passwordPolicy);
  const user = await users.create(pool, { username: Username, passwordHash: await hashPassword(password), attributes });
  if (MessageAction !== 'SUPPRESS') {
    log.warn('an invitation would be sent by e-mail; on one machine it is this line', {
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
  let after = Number(parseMark(PaginationToken) ?? 0);
  // A filter may pass over many; each turn moves on, so the loop ends with the table.
  for (let batch = users.list(pool, after, scanPage); batch.length > 0; batch = users.list(pool, after, scanPage)) {
    for (const user of batch) {
      if (matches(user)) {
        if (page.length === limit) return { Users: page.map(shown), PaginationToken: formatMark(after) };
        page.push(user);
      }
      after = user.number;
    }
  }
  return { Users: page.map(shown) };

  function shown(user: User) {
    const described = describe(user);
    if (!Array.isArray(AttributesToGet)) return described;
    return { ...described, Attributes: described.Attributes.filter(({ Name }) => AttributesToGet.includes(Name)) };
  }
}

function group(pool: UserPool, name: unknown): Group {
  const found = pool.groups.find((one) => one.name === name);
  if (found) return found;
  throw new AwsError('ResourceNotFoundException', 'Group not found.');
}

function listed(field: string, all: unknown[], { Limit, NextToken }: Input): Record<string, unknown> {
  const from = Number(parseMark(NextToken) ?? 0);
  const to = from + parsePageSize(Limit, 'limit');
  return { [field]: all.slice(from, to), ...(all.length > to ? { NextToken: formatMark(to) } : {}) };
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

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}

// The Filter of ListUsers: one attribute, equal to a value or starting with it.

const searchable: Record<string, (user: User) => string | undefined> = {
  username: ({ username }) => username,
  sub: ({ sub }) => sub,
  'cognito:user_status': ({ status }) => status,
  status: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
};
for (const name of ['email', 'phone_number', 'name', 'given_name', 'family_name', 'preferred_username']) {
  searchable[name] = ({ attributes }) => attributes[name];
}

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
