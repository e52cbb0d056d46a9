import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { FeedStore } from './feed-store.ts';
import type { ListingSpec } from './listing.ts';
import { Replica } from './replica.ts';
import { sharedRuns } from './shared-runs.ts';
import { idOf, keyBefore, momentOf, OverlapSchedule, type Watermarks } from './watermarks.ts';

// A replica that follows its feed. The first use loads the last snapshot and reads what came after it; each later one
// reads what came since. All shards are read at once. What was read stays, so a load that is cut off by an error or by
// its time goes on where it stood.

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
  private readonly schedule = new OverlapSchedule();
  private replica: Replica;
  private marks: string[];
  private isLoaded = false;
  private triedSnapshot = false;

  constructor(options: LiveReplicaOptions) {
    this.options = options;
    this.replica = new Replica(options.spec);
    this.marks = Array.from({ length: options.feed.shards }, () => '');
    this.caughtUp = sharedRuns(() => this.catchUp());
  }

  get watermarks(): Watermarks {
    return [...this.marks];
  }

  private async catchUp(): Promise<Replica> {
    const { clock } = this.options;
    const startedAtMs = clock.now();
    if (!this.triedSnapshot) await this.startFromSnapshot();
    const backMs = this.schedule.nextBackMs(startedAtMs);
    const deadlineMs = startedAtMs + this.options.patienceMs;
    await allSettled(this.marks.map((_, shard) => this.readShard(shard, backMs, deadlineMs)));
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
    this.marks = [...snapshot.watermarks];
  }

  private async readShard(shard: number, backMs: number, deadlineMs: number): Promise<void> {
    const { feed, clock, onEntry } = this.options;
    for await (const entries of feed.pages(shard, keyBefore(this.marks[shard]!, backMs))) {
      for (const { key, listing } of entries) {
        const id = idOf(key);
        onEntry?.(id, key);
        // What the overlap brings again is recognised by its key alone.
        if (!this.replica.knows(id, momentOf(key))) this.replica.applyEncoded(listing);
        if (key > this.marks[shard]!) this.marks[shard] = key;
      }
      if (clock.now() > deadlineMs) {
        throw new ServiceError('unavailable', 'The list is still being loaded. Try again in a moment.', {
          headers: { 'Retry-After': '2' },
        });
      }
    }
  }

  private report(durationMs: number): void {
    const { rows, liveRows, bytes } = this.replica;
    const { spec, log } = this.options;
    log('info', 'replica loaded', { type: spec.type, rows, live_rows: liveRows, bytes, duration_ms: durationMs });
  }
}

/** All come to their end, so that no read of a failed catch-up is still applied during the next. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
