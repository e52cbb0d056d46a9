import type { Write } from '../../../../lambdas/records/item-store.ts';
import { assignLanes } from '../../../../lambdas/webhooks/outbound/delivery-queue.ts';
import { createSlowReceiverWatch } from '../../../../lambdas/webhooks/outbound/receiver.ts';
import { createOutboundWebhookList } from '../../../../lambdas/webhooks/outbound/webhook-list.ts';
import { memoryItems } from '../../events/memory-items.ts';
import { aDelivery, startMs } from './a-delivery.ts';

describe('lanes', () => {
  const many = (webhook_id: string, count: number) => Array.from({ length: count }, () => aDelivery({ webhook_id }));
  const count = (lane: readonly { webhook_id: string }[], id: string) =>
    lane.filter(({ webhook_id }) => webhook_id === id).length;

  it('separate slow receivers and floods from other deliveries', () => {
    const all = [...many('slow', 3), ...many('flooded', 230), ...many('calm', 5)];
    const { quick, slow } = assignLanes(all, new Set(['slow']));
    const counts = ['slow', 'flooded', 'calm'].map((id) => [count(quick, id), count(slow, id)]);
    expect(counts).toEqual([
      [0, 3],
      [200, 30],
      [5, 0],
    ]);
  });
});

describe('a slow receiver', () => {
  let nowMs = startMs;
  const clock = { now: () => nowMs };
  const ignore = () => {};

  it('is marked while it is slow, and counts as slow for a minute', async () => {
    const items = memoryItems();
    const watch = createSlowReceiverWatch(items, clock, ignore, 1);
    // It answers only when it was noted.
    const slow = new Promise<string>((resolve) => {
      items.before = () => void resolve('at last');
    });
    expect(await watch('wh_out_1', slow)).toBe('at last');
    const list = createOutboundWebhookList(items);
    expect(await list.all()).toEqual([]);
    expect(await list.withSlow(nowMs + 59_999)).toEqual({ webhooks: [], slow: new Set(['wh_out_1']) });
    expect((await list.withSlow(nowMs + 60_000)).slow).toEqual(new Set());
  });

  it('is marked again only after an interval, and failures are ignored', async () => {
    const items = memoryItems();
    const logged: string[] = [];
    const watch = createSlowReceiverWatch(items, clock, (_level, message) => void logged.push(message), 1);
    const answered = (seen: (writes: readonly Write[]) => undefined) =>
      watch(
        'wh_out_1',
        new Promise<void>((resolve) => {
          items.before = (writes) => {
            resolve();
            return seen(writes);
          };
        }),
      );
    await answered(() => {
      throw new Error('no storage');
    });
    expect(logged).toEqual(['failed to mark a slow receiver']);
    await answered(() => undefined);
    expect(items.transactions).toBe(2);
    nowMs += 15_000;
    await answered(() => undefined);
    expect(items.transactions).toBe(3);
  });
});
