import type { ServiceClient } from '../../client/index.ts';
import { useApi } from './api.ts';
import { useLoad } from './use-load.ts';

// What the service stores for the user, such as saved views, and the views that managers share with everyone.

export type SavedView = Awaited<ReturnType<ServiceClient['getPreferences']>>['views'][number];

/** Parts of a page that appear one after the other share one request. */
const keepMs = 5_000;

export function usePreferences(enabled = true) {
  const { client } = useApi();
  return useLoad(['preferences'], (signal) => client.getPreferences({}, { signal, retries: 0 }), { enabled, keepMs });
}

export function useSharedViews() {
  const { client } = useApi();
  return useLoad(['views'], (signal) => client.getSharedViews({}, { signal, retries: 0 }), { keepMs });
}

/** Where the list of a view is. */
export function toViewPath({ list, query }: SavedView): string {
  return `/${list === 'articles' ? 'knowledge' : list}?${query}`;
}
