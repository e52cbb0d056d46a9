import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord, notFound } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { findEvent, type StoredEvent } from './event-item.ts';
import type { InboundWebhookDocument, InboundWebhookRecord } from './inbound-webhook.ts';
import { parsePayload } from './payload.ts';

export function getInboundEvent(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getInboundEvent> {
  return async ({ params }, { clock }) => {
    const { stored } = await findEventOf(store, params, clock.now());
    return { status: 200, body: { ...stored.event, payload: parsePayload(stored.body()) } };
  };
}

/** An event is found below its own webhook only, and as long as that exists. */
export async function findEventOf(
  store: Pick<ItemStore, 'get'>,
  params: { id: string; event_id: string },
  nowMs: number,
): Promise<{ webhook: InboundWebhookRecord; stored: StoredEvent }> {
  const [webhook, stored] = await Promise.all([
    findRecord<InboundWebhookDocument>(store, params.id),
    findEvent(store, params.event_id, nowMs),
  ]);
  if (stored?.event.webhook_id !== webhook.id) throw notFound(params.event_id);
  return { webhook, stored };
}
