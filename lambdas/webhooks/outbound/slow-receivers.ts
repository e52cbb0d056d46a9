import type { Clock } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { writeWithRetry } from '../../records/write-items.ts';
import { buildSlowWrite } from './webhook-list.ts';

// Workers mark slow receivers while they wait for them. Queueing reads the marks together with the webhooks.

export type WatchReceiver = <Result>(webhookId: string, response: Promise<Result>) => Promise<Result>;

/** Validity of a mark. Each slow response renews it, at most once per worker and interval. */
const markTtlMs = 60_000;
const renewalIntervalMs = 15_000;

/** A working receiver responds faster than this. */
export const slowAfterMs = 3_000;

export function createSlowReceiverWatch(
  store: Pick<ItemStore, 'transact'>,
  clock: Clock,
  log: Log,
  markAfterMs = slowAfterMs,
): WatchReceiver {
  const markedAtMs = new Map<string, number>();
  const mark = async (webhookId: string) => {
    const nowMs = clock.now();
    if ((markedAtMs.get(webhookId) ?? 0) + renewalIntervalMs > nowMs) return;
    markedAtMs.set(webhookId, nowMs);
    try {
      await writeWithRetry(store, [buildSlowWrite(webhookId, nowMs + markTtlMs)]);
    } catch (error) {
      // The delivery continues; the next slow response sets the mark.
      markedAtMs.delete(webhookId);
      log('warn', 'failed to mark a slow receiver', { webhook: webhookId, ...toErrorFields(error) });
    }
  };
  return async (webhookId, response) => {
    let marking: Promise<void> | undefined;
    const timer = setTimeout(() => {
      marking = mark(webhookId);
    }, markAfterMs);
    try {
      return await response;
    } finally {
      clearTimeout(timer);
      // Lambda freezes the function after its response, so wait for the mark to be written.
      await marking;
    }
  };
}
