import { apiPrefixes, stageName } from '../../contract/routes.ts';
import { notificationWrite } from '../notifications/notification.ts';
import { idFrom } from '../platform/ids.ts';
import type { ItemStore } from '../records/item-store.ts';
import { written } from '../records/written.ts';
import { type Delivery, isGone } from './delivery.ts';
import type { OutboundRecord } from './outbound-webhook.ts';

/** Tells the owner of a webhook that a delivery was given up. */
export type Alert = (delivery: Delivery, webhook: OutboundRecord) => Promise<void>;

/** Publishes a message to whoever subscribed to the service's alerts. */
export type Publish = (subject: string, message: string) => Promise<void>;

export function ownerAlert(store: Pick<ItemStore, 'transact'>, publish: Publish): Alert {
  return async (delivery, { id, document }) => {
    const last = delivery.attempts.at(-1)!;
    const gone = isGone(last);
    const notification = {
      // The same delivery makes the same notification, however often this happens.
      id: idFrom('notification', delivery.id),
      event: gone ? 'webhook.disabled' : 'webhook.delivery_failed',
      created_at: delivery.finished_at!,
      webhook_id: id,
      webhook_name: document.name,
      delivery_id: delivery.id,
      delivered_event: delivery.event,
      attempts_made: delivery.attempts.length,
      last_status: last.status,
      error: last.error,
      replay_url: `/${stageName}${apiPrefixes[0]}/webhooks/outbound/${id}/deliveries/${delivery.id}/replay`,
    };
    await written(store, [notificationWrite({ kind: 'user', name: document.created_by }, notification)]);
    const what = gone ? 'wants no more events and was deactivated' : `did not receive ${delivery.event}`;
    await publish(`Webhook ${id} ${gone ? 'was deactivated' : 'failed'}`, text(document.name, what, notification));
  };
}

function text(name: string, what: string, notification: object): string {
  return `The webhook "${name}" ${what}.\n\n${JSON.stringify(notification, null, 2)}\n`;
}
