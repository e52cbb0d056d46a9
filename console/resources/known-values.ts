import { useEffect } from 'react';
import { useApi } from '../base/api.ts';
import { createStore } from '../base/store.ts';
import type { Incident } from './incident-words.ts';

// Suggests values seen in incidents.

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
