import {
  type CognitoIdentityProviderClient,
  ListGroupsCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import { isRole, type Role, roles } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { memoize } from '../platform/memoize.ts';
import type { ListGroupNames } from './group-names.ts';

// The people and groups of the user pool. A pool changes rarely and its API has low quotas, so results are cached for a
// minute.

export interface Person {
  email: string;
  name: string | null;
  role: Role | null;
}

export interface PeopleDirectory {
  listPeople(): Promise<readonly Person[]>;
  /** Groups that are not roles. */
  listPoolGroups(): Promise<readonly string[]>;
}

const cacheMs = 60_000;

const pageSize = 60;

/** 5,000 people. */
const maxPages = 84;

export function createPeopleDirectory(client: CognitoIdentityProviderClient, UserPoolId: string): PeopleDirectory {
  const readUsers = async (read: (token: string | undefined) => Promise<UserPage>): Promise<UserType[]> => {
    const users: UserType[] = [];
    let token: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const { Users = [], next } = await read(token);
      users.push(...Users);
      token = next;
      if (token === undefined) break;
    }
    return users;
  };
  const readPeople = async (): Promise<Person[]> => {
    const all = readUsers(async (PaginationToken) => {
      const found = await client.send(new ListUsersCommand({ UserPoolId, Limit: pageSize, PaginationToken }));
      return { Users: found.Users, next: found.PaginationToken };
    });
    const members = roles.map((GroupName) =>
      readUsers(async (NextToken) => {
        const found = await client.send(
          new ListUsersInGroupCommand({ UserPoolId, GroupName, Limit: pageSize, NextToken }),
        );
        return { Users: found.Users, next: found.NextToken };
      }),
    );
    return toPeople(await all, await Promise.all(members));
  };
  const readGroups = async (): Promise<string[]> => {
    const found = await client.send(new ListGroupsCommand({ UserPoolId, Limit: pageSize }));
    return (found.Groups ?? []).flatMap(({ GroupName }) => GroupName ?? []).filter((name) => !isRole(name));
  };
  const people = memoize(readPeople, cacheMs);
  const groups = memoize(readGroups, cacheMs);
  return { listPeople: () => people(''), listPoolGroups: () => groups('') };
}

interface UserPage {
  Users: UserType[] | undefined;
  next: string | undefined;
}

function toPeople(users: readonly UserType[], members: readonly (readonly UserType[])[]): Person[] {
  // Roles ascend, so the highest one is written last.
  const roleByName = new Map(
    members.flatMap((group, index) =>
      group.map(({ Username }): [string, Role | null] => [Username ?? '', roles[index] ?? null]),
    ),
  );
  return users
    .flatMap((user): Person[] => {
      const email = getAttribute(user, 'email');
      if (!user.Enabled || email === undefined) return [];
      return [{ email, name: getAttribute(user, 'name') ?? null, role: roleByName.get(user.Username ?? '') ?? null }];
    })
    .sort((a, b) => (a.email < b.email ? -1 : 1));
}

function getAttribute({ Attributes = [] }: UserType, name: string): string | undefined {
  return Attributes.find(({ Name }) => Name === name)?.Value;
}

export function listPeople(directory: Pick<PeopleDirectory, 'listPeople'>): UseCase<typeof routes.listPeople> {
  return async ({ query: { q = '', limit } }) => {
    const people = await directory.listPeople();
    const found = people.filter(({ email, name }) => hasText(email, q) || hasText(name ?? '', q));
    return { status: 200, body: cut(found, limit) };
  };
}

export function listGroups(
  directory: Pick<PeopleDirectory, 'listPoolGroups'>,
  listUsedGroups: ListGroupNames,
): UseCase<typeof routes.listGroups> {
  return async ({ query: { q = '', limit } }, { clock }) => {
    const [pool, used] = await Promise.all([directory.listPoolGroups(), listUsedGroups(clock.now())]);
    const names = [...new Set([...pool, ...used])].filter((name) => hasText(name, q)).sort();
    const groups = names.map((name) => ({ name }));
    return { status: 200, body: cut(groups, limit) };
  };
}

function cut<Entry>(found: readonly Entry[], limit: number) {
  return { data: found.slice(0, limit), total: found.length, truncated: found.length > limit };
}

function hasText(value: string, text: string): boolean {
  return value.toLowerCase().includes(text.toLowerCase());
}
