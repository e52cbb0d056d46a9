import type { ErrorCode } from '../../../contract/errors.ts';
import { type InboundRejection, maxRejections, type RejectionReason } from '../../../contract/inbound-rejections.ts';
import type { routes } from '../../../contract/routes.ts';
import { toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { findRecord } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { type Item, readNumber, readString } from '../../records/items.ts';
import { toItemKey } from '../../records/record-item.ts';

// The last rejected calls of a webhook, for its owner. Anybody who knows the URL can cause them, so there is one item per
// webhook, at most one write per second, and no data from the sender (docs/decisions/0013-inbound-webhooks.md).
//
// | Access pattern                | Call    | Key                              |
// |-------------------------------|---------|----------------------------------|
// | rejected calls of a webhook   | GetItem | pk = webhook id, sk = rejections |

const sortKey = 'rejections';

const retentionMs = 7 * 24 * 60 * 60_000;

/** Minimum time until a full list is replaced. */
const minTurnoverMs = maxRejections * 1_000;

/** An error whose reason only the owner of the webhook sees. */
export class RejectedCall extends ServiceError {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, code: ErrorCode, detail: string) {
    super(code, detail);
    this.reason = reason;
  }
}

const reasons: Readonly<Partial<Record<ErrorCode, RejectionReason>>> = {
  payload_too_large: 'too_large',
  malformed_json: 'not_json',
  unsupported_media_type: 'not_json',
  rate_limited: 'rate_limited',
  idempotency_key_reused: 'key_reused',
};

/** Undefined for errors that the sender did not cause, and for errors that are stored with the event. */
export function toRejection(error: unknown, sizeBytes: number, nowMs: number): InboundRejection | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const reason = error instanceof RejectedCall ? error.reason : reasons[error.code];
  return reason && { at: toIso(nowMs), reason, status: error.status, size_bytes: sizeBytes };
}

/** Drops the rejection if there are too many, or if another one is stored at the same time. */
export async function storeRejection(
  store: Pick<ItemStore, 'get' | 'transact'>,
  webhookId: string,
  rejection: InboundRejection,
  nowMs: number,
): Promise<void> {
  const item = await store.get(webhookId, sortKey);
  const before = item ? toRejections(item) : [];
  const oldest = before[maxRejections - 1];
  if (oldest && nowMs - Date.parse(oldest.at) < minTurnoverMs) return;
  const version = item ? readNumber(item, 'version') : 0;
  const put = {
    Item: {
      ...toItemKey(webhookId, sortKey),
      rejections: { S: JSON.stringify([rejection, ...before].slice(0, maxRejections)) },
      version: { N: String(version + 1) },
      expires_at: { N: String(Math.ceil((nowMs + retentionMs) / 1_000)) },
    },
    ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
    ExpressionAttributeValues: { ':version': { N: String(version) } },
  };
  await store.transact([{ name: 'rejection', put }]);
}

export function listInboundRejections(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.listInboundRejections> {
  return async ({ params: { id } }, { clock }) => {
    const [item] = await Promise.all([store.get(id, sortKey), findRecord(store, id)]);
    // DynamoDB deletes expired items later.
    const isRetained = item !== undefined && readNumber(item, 'expires_at') * 1_000 > clock.now();
    const data = isRetained ? toRejections(item) : [];
    return { status: 200, body: { data, total: data.length } };
  };
}

function toRejections(item: Item): InboundRejection[] {
  return JSON.parse(readString(item, 'rejections'));
}
