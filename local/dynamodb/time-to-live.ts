// Deletes expired items. DynamoDB takes up to a few days; here a sweep runs at the end of the minute in which the next
// item expires. Without expiring items, nothing runs.

import type { Clock, Timer } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import { requireValue } from '../require-value.ts';
import type { Storage } from '../storage/storage.ts';
import type { Catalog } from './catalog.ts';
import type { ItemStore } from './item-store.ts';
import type { StreamLog } from './stream-log.ts';
import type { Table } from './table.ts';

const minuteMs = 60_000;
const batchSize = 200;
/** DynamoDB ignores expiry times more than five years in the past. */
const maxExpiryAgeSeconds = 5 * 365 * 24 * 60 * 60;

export class TimeToLive {
  private readonly clock: Clock;
  private readonly storage: Storage;
  private readonly catalog: Catalog;
  private readonly streams: StreamLog;
  private readonly log: Log;
  private items: ItemStore | undefined;
  private next: { timeMs: number; timer: Timer } | undefined;
  private running = false;

  constructor(options: { clock: Clock; storage: Storage; catalog: Catalog; streams: StreamLog; log: Log }) {
    this.clock = options.clock;
    this.storage = options.storage;
    this.catalog = options.catalog;
    this.streams = options.streams;
    this.log = options.log;
  }

  start(items: ItemStore): void {
    this.items = items;
    this.running = true;
    this.scheduleNextSweep();
  }

  stop(): void {
    this.running = false;
    this.next?.timer.cancel();
    this.next = undefined;
  }

  /** Schedules a sweep for an item that expires at this time, unless an earlier sweep is scheduled. */
  scheduleSweep(seconds: number): void {
    if (!this.running || seconds <= this.nowSeconds() - maxExpiryAgeSeconds) return;
    const timeMs = (Math.floor(Math.max(seconds * 1000, this.clock.now()) / minuteMs) + 1) * minuteMs;
    if (this.next && this.next.timeMs <= timeMs) return;
    this.next?.timer.cancel();
    this.next = { timeMs, timer: this.clock.at(timeMs, () => this.sweep()) };
  }

  /** Schedules a sweep for the stored item that expires next. */
  scheduleNextSweep(): void {
    if (!this.running) return;
    for (const table of this.listTables()) {
      const seconds = requireValue(this.items).nextExpiry(table, this.nowSeconds() - maxExpiryAgeSeconds);
      if (seconds !== undefined) this.scheduleSweep(seconds);
    }
  }

  private async sweep(): Promise<void> {
    this.next = undefined;
    try {
      for (const table of this.listTables()) await this.sweepTable(table);
      this.scheduleNextSweep();
    } catch (error) {
      if (!this.running) return;
      this.log.warn('Could not delete expired items', { error: String(error) });
      this.scheduleSweep(this.nowSeconds());
    }
  }

  private async sweepTable(table: Table): Promise<void> {
    const now = this.nowSeconds();
    let deleted: number;
    do {
      if (!this.running || this.catalog.find(table.name)?.id !== table.id) return;
      deleted = await this.storage.write(() =>
        requireValue(this.items).expire(table, now - maxExpiryAgeSeconds, now, batchSize),
      );
      if (deleted > 0 && table.streamArn) this.streams.notify(table);
    } while (deleted === batchSize);
  }

  private listTables(): Table[] {
    return this.catalog.list().filter(({ definition }) => definition.ttlAttribute !== undefined);
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}
