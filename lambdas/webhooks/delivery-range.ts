import type { DeliveredType, DeliveryStatus } from '../../contract/deliveries.ts';
import { kept } from '../events/event-item.ts';
import type { Item, Range } from '../records/item-store.ts';
import { deliveryPrefix } from './delivery-item.ts';
import type { OutboundRecord } from './outbound-webhook.ts';

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: DeliveredType | undefined;
}

/** The deliveries of a webhook, newest first, that pass a filter. What is stored as open may have been stopped. */
export function deliveryRange(webhook: OutboundRecord, { status, event }: DeliveryFilter, nowMs: number): Range {
  const { expression, names, values } = kept(nowMs);
  const conditions = [
    expression,
    ...(event ? ['#event = :event'] : []),
    ...(status ? [statusIs(status, webhook)] : []),
  ];
  const used = conditions.join(' AND ');
  const attributes = { '#event': 'event', '#status': 'status', '#created': 'created_at' };
  const operands: Item = {
    ':event': { S: event ?? '' },
    ':status': { S: status ?? '' },
    ':ping': { S: 'ping' },
    ':pending': { S: 'pending' },
    ':retrying': { S: 'retrying' },
    ':since': { S: webhook.document.active_since },
  };
  // DynamoDB refuses names and values that no condition uses.
  return {
    pk: webhook.id,
    prefix: deliveryPrefix,
    filter: {
      expression: used,
      names: { ...names, ...usedIn(used, attributes) },
      values: { ...values, ...usedIn(used, operands) },
    },
  };
}

/** The same rule as `isStopped`, in the words of DynamoDB. */
function statusIs(status: DeliveryStatus, { document }: OutboundRecord): string {
  const wanted = document.active ? '(#event = :ping OR #created >= :since)' : '#event = :ping';
  if (status === 'pending' || status === 'retrying') return `#status = :status AND ${wanted}`;
  if (status !== 'cancelled') return '#status = :status';
  return `(#status = :status OR (#status IN (:pending, :retrying) AND NOT ${wanted}))`;
}

function usedIn<Value>(text: string, all: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(text)));
}
