import type { Delivery } from './delivery.ts';

// Two queues whose workers do not compete, so that a receiver that hangs holds up none that answers. What is for a receiver
// that was slow within the last minute takes the slow lane. So does what one webhook gets too much of at once: it would
// take all workers of the quick lane before anybody could know how fast its receiver is.

export const laneNames = ['quick', 'slow'] as const;

export type Lane = (typeof laneNames)[number];

/** Of one webhook, out of one batch of a hundred changes: the everyday burst to a receiver that works stays quick. */
const mostQuick = 200;

export function lanesOf(deliveries: readonly Delivery[], slow: ReadonlySet<string>): Record<Lane, Delivery[]> {
  const lanes: Record<Lane, Delivery[]> = { quick: [], slow: [] };
  const counts = new Map<string, number>();
  for (const delivery of deliveries) {
    const { webhook_id } = delivery;
    const count = (counts.get(webhook_id) ?? 0) + 1;
    counts.set(webhook_id, count);
    lanes[slow.has(webhook_id) || count > mostQuick ? 'slow' : 'quick'].push(delivery);
  }
  return lanes;
}
