import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { inboundWebhookId } from '../../contract/inbound-webhooks.ts';
import { rateLimits } from '../../contract/rate-limits.ts';
import { type Exchange, type GatewayEvent, type GatewayResult, toResult } from '../platform/http/answer.ts';
import { admitted, type Platform } from '../platform/http/pipeline.ts';
import { header, isJson, rawBody } from '../platform/http/request-input.ts';
import { idFrom } from '../platform/ids.ts';
import { errorFields } from '../platform/log.ts';
import { uncounted } from '../platform/rate-limit/window.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from '../records/item-store.ts';
import { recordSortKey, toRecord } from '../records/record-item.ts';
import { bodyRule } from './body-claim.ts';
import type { InboundTools } from './event-outcome.ts';
import type { InboundWebhookDocument, InboundWebhookRecord } from './inbound-webhook.ts';
import { assertSize, parsePayload } from './payload.ts';
import { processEvent } from './process-event.ts';
import { type Gate, prove } from './proof.ts';
import { receivedAnswer } from './received-answer.ts';

// The public door. Its order is part of its safety: the webhook, the size, the proof, and only then anything that looks
// into the body. Events count against the limit of their webhook after the proof, so that strangers who know an address
// cannot use up what its sender may send.

export interface ReceiveTools extends InboundTools, Gate {
  store: Pick<ItemStore, 'get' | 'transact'>;
}

export type Receive = (event: GatewayEvent, exchange: Exchange, platform: Platform) => Promise<GatewayResult>;

export function receiveInboundEvent(tools: ReceiveTools): Receive {
  return async (event, exchange, platform) => {
    const webhook = await findWebhook(event, tools);
    const body = rawBody(event);
    assertSize(body);
    const knock = { body, header: (name: string) => header(event, name) };
    const proof = await prove(webhook, knock, tools);
    count(webhook, exchange, platform);
    await admitted(exchange, tools.clock);
    assertJson(knock.header('Content-Type'));
    const payload = parsePayload(body);
    const eventId = eventIdOf(webhook, knock.header);
    const rule = bodyRule(proof, knock.header('webhook-signature') !== undefined, webhook);
    const arrival = { webhook, eventId, body, payload, proof, bodyRule: rule, replayOf: null };
    const processed = await processEvent(arrival, tools);
    return toResult(inboundEventOperations.receiveInboundEvent, receivedAnswer(processed));
  };
}

/** Unknown, deleted and switched off look the same from outside. */
async function findWebhook(event: GatewayEvent, { store }: ReceiveTools): Promise<InboundWebhookRecord> {
  const id = inboundWebhookId.safeParse(event.pathParameters?.id).data;
  const item = id === undefined ? undefined : await store.get(id, recordSortKey);
  const webhook = item && toRecord<InboundWebhookDocument>(item);
  if (webhook && !webhook.deleted && webhook.document.active) return webhook;
  throw new ServiceError('not_found', 'There is no webhook at this URL.');
}

/** As for callers of the interface, a count that fails lets the event through (docs/decisions/0003). */
function count({ id }: InboundWebhookRecord, exchange: Exchange, { limiter, clock, log }: Platform): void {
  const limit = rateLimits.general;
  exchange.verdict = limiter.take(`webhook#${id}`, limit).catch((error: unknown) => {
    log('error', 'the event could not be counted', { request_id: exchange.requestId, ...errorFields(error) });
    return uncounted(clock.now(), limit);
  });
}

/** The same event has the same id, when its sender says which it is. */
function eventIdOf({ id }: InboundWebhookRecord, header: (name: string) => string | undefined): string | undefined {
  const given = header('webhook-id') ?? header('Idempotency-Key');
  return given ? idFrom('inboundEvent', `${id} ${given}`) : undefined;
}

function assertJson(contentType: string | undefined): void {
  if (contentType === undefined || isJson(contentType)) return;
  throw new ServiceError('unsupported_media_type', `The body must be application/json, not ${contentType}.`);
}
