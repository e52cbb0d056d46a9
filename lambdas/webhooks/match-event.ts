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

function isSubscribed({ id, document }: OutboundRecord, { type, at, origin }: ServiceEvent): boolean {
  if (!wants(document, at) || !document.events.includes(type)) return false;
  const own = origin.kind === 'webhook' && (origin.id === id || origin.id === document.inbound_webhook_id);
  return !own || origin.id === null || document.include_own;
}
