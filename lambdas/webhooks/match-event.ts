import { filterView, type ServiceEvent } from '../events/event.ts';
import { passes } from './filter.ts';
import { type OutboundRecord, wants } from './outbound-webhook.ts';

/** The webhooks that are to be told of an event. */
export function receiversOf(event: ServiceEvent, webhooks: readonly OutboundRecord[]): OutboundRecord[] {
  const subscribed = webhooks.filter((webhook) => isSubscribed(webhook, event));
  if (subscribed.length === 0) return [];
  const view = filterView(event);
  return subscribed.filter(({ document }) => passes(document.filters, view).passed);
}

function isSubscribed(webhook: OutboundRecord, event: ServiceEvent): boolean {
  const { document } = webhook;
  if (!wants(document, event.at) || !document.events.includes(event.type)) return false;
  return document.include_own || !isOwn(webhook, event);
}

/** Whether the receiver made the change itself: through its inbound webhook, or as the API client that it is. */
function isOwn({ id, document }: OutboundRecord, { origin }: ServiceEvent): boolean {
  if (origin.kind === 'webhook') return origin.id !== null && [id, document.inbound_webhook_id].includes(origin.id);
  return origin.client !== undefined && origin.client === document.client_id;
}
