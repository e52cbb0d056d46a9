import {
  type CognitoIdentityProviderClient,
  ListGroupsCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
  ResourceNotFoundException,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import { isRole, type Role, roles } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import type { UseCase } from '../platform/http/response.ts';
import { log, toErrorFields } from '../platform/log.ts';
import { memoize } from '../platform/memoize.ts';
import { createRecordStore } from '../records/wiring.ts';
import { createDirectory } from './directory.ts';
import { isGroupNameUsed, type ListGroupNames } from './group-names.ts';

// Warns about names that are not in the directory (docs/decisions/0062-people-and-groups.md). A warning never rejects a
// request. If the directory fails, there are no warnings.

interface KnownNames {
  isPersonKnown(email: string): Promise<boolean>;
  isGroupKnown(name: string): Promise<boolean>;
}

interface NamedFields {
  assigned_to?: string | null | undefined;
  requested_for?: string | null | undefined;
  assignment_group?: string | null | undefined;
}

interface Responded {
  headers?: Readonly<Record<string, string>>;
}

/** Adds the header `X-Warnings` to the response of a use case; both run in parallel. */
export function withNameWarnings<Input extends { body: NamedFields }, Context, Response extends Responded>(
  useCase: (input: Input, context: Context) => Promise<Response>,
  names: KnownNames,
): (input: Input, context: Context) => Promise<Response> {
  return async (input, context) => {
    const [response, warnings] = await Promise.all([
      useCase(input, context),
      findWarnings(input.body, names).catch((error: unknown) => {
        log('warn', 'failed to read the directory; names are not checked', toErrorFields(error));
        return [];
      }),
    ]);
    if (warnings.length === 0) return response;
    return { ...response, headers: { ...response.headers, 'X-Warnings': JSON.stringify(warnings) } };
  };
}

async function findWarnings({ assigned_to, requested_for, assignment_group }: NamedFields, names: KnownNames) {
  const known = await Promise.all([
    assigned_to ? names.isPersonKnown(assigned_to) : true,
    requested_for ? names.isPersonKnown(requested_for) : true,
    assignment_group ? names.isGroupKnown(assignment_group) : true,
  ]);
  const unknown = ['assigned_to', 'requested_for', 'assignment_group'].filter((_, place) => !known[place]);
  return unknown.map((field) => ({ field, message: 'is not in the directory' }));
}

export function createKnownNames(): KnownNames {
  const { USER_POOL_ID, SERVICE_DOMAIN } = env('USER_POOL_ID', 'SERVICE_DOMAIN');
  const { findEmail } = createDirectory(cognitoClient(), USER_POOL_ID);
  const { listPoolGroups } = createPeopleDirectory(cognitoClient(), USER_POOL_ID);
  const store = createRecordStore();
  const isGroupKnown = async (name: string) =>
    (await isGroupNameUsed(store, name, clock.now())) || (await listPoolGroups()).includes(name);
  return {
    isPersonKnown: memoize(
      async (email) => email.endsWith(`@clients.${SERVICE_DOMAIN}`) || (await findEmail(email)) !== undefined,
      cacheMs,
    ),
    isGroupKnown: memoize(isGroupKnown, cacheMs),
  };
}

// The people and groups of the user pool. A pool changes rarely and its API has low quotas, so results are cached for a
// minute.

interface Person {
  email: string;
  name: string | null;
  role: Role | null;
}

interface PeopleDirectory {
  listPeople(): Promise<readonly Person[]>;
  /** Groups that are not roles. */
  listPoolGroups(): Promise<readonly string[]>;
  /** The addresses of enabled people in a group of the user pool; empty if there is no such group. */
  listMembers(group: string): Promise<readonly string[]>;
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
  const readMembers = (GroupName: string) =>
    readUsers(async (NextToken) => {
      const found = await client.send(
        new ListUsersInGroupCommand({ UserPoolId, GroupName, Limit: pageSize, NextToken }),
      );
      return { Users: found.Users, next: found.NextToken };
    });
  const readAddresses = async (group: string): Promise<string[]> => {
    // The user pool allows no spaces in names of groups and would reject them.
    if (/\s/.test(group)) return [];
    const users = await readMembers(group).catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return [];
      throw error;
    });
    return users.flatMap((user) => (user.Enabled ? (getAttribute(user, 'email') ?? []) : []));
  };
  const readPeople = async (): Promise<Person[]> => {
    const all = readUsers(async (PaginationToken) => {
      const found = await client.send(new ListUsersCommand({ UserPoolId, Limit: pageSize, PaginationToken }));
      return { Users: found.Users, next: found.PaginationToken };
    });
    return toPeople(await all, await Promise.all(roles.map(readMembers)));
  };
  const readGroups = async (): Promise<string[]> => {
    const found = await client.send(new ListGroupsCommand({ UserPoolId, Limit: pageSize }));
    return (found.Groups ?? []).flatMap(({ GroupName }) => GroupName ?? []).filter((name) => !isRole(name));
  };
  const people = memoize(readPeople, cacheMs);
  const groups = memoize(readGroups, cacheMs);
  const members = memoize(readAddresses, cacheMs);
  return { listPeople: () => people(''), listPoolGroups: () => groups(''), listMembers: members };
}

interface UserPage {
  Users: UserType[] | undefined;
  next: string | undefined;
}

function toPeople(users: readonly UserType[], members: readonly (readonly UserType[])[]): Person[] {
  // Roles are in ascending order, so the highest one is written last.
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
