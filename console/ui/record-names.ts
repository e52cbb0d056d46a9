import { createStore } from './store.ts';

/** Names of records that were loaded, by id: breadcrumbs and the window's title say them instead of ids. */
export const recordNames = createStore<Readonly<Record<string, string>>>({});

export function nameRecord(id: string, name: string): void {
  if (recordNames.get()[id] !== name) recordNames.set({ ...recordNames.get(), [id]: name });
}
