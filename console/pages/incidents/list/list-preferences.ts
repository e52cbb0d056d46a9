import type { CollectionPreferencesProps } from '@cloudscape-design/components/collection-preferences';
import { createStore } from '../../../store.ts';
import { firstColumnDisplay, incidentColumns } from './incident-columns.tsx';
import { pageSizes } from './list-view.ts';

// How the reader wants the table, remembered by the browser; what the table shows is the address.

export type ListPreferences = Required<
  Pick<CollectionPreferencesProps.Preferences, 'pageSize' | 'wrapLines' | 'contentDensity' | 'contentDisplay'>
>;

const storageKey = 'console.incidents.preferences';

const firstPreferences: ListPreferences = {
  pageSize: pageSizes[0],
  wrapLines: true,
  contentDensity: 'comfortable',
  contentDisplay: firstColumnDisplay,
};

export const listPreferences = createStore<ListPreferences>(remembered());

export function changePreferences(change: CollectionPreferencesProps.Preferences): void {
  listPreferences.set({ ...listPreferences.get(), ...change });
  localStorage.setItem(storageKey, JSON.stringify(listPreferences.get()));
}

/** What an older console remembered may name other columns; then the table starts anew. */
function remembered(): ListPreferences {
  try {
    const stored: Partial<ListPreferences> = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    const ids = stored.contentDisplay?.map(({ id }) => id).sort();
    const known = incidentColumns.map(({ id }) => id).sort();
    return ids && ids.join() === known.join() ? { ...firstPreferences, ...stored } : firstPreferences;
  } catch {
    return firstPreferences;
  }
}
