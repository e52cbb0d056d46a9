import pMap from 'p-map';
import type { FieldProblem } from '../../contract/errors.ts';
import { createDirectory } from '../identity/directory.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { env } from '../platform/env.ts';
import { memoize } from '../platform/memoize.ts';

// A person who is not in the directory cannot be paged, so schedules and policies reject such people. Incidents only warn
// about them (docs/decisions/0062-people-and-groups.md). Programs are not people.

export interface NamedPerson {
  /** The field that names the person, such as `layers[0].people[1]`. */
  field: string;
  person: string;
}

export type FindUnknownPeople = (named: readonly NamedPerson[]) => Promise<FieldProblem[]>;

export function createUnknownPeopleFinder(): FindUnknownPeople {
  const { USER_POOL_ID } = env('USER_POOL_ID');
  const { findEmail } = createDirectory(cognitoClient(), USER_POOL_ID);
  const isKnown = memoize(async (email) => (await findEmail(email)) !== undefined, cacheMs);
  return async (named) => {
    const people = [...new Set(named.map(({ person }) => person))];
    const known = await pMap(people, isKnown, { concurrency: maxConcurrency });
    const unknown = new Set(people.filter((_, index) => !known[index]));
    return named
      .filter(({ person }) => unknown.has(person))
      .map(({ field, person }) => ({ field, message: `names ${person}, who is not in the directory` }));
  };
}

const cacheMs = 60_000;

const maxConcurrency = 8;
