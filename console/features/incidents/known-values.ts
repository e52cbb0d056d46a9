import { useEffect } from 'react';
import { useApi } from '../../app/api.ts';
import { createStore } from '../../ui/store.ts';
import type { Incident } from './incident-words.ts';

// Groups, people and categories that were seen in incidents, to suggest them where they are typed. The service keeps
// no list of them: they are whatever incidents say.

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
 * Looks at the latest incidents for values to suggest, when none were seen yet. Suggestions are help, not data, so a
 * failure to get them is no news to the reader.
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
