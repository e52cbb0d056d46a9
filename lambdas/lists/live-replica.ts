import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { FeedEntry, FeedStore } from './feed-store.ts';
import type { ListingSpec } from './listing.ts';
import { Replica } from './replica.ts';

// A replica that follows its feed. The first use loads the last snapshot and reads what came after it; each later one
// reads what came since.

export interface LoadedSnapshot {
  replica: Replica;
  watermarks: Watermarks;
}

export interface LiveReplicaOptions {
  spec: ListingSpec;
  feed: FeedStore;
  /** Undefined when there is no snapshot that can be used. */
  loadSnapshot(): Promise<LoadedSnapshot | undefined>;
  clock: Clock;
  log: Log;
  /** Told of every entry of the feed, those that come again included. */
  onEntry?(id: string, feedKey: string): void;
  /** How long one catch-up may take; what is left is for the next. */
  patienceMs: number;
}

export class LiveReplica {
  /** The replica, with everything that the feed showed after this call. */
  readonly caughtUp: () => Promise<Replica>;
  private readonly options: LiveReplicaOptions;
  private readonly follower: FeedFollower;
  private replica: Replica;
  private isLoaded = false;
  private triedSnapshot = false;

  constructor(options: LiveReplicaOptions) {
    const { feed, clock, patienceMs } = options;
    this.options = options;
    this.replica = new Replica(options.spec);
    this.follower = new FeedFollower({
      feed,
      clock,
      patienceMs,
      take: ({ key, listing }) => {
        const id = idOf(key);
        options.onEntry?.(id, key);
        // What the overlap brings again is recognised by its key alone.
        if (!this.replica.knows(id, momentOf(key))) this.replica.applyEncoded(listing);
      },
    });
    this.caughtUp = sharedRuns(() => this.catchUp());
  }

  get watermarks(): Watermarks {
    return this.follower.watermarks;
  }

  private async catchUp(): Promise<Replica> {
    const { clock } = this.options;
    const startedAtMs = clock.now();
    if (!this.triedSnapshot) await this.startFromSnapshot();
    await this.follower.catchUp();
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
    this.follower.startAt(snapshot.watermarks);
  }

  private report(durationMs: number): void {
    const { rows, liveRows, bytes } = this.replica;
    const { spec, log } = this.options;
    log('info', 'replica loaded', { type: spec.type, rows, live_rows: liveRows, bytes, duration_ms: durationMs });
  }
}

// Reads a feed from where it stood on. All shards are read at once. What was read stays read, so a catch-up that is cut
// off by an error or by its time goes on where it stood.

export interface FeedFollowerOptions {
  feed: FeedStore;
  clock: Clock;
  /** How long one catch-up may take; what is left is for the next. */
  patienceMs: number;
  /** Gets every entry at least once; the overlap brings the last ones again. */
  take(entry: FeedEntry): void;
}

export class FeedFollower {
  private readonly options: FeedFollowerOptions;
  private readonly schedule = new OverlapSchedule();
  private marks: string[];

  constructor(options: FeedFollowerOptions) {
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
    const deadlineMs = startedAtMs + this.options.patienceMs;
    await allSettled(this.marks.map((_, shard) => this.readShard(shard, reading, deadlineMs)));
    reading.done();
  }

  private async readShard(shard: number, reading: Reading, deadlineMs: number): Promise<void> {
    const { feed, clock, take } = this.options;
    for await (const entries of feed.pages(shard, reading.behind(this.marks[shard]!))) {
      for (const entry of entries) {
        take(entry);
        if (entry.key > this.marks[shard]!) this.marks[shard] = entry.key;
      }
      if (clock.now() > deadlineMs) {
        throw new ServiceError('unavailable', 'The list is still loading. Try again shortly.', {
          headers: { 'Retry-After': '2' },
        });
      }
    }
  }
}

/** All come to their end, so that no read of a failed catch-up is still applied during the next. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

/**
 * Runs of the same work that callers share. A caller gets a run that starts after its call, so it sees everything that
 * happened before; callers that come while one is running all get the next. Afterwards they go on one after the other, so
 * that the first is answered while the last still waits for its turn.
 */
export function sharedRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
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

// How far a replica has read each shard of its feed, and how far back it reads again. An entry can appear behind the
// last one that was seen: writers' clocks differ, a write takes a while from its timestamp to its commit, and the index
// follows the table with a delay. An entry that was not there at the time of one reading is therefore at most such a delay
// older than that time; so every catch-up reads again what is that young, and, the rarer the deeper, more.

/** The key of the last entry seen in each shard; '' where there was none. */
export type Watermarks = readonly string[];

export interface Overlap {
  /** At most once in this time. */
  everyMs: number;
  backMs: number;
}

/**
 * Within one machine the first alone suffices: clocks agree and the index is never behind. In AWS an index is usually
 * a few milliseconds behind; the last covers a delay that would raise alarms long before.
 */
export const overlaps: readonly Overlap[] = [
  { everyMs: 0, backMs: 2_000 },
  { everyMs: 5_000, backMs: 15_000 },
  { everyMs: 60_000, backMs: 120_000 },
];

export class OverlapSchedule {
  /** When the last successful reading of each depth began. */
  private readonly doneAtMs = overlaps.map(() => Number.POSITIVE_INFINITY);

  /** What to read at this time. */
  begin(nowMs: number): Reading {
    const due: Due[] = [];
    for (const [depth, { everyMs, backMs }] of overlaps.entries()) {
      const lastMs = this.doneAtMs[depth]!;
      // Never done, or done by a clock that was set back since.
      if (lastMs > nowMs) due.push({ depth, backMs, lastMs: undefined });
      else if (nowMs - lastMs >= everyMs) due.push({ depth, backMs, lastMs });
    }
    return {
      behind: (watermark) => keyBefore(watermark, due),
      done: () => {
        for (const { depth } of due) this.doneAtMs[depth] = nowMs;
      },
    };
  }
}

export interface Reading {
  /** The key to read behind in a shard. */
  behind(watermark: string): string;
  /** To be told when all shards were read to their end. */
  done(): void;
}

interface Due {
  depth: number;
  backMs: number;
  lastMs: number | undefined;
}

/** Everything behind the watermark, and what can have appeared before it since the last reading of each depth. */
function keyBefore(watermark: string, due: readonly Due[]): string {
  if (watermark === '') return '';
  const seen = momentOf(watermark);
  const from = Math.min(...due.map(({ backMs, lastMs = seen }) => lastMs - backMs));
  return from < seen ? new Date(from).toISOString() : watermark;
}

export function momentOf(key: string): number {
  const moment = Date.parse(key.slice(0, key.indexOf('#')));
  if (Number.isNaN(moment)) throw new Error(`${key} is not a key of the feed`);
  return moment;
}

export function idOf(key: string): string {
  return key.split('#', 2)[1]!;
}
