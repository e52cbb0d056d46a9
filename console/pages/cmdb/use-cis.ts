import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { useLoad } from '../../use-load.ts';
import { type Ci, isCiId } from './ci-words.ts';

/** As many as the service looks up at once. */
const most = 100;

/** The items that records speak of, in one request. Those that do not exist, or are not there yet, are missing. */
export function useCis(ids: readonly (string | null)[]): ReadonlyMap<string, Ci> {
  const { client } = useApi();
  const wanted = [...new Set(ids.filter((id) => id !== null && isCiId(id)))].slice(0, most).join(',');
  const load = useCallback(
    async (signal: AbortSignal) =>
      wanted === '' ? [] : (await client.listCis({ id: wanted, limit: most }, { signal })).data,
    [client, wanted],
  );
  const { data = [] } = useLoad(load);
  return new Map(data.map((ci) => [ci.id, ci]));
}
