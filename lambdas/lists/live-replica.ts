import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, toIso } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { FeedEntry, FeedStore } from './feed-store.ts';
import type { ListingSpec } from './listing.ts';
import { Replica } from './replica.ts';

// A replica that follows its feed. The first use loads the latest snapshot and reads the later entries; every further
// use reads the new entries.

export interface LoadedSnapshot {
  replica: Replica;
  watermarks: Watermarks;
}

export interface LiveReplicaOptions {
  spec: ListingSpec;
  feed: FeedStore;
  /** Undefined when there is no usable snapshot. */
  loadSnapshot(): Promise<LoadedSnapshot | undefined>;
  clock: Clock;
  log: Log;
  /** Called for every feed entry, including repeated ones. */
  onEntry?(id: string, feedKey: string): void;
  /** The time limit of one catch-up; the next one continues. */
  timeoutMs: number;
}

export class LiveReplica {
  /** Returns the replica with all entries that the feed had at the time of the call. */
  readonly refresh: () => Promise<Replica>;
  private readonly options: LiveReplicaOptions;
  private readonly reader: FeedReader;
  private replica: Replica;
  private isLoaded = false;
  private triedSnapshot = false;

  constructor(options: LiveReplicaOptions) {
    const { feed, clock, timeoutMs } = options;
    this.options = options;
    this.replica = new Replica(options.spec);
    this.reader = new FeedReader({
      feed,
      clock,
      timeoutMs,
      take: ({ key, listing }) => {
        const id = parseFeedId(key);
        options.onEntry?.(id, key);
        // Skip repeated entries of the overlap by key, without decoding them.
        if (!this.replica.hasVersion(id, parseFeedTime(key))) this.replica.applyEncoded(listing);
      },
    });
    this.refresh = shareRuns(() => this.catchUp());
  }

  get watermarks(): Watermarks {
    return this.reader.watermarks;
  }

  private async catchUp(): Promise<Replica> {
    const { clock } = this.options;
    const startedAtMs = clock.now();
    if (!this.triedSnapshot) await this.startFromSnapshot();
    await this.reader.catchUp();
    if (!this.isLoaded) {
      this.isLoaded = true;
      this.report(clock.now() - startedAtMs);
    }
    return this.replica;
  }

  private async startFromSnapshot(): Promise<void> {
    const snapshot = await this.options.loadSnapshot();
    this.triedSnapshot = true;
    if (!snapshot) return;
    this.replica = snapshot.replica;
    this.reader.startAt(snapshot.watermarks);
  }

  private report(durationMs: number): void {
    const { rows, liveRows, bytes } = this.replica;
    const { spec, log } = this.options;
    log('info', 'loaded a list replica', {
      type: spec.type,
      rows,
      live_rows: liveRows,
      bytes,
      duration_ms: durationMs,
    });
  }
}

// Reads a feed from its last position, all shards in parallel. Progress is retained, so after an error or a timeout the
// next catch-up continues from the same position.

export interface FeedReaderOptions {
  feed: FeedStore;
  clock: Clock;
  /** The time limit of one catch-up; the next one continues. */
  timeoutMs: number;
  /** Receives every entry at least once; the overlap repeats recent ones. */
  take(entry: FeedEntry): void;
}

export class FeedReader {
  private readonly options: FeedReaderOptions;
  private readonly schedule = new OverlapSchedule();
  private marks: string[];

  constructor(options: FeedReaderOptions) {
    this.options = options;
    this.marks = Array.from({ length: options.feed.shards }, () => '');
  }

  get watermarks(): Watermarks {
    return [...this.marks];
  }

  startAt(watermarks: Watermarks): void {
    this.marks = [...watermarks];
  }

  async catchUp(): Promise<void> {
    const startedAtMs = this.options.clock.now();
    const reading = this.schedule.begin(startedAtMs);
    const deadlineMs = startedAtMs + this.options.timeoutMs;
    await settleAll(this.marks.map((_, shard) => this.readShard(shard, reading, deadlineMs)));
    reading.done();
  }

