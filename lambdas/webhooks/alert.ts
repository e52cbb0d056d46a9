import { apiPrefixes, stageName } from '../../contract/http.ts';
import { notificationWrite } from '../notifications/notification.ts';
import { idFrom } from '../platform/ids.ts';
import { type ItemStore, written } from '../records/item-store.ts';
import { type Delivery, isGone } from './delivery.ts';
import type { OutboundRecord } from './outbound-webhook.ts';

/** Tells the owner of a webhook that a delivery was given up. */
export type Alert = (delivery: Delivery, webhook: OutboundRecord) => Promise<void>;

/** It is stored here and published from the stream, so it is published whenever it is stored. */
export function ownerAlert(store: Pick<ItemStore, 'transact'>): Alert {
  return async (delivery, { id, document }) => {
    const last = delivery.attempts.at(-1)!;
    const notification = {
      // The same delivery makes the same notification, however often this happens.
      id: idFrom('notification', delivery.id),
      event: isGone(last) ? 'webhook.disabled' : 'webhook.delivery_failed',
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
  };
}
