// Batches of event source mappings: their size, their failures (ReportBatchItemFailures) and how often sources are polled.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock/clock.ts';
import { requireValue } from '../../require-value.ts';

/** The items to retry. A malformed response counts as the failure of all, so no item is lost to a typo. */
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

/** 6 MB per event, less some room for the envelope around its records. */
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
    bytes += Buffer.byteLength(textOf(requireValue(items[count]))) + 1;
    // A single item is always sent, even if Lambda rejects it: it must not block the rest forever.
    if (bytes > maxBatchBytes && count > 0) break;
    count++;
  }
  return count;
}

/** Above this, a slow batch would delay the next one for too long. */
const maxYieldMs = 5_000;
const yieldStepMs = 50;

/**
 * How long bulk work waits after a batch, so that it takes at most a tenth of the time while requests are running.
 * `requestMs` is the time that requests ran during the batch.
 */
export function toYieldMs(batchMs: number, requestMs: number): number {
  return Math.min(maxYieldMs, 9 * Math.min(batchMs, requestMs));
}

/** Ends early when the runtime stops or its clock moves. */
export async function yieldToRequests(yieldMs: number, isOver: () => boolean): Promise<void> {
  const endMs = performance.now() + yieldMs;
  for (let leftMs = yieldMs; leftMs > 0 && !isOver(); leftMs = endMs - performance.now())
    await pause(Math.min(leftMs, yieldStepMs));
}

/** Limits polling under load, so records gather in batches as with Lambda's pollers. The first poll, and every poll while the clock moves, is immediate. */
export class PollLimiter {
  private readonly clock: Clock;
  private readonly pollIntervalMs: number;
  private nextMs = 0;

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
