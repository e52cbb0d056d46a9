import { useCallback, useRef, useState } from 'react';
import { type Polled, usePolling } from '../use-load.ts';

/** A record as it was at one time, with what a change of it must name. */
export interface RecordVersion<Shown> {
  record: Shown;
  etag: string | undefined;
}

export interface CurrentRecord<Shown> extends Polled<RecordVersion<Shown>> {
  /** Shows what a change came to at once, before the next answer would. */
  show(version: RecordVersion<Shown>): void;
}

export type Answered<Shown> = { notModified: boolean; data: Shown | undefined; etag?: string | undefined };

const polling = { intervalMs: 20_000, maxIntervalMs: 160_000, maxPolls: 180 };

/** A record that stays up to date; unchanged answers have no body. */
export function useRecord<Shown extends { updated_at: string }>(
  read: (options: { signal: AbortSignal; ifNoneMatch?: string }) => Promise<Answered<Shown>>,
): CurrentRecord<Shown> {
  const latest = useRef<RecordVersion<Shown> | undefined>(undefined);
  const [saved, setSaved] = useState<RecordVersion<Shown>>();
  const load = useCallback(
    async (signal: AbortSignal): Promise<RecordVersion<Shown>> => {
      const etag = latest.current?.etag;
      const answer = await read({ signal, ...(etag ? { ifNoneMatch: etag } : {}) });
      if (answer.data !== undefined) latest.current = { record: answer.data, etag: answer.etag };
      if (!latest.current) throw new Error('The service returned 304 Not Modified for an unknown record.');
      return latest.current;
    },
    [read],
  );
  const current = usePolling(load, polling);
  // An answer that was under way while a change was saved must not bring the old values back.
  const data = saved && current.data && saved.record.updated_at > current.data.record.updated_at ? saved : current.data;
  return { ...current, data, show: useCallback((version: RecordVersion<Shown>) => setSaved(version), []) };
}
