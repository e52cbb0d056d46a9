import { useCallback, useRef, useState } from 'react';
import { useApi } from '../../api.ts';
import { type Polled, type Polling, usePolling } from '../../use-load.ts';
import type { Incident } from './incident-words.ts';

/** An incident as it was at one time, with what a change of it must name. */
export interface IncidentVersion {
  incident: Incident;
  etag: string | undefined;
}

export interface CurrentIncident extends Polled<IncidentVersion> {
  /** Shows what a change came to at once, before the next answer would. */
  show(version: IncidentVersion): void;
}

/** An incident that stays up to date; unchanged answers have no body. */
export function useIncident(id: string, which: 'existing' | 'deleted', polling?: Polling): CurrentIncident {
  const { client } = useApi();
  const latest = useRef<IncidentVersion | undefined>(undefined);
  const [saved, setSaved] = useState<IncidentVersion>();
  const load = useCallback(
    async (signal: AbortSignal): Promise<IncidentVersion> => {
      const known = latest.current;
      const query = which === 'deleted' ? { id, include_deleted: true } : { id };
      const options = { signal, ...(known?.etag ? { ifNoneMatch: known.etag } : {}) };
      const answer = await client.getIncident.withResponse(query, options);
      if (!answer.notModified) latest.current = { incident: answer.data, etag: answer.etag };
      if (!latest.current) throw new Error('The service returned 304 Not Modified for an unknown record.');
      return latest.current;
    },
    [client, id, which],
  );
  const current = usePolling(load, polling);
  const data = newer(saved, current.data);
  const show = useCallback((version: IncidentVersion) => setSaved(version), []);
  return { ...current, data, show };
}

/** An answer that was under way while a change was saved must not bring the old values back. */
function newer(saved: IncidentVersion | undefined, loaded: IncidentVersion | undefined): IncidentVersion | undefined {
  if (!saved || !loaded) return saved ?? loaded;
  return saved.incident.updated_at > loaded.incident.updated_at ? saved : loaded;
}
