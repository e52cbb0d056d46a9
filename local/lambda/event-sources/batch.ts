// ReportBatchItemFailures: a function may say which items of its batch failed. Lambda trusts the answer only when it is
// well-formed; anything else counts as the failure of the whole batch, so that no item is lost to a typo.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock/clock.ts';

/** The items to be tried again: none, some by their identifiers, or all. */
type FailedItems = 'all' | ReadonlySet<string>;

export function parseFailedItems(response: unknown, batch: ReadonlySet<string>): FailedItems {
  if (response === null || response === undefined) return new Set();
  if (typeof response !== 'object' || Array.isArray(response)) return 'all';
  const failures = (response as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === null || failures === undefined) return new Set();
  if (!Array.isArray(failures)) return 'all';
  const identifiers = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  const wellFormed = (identifier: unknown): identifier is string =>
    typeof identifier === 'string' && batch.has(identifier);
  return identifiers.every(wellFormed) ? new Set(identifiers) : 'all';
}

/** An event may hold 6 MB; some room is left for the envelope around its records. */
const maxBatchBytes = 6 * 1024 * 1024 - 16 * 1024;

/** How many of the items, from the first, make a batch of at most `most` items that fits into one event. */
export function countFitting<Item>(
  items: readonly Item[],
  max: number,
  textOf: (item: Item) => string = JSON.stringify,
): number {
  let bytes = 0;
  let count = 0;
  while (count < items.length && count < max) {
    bytes += Buffer.byteLength(textOf(items[count]!)) + 1;
    // A single item always goes, even when Lambda will refuse it: it must not block those behind it for ever.
    if (bytes > maxBatchBytes && count > 0) break;
    count++;
  }
  return count;
}

// How often a source is looked at. The first look after a pause is at once; under load there are some looks a second, as
// Lambda's own pollers make them, so that what arrives comes together in batches. A move of the clock does not wait.

export class PollLimiter {
  private readonly clock: Clock;
  private readonly pollIntervalMs: number;
  private nextMs = 0;

  /** `lookEveryMs`: real time between two looks. */
  constructor(clock: Clock, pollIntervalMs: number) {
    this.clock = clock;
    this.pollIntervalMs = pollIntervalMs;
  }

  async wait(): Promise<void> {
    const waitMs = this.nextMs - performance.now();
    if (waitMs > 0 && !this.clock.isMoving) await pause(waitMs);
    this.nextMs = performance.now() + this.pollIntervalMs;
  }
}
