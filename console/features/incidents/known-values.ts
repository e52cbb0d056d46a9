import { useEffect } from 'react';
import { useApi } from '../../app/api.ts';
import { useHasRole } from '../../app/caller.tsx';
import { useLoad } from '../../records/use-load.ts';
import { createStore } from '../../ui/store.ts';
import type { Incident } from './incident-words.ts';

// Suggests categories seen in incidents, and groups and people of the service's directory.

const fields = ['assignment_group', 'assigned_to', 'category', 'subcategory'] as const;

export type KnownField = (typeof fields)[number];

export type KnownValues = Readonly<Record<KnownField, readonly string[]>>;

const maxPerField = 200;

export const knownValues = createStore<KnownValues>({
  assignment_group: [],
  assigned_to: [],
  category: [],
  subcategory: [],
});

export function collectValues(incidents: readonly Incident[]): void {
  const before = knownValues.get();
  let changed = false;
  const merged = fields.map((field) => {
    const seen = new Set(before[field]);
    for (const incident of incidents) if (incident[field]) seen.add(incident[field]);
    changed ||= seen.size > before[field].length && before[field].length < maxPerField;
    return [field, [...seen].sort().slice(0, maxPerField)] as const;
  });
  if (changed) knownValues.set({ ...before, ...Object.fromEntries(merged) });
}

const sampleSize = 200;

/**
 * Loads the latest incidents for values to suggest, if none were seen yet. A failure is ignored: suggestions are
 * optional.
 */
export function useKnownValues(): void {
  const { client } = useApi();
  useEffect(() => {
    if (knownValues.get().assignment_group.length > 0) return;
    const stop = new AbortController();
    client
      .listIncidents({ limit: sampleSize, sort: 'updated_at' }, { signal: stop.signal, retries: 0 })
      .then(({ data }) => collectValues(data))
      .catch(() => undefined);
    return () => stop.abort();
  }, [client]);
}

const directoryLimit = 200;

/** People and groups of the directory. Viewers may not list people, and need not. */
export function useDirectory() {
  const { client } = useApi();
  const canAssign = useHasRole('itsm_agent');
  const people = useLoad(
    ['directory', 'people'],
    (signal) => client.listPeople({ limit: directoryLimit }, { signal, retries: 0 }),
    { enabled: canAssign },
  );
  const groups = useLoad(['directory', 'groups'], (signal) =>
    client.listGroups({ limit: directoryLimit }, { signal, retries: 0 }),
  );
  return { people: people.data, groups: groups.data };
}

/** Why the directory does not accept a value; undefined if it does, or if it is not known completely. */
export function useUnknownName(field: KnownField, value: string): string | undefined {
  const { people, groups } = useDirectory();
  const name = value.trim();
  if (name === '') return undefined;
  if (field === 'assigned_to' && people && !people.truncated && !name.includes('@clients.')) {
    const isKnown = people.data.some(({ email }) => email.toLowerCase() === name.toLowerCase());
    return isKnown ? undefined : 'Nobody with this address is in the directory.';
  }
  if (field === 'assignment_group' && groups && !groups.truncated) {
    return groups.data.some((group) => group.name === name) ? undefined : 'No group of this name is in the directory.';
  }
  return undefined;
}
