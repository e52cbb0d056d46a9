// Polling, batch sizes and partial batch failures (ReportBatchItemFailures), for queues and streams.
import { setTimeout as pause } from 'node:timers/promises';
import { requireValue } from '../../require-value.ts';
import type { EventSourceDependencies, Invocables } from './ports.ts';

/** The items to retry. After a malformed response all items are retried, so a bug in the function loses none. */
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

/** 6 MB per event, minus 16 KB for the envelope around its records. */
const maxBatchBytes = 6 * 1024 * 1024 - 16 * 1024;

/** Counts the leading items that fit into one event, up to `max`. */
export function countFitting<Item>(
  items: readonly Item[],
  max: number,
  serialize: (item: Item) => string = JSON.stringify,
): number {
  let bytes = 0;
  let count = 0;
  while (count < items.length && count < max) {
    bytes += Buffer.byteLength(serialize(requireValue(items[count]))) + 1;
    // Always send the first item, even if Lambda rejects it; otherwise it would block the others forever.
    if (bytes > maxBatchBytes && count > 0) break;
    count++;
  }
  return count;
}

/** Above this, a slow batch would delay the next one for too long. */
const maxYieldMs = 30_000;
const yieldStepMs = 100;

/**
 * Computes the pause of bulk work after a batch, so that it uses at most a tenth of the time while requests run.
 * `requestMs` is the time that requests ran during the batch.
 */
export function toYieldMs(batchMs: number, requestMs: number): number {
  return Math.min(maxYieldMs, 9 * Math.min(batchMs, requestMs));
}

/** Ends early when no more requests arrive, the runtime stops or its clock moves. */
export async function yieldToRequests(
  yieldMs: number,
  functions: Pick<Invocables, 'requestMs'>,
  isOver: () => boolean,
): Promise<void> {
  const endMs = performance.now() + yieldMs;
  for (let leftMs = yieldMs; leftMs > 0 && !isOver(); leftMs = endMs - performance.now()) {
    const before = functions.requestMs;
    await pause(Math.min(leftMs, yieldStepMs));
    if (functions.requestMs === before) return;
  }
}

/** Polls a source after each requestPoll() until it is empty. Polls do not overlap. */
export abstract class Poller<Mapping extends { logicalId: string; functionReference: string }> {
  protected readonly mapping: Mapping;
  protected readonly dependencies: EventSourceDependencies;
  protected stopped = false;
  private readonly pollIntervalMs: number;
  private nextPollMs = 0;
  private polling = false;
  private requested = false;

  constructor(mapping: Mapping, dependencies: EventSourceDependencies, pollIntervalMs: number) {
    this.mapping = mapping;
    this.dependencies = dependencies;
    this.pollIntervalMs = pollIntervalMs;
  }

  requestPoll(): void {
    this.requested = true;
    if (this.polling || this.stopped) return;
    this.polling = true;
    void this.dependencies.clock.track(async () => {
      try {
        while (this.requested && !this.stopped) {
          this.requested = false;
          if (await this.poll()) this.requested = true;
        }
      } catch (error) {
        this.report('Could not poll', { error: String(error) });
        this.retryPoll();
      } finally {
        this.polling = false;
      }
    });
  }

  stop(): void {
    this.stopped = true;
  }

  /** Resolves to whether the source may have more items. */
  protected abstract poll(): Promise<boolean>;

  /** Schedules a poll after an unexpected error. */
  protected abstract retryPoll(): void;

  /**
   * Limits polling under load, so records gather in batches as with Lambda's pollers. The first poll, and every poll
   * while the clock moves, is immediate.
   */
  protected async limitPolling(): Promise<void> {
    const waitMs = this.nextPollMs - performance.now();
    if (waitMs > 0 && !this.dependencies.clock.isMoving) await pause(waitMs);
    this.nextPollMs = performance.now() + this.pollIntervalMs;
  }

  /** Logs nothing while the runtime stops: the next start retries the batches of functions that it ended. */
  protected report(message: string, fields: Record<string, unknown>): void {
    if (this.stopped) return;
    const { logicalId: mapping, functionReference } = this.mapping;
    this.dependencies.log.warn(message, { mapping, function: functionReference, ...fields });
  }
}
