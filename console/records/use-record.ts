import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type Loaded, type Polling, useLoad } from '../base/use-load.ts';

/** A record at one point in time, with the ETag that a change of it must name. */
export interface RecordVersion<Shown> {
  record: Shown;
  etag: string | undefined;
}

export interface CurrentRecord<Shown> extends Loaded<RecordVersion<Shown>> {
  /** Shows a saved change immediately, before the next poll. */
  show(version: RecordVersion<Shown>): void;
}

export type RecordResponse<Shown> = { notModified: boolean; data: Shown | undefined; etag?: string | undefined };

const defaultPolling: Polling = { intervalMs: 20_000, maxIntervalMs: 160_000, maxPolls: 180 };

/** Loads a record and keeps it up to date. The service sends no body while the record is unchanged. */
export function useRecord<Shown extends { updated_at: string }>(
  key: QueryKey,
  read: (options: { signal: AbortSignal; ifNoneMatch?: string }) => Promise<RecordResponse<Shown>>,
  polling: Polling | undefined = defaultPolling,
): CurrentRecord<Shown> {
  const queries = useQueryClient();
  const getKnown = () => queries.getQueryData<RecordVersion<Shown>>(key);
  const current = useLoad(
    key,
    async (signal) => {
      const etag = getKnown()?.etag;
      const { data, etag: next } = await read({ signal, ...(etag ? { ifNoneMatch: etag } : {}) });
      const known = getKnown();
      if (data === undefined && known) return known;
      if (data === undefined) throw new Error('The service returned 304 Not Modified for an unknown record.');
      // A response that was on its way while a change was saved must not bring the old values back.
      return known && known.record.updated_at > data.updated_at ? known : { record: data, etag: next };
    },
    { polling },
  );
  return { ...current, show: (version) => queries.setQueryData<RecordVersion<Shown>>(key, version) };
}
