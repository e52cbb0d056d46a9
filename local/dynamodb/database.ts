// The components that operations share.
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';
import type { Consumption, UsageCounter } from './capacity.ts';
import type { Catalog } from './catalog.ts';
import type { ItemStore } from './item-store.ts';
import type { RequestTokens } from './request-tokens.ts';
import type { StreamLog } from './stream-log.ts';
import type { TimeToLive } from './time-to-live.ts';

export interface Database {
  storage: Storage;
  clock: Clock;
  catalog: Catalog;
  items: ItemStore;
  streams: StreamLog;
  timeToLive: TimeToLive;
  tokens: RequestTokens;
  usage: UsageCounter;
}

/**
 * Runs a write in the next shared commit and notifies stream readers once it is on disk. The work must check everything
 * before its first change. A write to expendable tables only does not wait for the disk.
 */
export function commit<T>(database: Database, consumptions: () => readonly Consumption[], work: () => T): Promise<T> {
  return database.clock.track(async () => {
    const expendable = () => {
      const written = consumptions();
      return written.length > 0 && written.every(({ table }) => table.definition.expendable === true);
    };
    let restore = () => {};
    const tracked = () => {
      const { result, undo } = database.items.trackDeferred(work);
      restore = undo;
      return result;
    };
    const result = await database.storage.writeChecked(tracked, expendable).catch((error: unknown) => {
      restore();
      throw error;
    });
    for (const { table } of consumptions()) if (table.streamArn) database.streams.notify(table);
    return result;
  });
}
