import type { CollectionPreferencesProps } from '@cloudscape-design/components/collection-preferences';
import { useState } from 'react';
import { pageSizes } from './list-address.ts';

// How the user wants a table, stored by the browser; what the table shows is in the address.

export type ListPreferences = Required<
  Pick<CollectionPreferencesProps.Preferences, 'pageSize' | 'wrapLines' | 'contentDensity' | 'contentDisplay'>
>;

export interface Column {
  id: string;
  header?: React.ReactNode;
  /** Hidden until the user shows it. */
  hidden?: true;
}

export function useListPreferences(things: string, columns: readonly Column[]) {
  const storageKey = `console.${things}.preferences`;
  const [preferences, setPreferences] = useState(() => readPreferences(storageKey, columns));
  const change = (part: CollectionPreferencesProps.Preferences) => {
    const next: ListPreferences = { ...preferences, ...part };
    setPreferences(next);
    localStorage.setItem(storageKey, JSON.stringify(next));
  };
  return { preferences, change };
}

/** Preferences of an older console may name other columns; then the defaults apply. */
function readPreferences(storageKey: string, columns: readonly Column[]): ListPreferences {
  const defaults: ListPreferences = {
    pageSize: pageSizes[0],
    wrapLines: true,
    contentDensity: 'comfortable',
    contentDisplay: columns.map(({ id, hidden }) => ({ id, visible: !hidden })),
  };
  try {
    const stored: Partial<ListPreferences> = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    const ids = stored.contentDisplay?.map(({ id }) => id).sort();
    const known = columns.map(({ id }) => id).sort();
    return ids && ids.join() === known.join() ? { ...defaults, ...stored } : defaults;
  } catch {
    return defaults;
  }
}
