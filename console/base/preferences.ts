import type { ServiceClient } from '../../client/index.ts';
import { useApi } from './api.ts';
import { useLoad } from './use-load.ts';

// What the service stores for the user, such as saved views.

export type Preferences = Awaited<ReturnType<ServiceClient['getPreferences']>>;

export type SavedView = Preferences['views'][number];

export function usePreferences() {
  const { client } = useApi();
  return useLoad(['preferences'], (signal) => client.getPreferences({}, { signal, retries: 0 }));
}
