import type { Clock } from '../platform/clock.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { FeedEntry, FeedStore } from './feed-store.ts';
import { OverlapSchedule, type Reading, type Watermarks } from './watermarks.ts';

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
