import { createStore } from '../../store.ts';
import type { Incident } from './incident-words.ts';

// Groups, people and categories that were seen in incidents, to suggest them where they are typed. The service keeps
// no list of them: they are whatever incidents say.

const fields = ['assignment_group', 'assigned_to', 'category', 'subcategory'] as const;

export type KnownField = (typeof fields)[number];

export type KnownValues = Readonly<Record<KnownField, readonly string[]>>;

const mostPerField = 200;

export const knownValues = createStore<KnownValues>({
  assignment_group: [],
  assigned_to: [],
  category: [],
  subcategory: [],
});

export function rememberValues(incidents: readonly Incident[]): void {
  const before = knownValues.get();
  let changed = false;
  const merged = fields.map((field) => {
    const seen = new Set(before[field]);
    for (const incident of incidents) if (incident[field]) seen.add(incident[field]);
    changed ||= seen.size > before[field].length && before[field].length < mostPerField;
    return [field, [...seen].sort().slice(0, mostPerField)] as const;
  });
  if (changed) knownValues.set(Object.fromEntries(merged) as unknown as KnownValues);
}
