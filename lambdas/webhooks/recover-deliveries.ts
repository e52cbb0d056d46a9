import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { activeWebhook, type DeliverAgainTools } from './deliver-again.ts';
import { type Delivery, isOpen, replayOf } from './delivery.ts';
import { storeAndQueue } from './queue-deliveries.ts';
import { asStopped } from './stopped-delivery.ts';

/** What one request looks at, and starts. Asking again goes on where it ended, since what was started no longer failed. */
const mostRead = 20_000;
const mostReplayed = 500;

export function recoverDeliveries(tools: DeliverAgainTools): UseCase<typeof routes.recoverDeliveries> {
  return async ({ params: { id }, body: { since } }, { clock }) => {
    const webhook = await activeWebhook(id, tools);
    const nowMs = clock.now();
    const known = await tools.deliveries.since(id, Date.parse(since), mostRead);
    const lost = unrecovered(known.map((delivery) => asStopped(delivery, webhook)));
    const again = lost.slice(0, mostReplayed).map((delivery) => replayOf(delivery, 'recovery', nowMs));
    // Their receiver did not work lately, and they are many.
    await storeAndQueue({ slow: again }, tools);
    return { status: 202, body: { replayed: again.length, more: lost.length > again.length } };
  };
}

/** Of each event that was not delivered and is not on its way, the newest failed delivery. Oldest events first. */
export function unrecovered(newestFirst: readonly Delivery[]): Delivery[] {
  const good = newestFirst.filter((delivery) => delivery.status === 'delivered' || isOpen(delivery));
  const saved = new Set(good.map(({ event_id }) => event_id));
  const lost = new Map<string, Delivery>();
  for (const delivery of newestFirst) {
    const { event, event_id, status } = delivery;
    const isLost = status === 'failed' && event !== 'ping' && !saved.has(event_id);
    if (isLost && !lost.has(event_id)) lost.set(event_id, delivery);
  }
  return [...lost.values()].reverse();
}
