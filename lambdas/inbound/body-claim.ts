import type { Proof } from '../../contract/inbound-events.ts';
import type { ItemStore, Write } from '../records/item-store.ts';
import { keyOf, recordSortKey } from '../records/record-item.ts';
import type { InboundWebhookRecord } from './inbound-webhook.ts';

// A signature over the body alone says neither when nor how often the body was sent, so a recorded request could be sent
// again without limit. The first event with such a body claims it for 24 hours, in the transaction that stores the event.
// An unsigned id does not help: whoever replays a request can change its headers (docs/decisions/0039-replayed-events.md).
//
// | Access pattern                      | Call    | Key                                      |
// |-------------------------------------|---------|------------------------------------------|
// | the event that claimed a body       | GetItem | pk = body#<webhook id>#<hash>, sk = #    |

/**
 * `unique`: one event per body. `recorded`: a signed id tells events apart, but the body is claimed against replays
 * without that id. `none`: the body says nothing.
 */
export type BodyRule = 'unique' | 'recorded' | 'none';

const claimMs = 24 * 60 * 60_000;

export function bodyRule(proof: Proof, hasSignedId: boolean, { document }: InboundWebhookRecord): BodyRule {
  const signsBodyOnly = proof === 'service_signature' || proof === 'hub_signature';
  if (!signsBodyOnly || document.accept_repeated_bodies) return 'none';
  return hasSignedId ? 'recorded' : 'unique';
}

/** The id of the event that claimed the body; undefined when the body is free. */
export async function findClaim(
  store: Pick<ItemStore, 'get'>,
  webhookId: string,
  bodyHash: string,
  nowMs: number,
): Promise<string | undefined> {
  const item = await store.get(partitionKey(webhookId, bodyHash), recordSortKey);
  return item && Number(item.expires_at!.N) * 1_000 > nowMs ? item.event_id!.S : undefined;
}

/** With the rule `unique`, the write named `body` is refused while another event holds the claim. */
export function claimWrites(
  rule: BodyRule,
  event: { id: string; webhook_id: string },
  bodyHash: string,
  nowMs: number,
): Write[] {
  if (rule === 'none') return [];
  const put = {
    Item: {
      ...keyOf(partitionKey(event.webhook_id, bodyHash), recordSortKey),
      type: { S: 'inbound_body' },
      event_id: { S: event.id },
      expires_at: { N: String(Math.ceil((nowMs + claimMs) / 1_000)) },
    },
    ...(rule === 'unique' && {
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
    }),
  };
  return [{ name: 'body', put }];
}

function partitionKey(webhookId: string, bodyHash: string): string {
  return `body#${webhookId}#${bodyHash}`;
}
