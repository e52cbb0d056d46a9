// How far a replica has read each shard of its feed, and how far back it reads again. An entry can appear behind the
// last one that was seen: writers' clocks differ, a write takes a while from its timestamp to its commit, and the index
// follows the table with a delay. So every catch-up reads the last moments again, and, the rarer the deeper, more.

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
  { everyMs: 2_000, backMs: 15_000 },
  { everyMs: 60_000, backMs: 120_000 },
];

export class OverlapSchedule {
  private readonly lastAtMs = overlaps.map(() => Number.NEGATIVE_INFINITY);

  /** How far back to read at this time. */
  nextBackMs(nowMs: number): number {
    let backMs = 0;
    for (const [index, overlap] of overlaps.entries()) {
      // A clock that was set back must not keep the deeper ones away.
      const last = this.lastAtMs[index]!;
      if (nowMs - last < overlap.everyMs && nowMs >= last) continue;
      this.lastAtMs[index] = nowMs;
      backMs = overlap.backMs;
    }
    return backMs;
  }
}

/** The key to read behind, so that everything from `backMs` before the watermark comes again. */
export function keyBefore(watermark: string, backMs: number): string {
  if (watermark === '') return '';
  return new Date(momentOf(watermark) - backMs).toISOString();
}

export function momentOf(key: string): number {
  const moment = Date.parse(key.slice(0, key.indexOf('#')));
  if (Number.isNaN(moment)) throw new Error(`${key} is not a key of the feed`);
  return moment;
}

export function idOf(key: string): string {
  return key.split('#', 2)[1]!;
}
