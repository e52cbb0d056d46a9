import type { SecretBox } from '../platform/secret-box.ts';
import type { Delivery } from './delivery.ts';
import { type OutboundRecord, signingSecrets } from './outbound-webhook.ts';
import { hexSignature, standardWebhooksSignature } from './signature.ts';

export interface HeaderParts {
  /** The webhook's own headers, opened. */
  own: Readonly<Record<string, string>>;
  body: Uint8Array;
  box: Pick<SecretBox, 'open'>;
  nowMs: number;
  /** Of the service. */
  version: string;
}

/** The webhook's own headers with their values. Names in lower case, so that no header is sent twice. */
export async function openHeaders(
  { id, document }: OutboundRecord,
  box: Pick<SecretBox, 'open'>,
): Promise<Record<string, string>> {
  const entries = Object.entries(document.headers).map(
    async ([name, sealed]) => [name.toLowerCase(), await box.open(id, sealed)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** All headers of a delivery. */
export async function deliveryHeaders(
  { id, event, event_id, attempts }: Delivery,
  { id: webhookId, document }: OutboundRecord,
  { own, body, box, nowMs, version }: HeaderParts,
): Promise<Record<string, string>> {
  const seconds = Math.floor(nowMs / 1_000);
  const open = (sealed: string) => box.open(webhookId, sealed);
  const secrets = await Promise.all(signingSecrets(document, nowMs).map(open));
  return {
    'content-type': 'application/json',
    'user-agent': `incident-service/${version}`,
    ...own,
    'webhook-id': event_id,
    'webhook-timestamp': String(seconds),
    'x-service-event': event,
    'x-service-delivery': id,
    'x-service-attempt': String(attempts.length + 1),
    ...signatures(secrets, event_id, seconds, body),
  };
}

/** While a new secret replaces an old one, both sign. Only the Standard Webhooks header has room for several. */
function signatures(secrets: readonly string[], id: string, seconds: number, body: Uint8Array): Record<string, string> {
  const [newest, previous] = secrets;
  if (newest === undefined) return {};
  return {
    'x-service-signature': hexSignature(newest, body),
    ...(previous === undefined ? {} : { 'x-service-signature-previous': hexSignature(previous, body) }),
    'webhook-signature': secrets.map((secret) => standardWebhooksSignature(secret, id, seconds, body)).join(' '),
  };
}
