import { createStore } from '../base/store.ts';

/** Names of loaded records by id. Breadcrumbs and window titles show them instead of ids. */
export const recordNames = createStore<Readonly<Record<string, string>>>({});

export function nameRecord(id: string, name: string): string {
  if (recordNames.get()[id] !== name) recordNames.set({ ...recordNames.get(), [id]: name });
  return name;
}
