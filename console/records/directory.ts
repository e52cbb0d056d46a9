import { useApi } from '../base/api.ts';
import { useHasRole } from '../base/caller.tsx';
import { useLoad } from '../base/use-load.ts';
import { type FieldProblems, problemsByField } from '../ui/field-problems.ts';
import type { Draft } from './record-draft.ts';

// People and groups that records can name. The console rejects other names, unless the installation allows unknown people;
// the API accepts them with a warning (docs/decisions/0062-people-and-groups.md).

const maxEntries = 200;

const personFields: readonly string[] = ['assigned_to', 'requested_for'];

const groupFields: readonly string[] = ['assignment_group'];

/** Viewers may not list people, so they get no suggestions and no check. */
export function useDirectory() {
  const { client } = useApi();
  const canAssign = useHasRole('itsm_agent');
  const people = useLoad(
    ['directory', 'people'],
    (signal) => client.listPeople({ limit: maxEntries }, { signal, retries: 0 }),
    { enabled: canAssign },
  );
  const groups = useLoad(['directory', 'groups'], (signal) =>
    client.listGroups({ limit: maxEntries }, { signal, retries: 0 }),
  );
  const isLoading = [people, groups].some(({ data, loading }) => loading && data === undefined);
  return { people: people.data, groups: groups.data, isLoading };
}

/** The names that a field can have; undefined for fields without a directory. */
export function useKnownNames(field: string): readonly string[] | undefined {
  const { people, groups } = useDirectory();
  if (personFields.includes(field)) return people?.data.map(({ email }) => email);
  return groupFields.includes(field) ? groups?.data.map(({ name }) => name) : undefined;
}

export type NameCheck = (field: string, value: string) => string | undefined;

/** Says why the directory does not accept a value. A directory that is incomplete or empty accepts everything. */
export function useNameCheck(): NameCheck {
  const { people, groups } = useDirectory();
  const arePeopleFree = useApi().config.unknown_people === 'allowed';
  return (field, value) => {
    const name = value.trim();
    if (name === '' || (arePeopleFree && personFields.includes(field))) return undefined;
    if (personFields.includes(field) && people && !people.truncated && !name.includes('@clients.')) {
      const isKnown = people.data.some(({ email }) => email.toLowerCase() === name.toLowerCase());
      return isKnown ? undefined : 'Nobody with this address is in the directory.';
    }
    if (groupFields.includes(field) && groups && !groups.truncated && groups.data.length > 0) {
      const isKnown = groups.data.some((group) => group.name === name);
      return isKnown ? undefined : 'No group of this name is in the directory.';
    }
    return undefined;
  };
}

/** Whether the names in a form cannot be checked yet. */
export function useIsChecking(draft: Draft, before: Draft): boolean {
  const { isLoading } = useDirectory();
  return isLoading && [...personFields, ...groupFields].some((field) => draft[field] && draft[field] !== before[field]);
}

/** The changed fields of a form with names that the directory does not know. */
export function useUnknownNames(draft: Draft, before: Draft): FieldProblems {
  const check = useNameCheck();
  const problems = Object.entries(draft).flatMap(([field, value]) => {
    const message = value === before[field] ? undefined : check(field, value);
    return message === undefined ? [] : [{ field, message }];
  });
  return problemsByField(problems);
}
