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
