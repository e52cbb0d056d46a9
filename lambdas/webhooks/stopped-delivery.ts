import { cancelled, type Delivery, isOpen } from './delivery.ts';
import { type OutboundRecord, wants } from './outbound-webhook.ts';

// Deactivating a webhook stops whatever is open, in that one write, however much it is: whether an open delivery is still
// wanted follows from its webhook. Readers see it cancelled from that moment on; whoever would make its next attempt
// stores that it is (docs/decisions/0015-stopped-deliveries.md).

/** A ping tries a webhook out, whether it is active or not. */
export function isStopped(delivery: Delivery, { document }: OutboundRecord): boolean {
  return isOpen(delivery) && delivery.event !== 'ping' && !wants(document, delivery.created_at);
}

/** The delivery as it is beside its webhook. */
export function asStopped(delivery: Delivery, webhook: OutboundRecord): Delivery {
  return isStopped(delivery, webhook) ? stopped(delivery, webhook, Date.parse(webhook.updated_at)) : delivery;
}

/** The moment of the end is that of the deactivation, unless an attempt was on its way then. */
export function stopped(delivery: Delivery, webhook: OutboundRecord | undefined, nowMs: number): Delivery {
  const stop = webhook && !webhook.deleted ? webhook.document.stopped_at : null;
  const last = delivery.attempts.at(-1);
  const lastMs = last ? Date.parse(last.at) + last.duration_ms : Date.parse(delivery.created_at);
  return cancelled(delivery, Math.max(stop ? Date.parse(stop) : nowMs, lastMs));
}
