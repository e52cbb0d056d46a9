import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { currentQuery } from '../../../location.ts';
import { loadWholePage } from '../../../pages-of.ts';
import { serverNow } from '../../../server-clock.ts';
import { type Polled, usePolling } from '../../../use-load.ts';
import { useStore } from '../../../use-store.ts';
import type { Incident } from '../incident-words.ts';
import { rememberValues } from '../known-values.ts';
import { listPreferences } from './list-preferences.ts';
import { type ListView, queryOf, requestOf, viewFrom } from './list-view.ts';

export const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

interface LoadedPage {
  /** The view that this page belongs to. */
  query: string;
  incidents: readonly Incident[];
  total: number;
}

export interface IncidentList extends Polled<LoadedPage> {
  view: ListView;
  /** What is shown belongs to another view than the one asked for. */
  stale: boolean;
}

export function useIncidentList(): IncidentList {
  const { client } = useApi();
  const { pageSize } = useStore(listPreferences);
  const view = viewFrom(useStore(currentQuery), pageSize);
  const query = queryOf(view);
  const load = useCallback(
    async (signal: AbortSignal): Promise<LoadedPage> => {
      const request = requestOf(viewFrom(query), serverNow());
      const { data, total } = await loadWholePage(request, (some) => client.listIncidents(some, { signal }));
      rememberValues(data);
      return { query, incidents: data, total };
    },
    [client, query],
  );
  const list = usePolling(load, polling);
  return { ...list, view, stale: list.data?.query !== query };
}
