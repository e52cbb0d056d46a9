import { filterView, type ServiceEvent } from '../events/event.ts';
import { passes } from './filter.ts';
import type { OutboundRecord } from './outbound-webhook.ts';

/** The webhooks that are to be told of an event. */
export function receiversOf(event: ServiceEvent, webhooks: readonly OutboundRecord[]): OutboundRecord[] {
  const subscribed = webhooks.filter((webhook) => isSubscribed(webhook, event));
  if (subscribed.length === 0) return [];
  const view = filterView(event);
  return subscribed.filter(({ document }) => passes(document.filters, view).passed);
}

/** What happened before a webhook was there is not its business, however late it is told. */
function isSubscribed({ id, created_at, document }: OutboundRecord, { type, at, origin }: ServiceEvent): boolean {
  if (!document.active || !document.events.includes(type) || at < created_at) return false;
  const own = origin.kind === 'webhook' && (origin.id === id || origin.id === document.inbound_webhook_id);
  return !own || origin.id === null || document.include_own;
}
