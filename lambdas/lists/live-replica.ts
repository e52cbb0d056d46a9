import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { FeedFollower } from './feed-follower.ts';
import type { FeedStore } from './feed-store.ts';
import type { ListingSpec } from './listing.ts';
import { Replica } from './replica.ts';
import { sharedRuns } from './shared-runs.ts';
import { idOf, momentOf, type Watermarks } from './watermarks.ts';

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
