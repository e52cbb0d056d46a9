import type { Attempt } from '../../../contract/deliveries.ts';
import { type DeliveryStatistics, maxDeliveriesRead } from '../../../contract/delivery-statistics.ts';
import type { routes } from '../../../contract/routes.ts';
import { cutPageOfAll } from '../../lists/feed-store.ts';
import type { UseCase } from '../../platform/http/response.ts';
import type { CursorSeal } from '../../records/page.ts';
import { type Delivery, isOpen, toVisibleDelivery } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { OutboundRecord } from './webhook.ts';
import type { OutboundWebhookList } from './webhook-list.ts';

/** Limits the parallel queries of a request: one per webhook and partition. */
const maxConcurrency = 4;

export function listDeliveryStatistics(
  webhooks: Pick<OutboundWebhookList, 'all'>,
  deliveries: Pick<DeliveryStore, 'latest'>,
  seal: CursorSeal,
): UseCase<typeof routes.listDeliveryStatistics> {
  return async ({ query: { webhook_id: only, ...query } }, { clock }) => {
    const all = await webhooks.all();
    const chosen = only === undefined ? all : all.filter(({ id }) => id === only);
    const { data: page, ...rest } = cutPageOfAll(chosen, query, seal, `statistics ${only ?? ''}`, (record) => record);
    const data: DeliveryStatistics[] = [];
    for (let start = 0; start < page.length; start += maxConcurrency) {
      const some = page.slice(start, start + maxConcurrency).map(async (webhook) => {
        const latest = await deliveries.latest(webhook.id, maxDeliveriesRead, clock.now());
        return summarizeDeliveries(webhook, latest);
      });
      data.push(...(await Promise.all(some)));
    }
    return { status: 200, body: { data, ...rest } };
  };
}

/** `latest` has the newest delivery first. */
export function summarizeDeliveries(webhook: OutboundRecord, latest: readonly Delivery[]): DeliveryStatistics {
  const counted = latest
    .map((delivery) => toVisibleDelivery(delivery, webhook))
    .filter(({ status }) => status !== 'cancelled');
  const delivered = counted.filter(({ status }) => status === 'delivered').length;
  const failed = counted.filter(({ status }) => status === 'failed').length;
  const durations = counted
    .flatMap(({ attempts }) => attempts)
    .filter(({ status }) => status !== null)
    .map(({ duration_ms }) => duration_ms)
    .sort((a, b) => a - b);
  return {
    webhook_id: webhook.id,
    deliveries: counted.length,
    since: counted.at(-1)?.created_at ?? null,
    delivered,
    failed,
    open: counted.filter(isOpen).length,
    success_rate: delivered + failed === 0 ? null : Number((delivered / (delivered + failed)).toFixed(4)),
    median_ms: getPercentile(durations, 0.5),
    p95_ms: getPercentile(durations, 0.95),
    last_error: findLastError(counted),
  };
}

/** The nearest rank; null without values. */
function getPercentile(ascending: readonly number[], share: number): number | null {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? null;
}

function findLastError(deliveries: readonly Delivery[]): DeliveryStatistics['last_error'] {
  let last: { delivery_id: string; attempt: Attempt } | undefined;
  for (const { id, attempts } of deliveries) {
    for (const attempt of attempts) {
      if (attempt.error !== null && (!last || attempt.at > last.attempt.at)) last = { delivery_id: id, attempt };
    }
  }
  if (!last) return null;
  const { at, status, error } = last.attempt;
  return { at, delivery_id: last.delivery_id, status, error: error ?? '' };
}
