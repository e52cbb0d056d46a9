import { useEffect } from 'react';
import { useApi } from '../../../api.ts';
import { knownValues, rememberValues } from '../known-values.ts';

const sampleSize = 200;

/**
 * Looks at the latest incidents for values to suggest, when none were seen yet. Suggestions are help, not data, so a
 * failure to get them is no news to the reader.
 */
export function useKnownValues(): void {
  const { client } = useApi();
  useEffect(() => {
    if (knownValues.get().assignment_group.length > 0) return;
    const stop = new AbortController();
    client
      .listIncidents({ limit: sampleSize, sort: 'updated_at' }, { signal: stop.signal, retries: 0 })
      .then(({ data }) => rememberValues(data))
      .catch(() => undefined);
    return () => stop.abort();
  }, [client]);
}
