import { localPart } from '../identity/authorizer.ts';
import type { Author } from '../records/record.ts';
import type { InboundWebhookRecord } from './inbound-webhook.ts';

/** What a webhook writes has an address below the service's domain, like that of clients, and names the webhook. */
export function webhookAuthor(
  { id, document }: Pick<InboundWebhookRecord, 'id' | 'document'>,
  serviceDomain: string,
): Author {
  const name = localPart(document.name).slice(0, longestLocalPart) || id;
  return { actor: `${name}@webhooks.${serviceDomain}`, origin: { kind: 'webhook', id } };
}

const longestLocalPart = 64;