  private async readShard(shard: number, reading: Reading, deadlineMs: number): Promise<void> {
    const { feed, clock, take } = this.options;
    for await (const entries of feed.pages(shard, reading.toStartKey(requireValue(this.marks[shard])))) {
      for (const entry of entries) {
        take(entry);
        if (entry.key > requireValue(this.marks[shard])) this.marks[shard] = entry.key;
      }
      if (clock.now() > deadlineMs) {
        throw new ServiceError('unavailable', 'The list is still loading. Try again shortly.', {
          headers: { 'Retry-After': '2' },
        });
      }
    }
  }
}

/** Waits for all shards, so that no read of a failed catch-up is applied during the next one. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

/**
 * Shares runs of the same work between callers. A caller gets a run that starts after its call, so it sees everything
 * that happened before; callers that arrive during a run share the next one. Callers then resume one per event-loop
 * turn, so that the first response is sent while others wait.
 */
export function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const start = (): Promise<Result> => {
    next = undefined;
    const run = work().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
  return async () => {
    if (running) next ??= running.then(start, start);
    const result = await (next ?? start());
    await turn();
    return result;
  };
}

// The position of a replica in each shard of its feed, and the overlap that it rereads. An entry can appear before the
// last one seen: writers' clocks differ, a write commits after its timestamp, and the index lags behind the table. Every
// catch-up therefore rereads a short overlap and, less often, a longer one.

/** The key of the last entry seen in each shard; '' if there is none. */
export type Watermarks = readonly string[];

export interface Overlap {
  /** Minimum time between two reads of this depth. */
  everyMs: number;
  backMs: number;
}

/**
 * On one machine the first overlap suffices. In AWS an index usually lags by a few milliseconds; a lag longer than the
 * last overlap would raise alarms long before.
 */
export const overlaps: readonly Overlap[] = [
  { everyMs: 0, backMs: 2_000 },
  { everyMs: 5_000, backMs: 15_000 },
  { everyMs: 60_000, backMs: 120_000 },
];

export class OverlapSchedule {
  /** Start time of the last successful read of each depth. */
  private readonly doneAtMs = overlaps.map(() => Number.POSITIVE_INFINITY);

  begin(nowMs: number): Reading {
    const due: Due[] = [];
    for (const [depth, { everyMs, backMs }] of overlaps.entries()) {
      const lastMs = requireValue(this.doneAtMs[depth]);
      // There was no read yet, or the clock was set back since then.
      if (lastMs > nowMs) due.push({ depth, backMs, lastMs: undefined });
      else if (nowMs - lastMs >= everyMs) due.push({ depth, backMs, lastMs });
    }
    return {
      toStartKey: (watermark) => toStartKey(watermark, due),
      done: () => {
        for (const { depth } of due) this.doneAtMs[depth] = nowMs;
      },
    };
  }
}

export interface Reading {
  /** The key after which to read a shard. */
  toStartKey(watermark: string): string;
  /** Must be called after all shards were read completely. */
  done(): void;
}

interface Due {
  depth: number;
  backMs: number;
  lastMs: number | undefined;
}

/** The watermark, or an earlier time if an overlap is due. */
function toStartKey(watermark: string, due: readonly Due[]): string {
  if (watermark === '') return '';
  const seen = parseFeedTime(watermark);
  const from = Math.min(...due.map(({ backMs, lastMs = seen }) => lastMs - backMs));
  return from < seen ? toIso(from) : watermark;
}

export function parseFeedTime(key: string): number {
  const timeMs = Date.parse(key.slice(0, key.indexOf('#')));
  if (Number.isNaN(timeMs)) throw new Error(`${key} is not a key of the feed`);
  return timeMs;
}

export function parseFeedId(key: string): string {
  return requireValue(key.split('#', 2)[1]);
}
