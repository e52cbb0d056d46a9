import type { Clock } from '../platform/clock.ts';
import { errorFields, type Log } from '../platform/log.ts';
import { type ItemStore, written } from '../records/item-store.ts';
import { slowWrite } from './outbound-webhook-list.ts';

// Workers note which receivers keep them waiting, while they still wait; whoever queues deliveries reads it together with
// the webhooks.

export type WatchReceiver = <Result>(webhookId: string, answer: Promise<Result>) => Promise<Result>;

/** How long a note counts. Each slow answer makes a new one, but not more than one worker needs. */
const slowForMs = 60_000;
const notedForMs = 15_000;

/** Receivers that work answer sooner than this, also on a bad day. */
export function watchReceivers(
  store: Pick<ItemStore, 'transact'>,
  clock: Clock,
  log: Log,
  slowAfterMs = 3_000,
): WatchReceiver {
  const noted = new Map<string, number>();
  const note = async (webhookId: string) => {
    const nowMs = clock.now();
    if ((noted.get(webhookId) ?? 0) + notedForMs > nowMs) return;
    noted.set(webhookId, nowMs);
    try {
      await written(store, [slowWrite(webhookId, nowMs + slowForMs)]);
    } catch (error) {
      // The delivery goes on all the same; the next slow answer notes it.
      noted.delete(webhookId);
      log('warn', 'a slow receiver could not be noted', { webhook: webhookId, ...errorFields(error) });
    }
  };
  return async (webhookId, answer) => {
    let noting: Promise<void> | undefined;
    const timer = setTimeout(() => {
      noting = note(webhookId);
    }, slowAfterMs);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      // A function stands still once it has answered, and a note half-way with it.
      await noting;
    }
  };
}
