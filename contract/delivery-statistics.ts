import * as z from 'zod';
import { deliveryId } from './deliveries.ts';
import { defineOperations } from './operation.ts';
import { cursor, pageSchema, timestamp } from './records.ts';
import { outboundWebhookId } from './webhook-settings.ts';

// The health of outbound webhooks. It covers the latest deliveries only, so that the cost of a request has a bound.

export const maxDeliveriesRead = 50;

const maxWebhooksPerPage = 50;

const count = (description: string) => z.int().min(0).max(maxDeliveriesRead).meta({ description });

const duration = (description: string) => z.int().min(0).nullable().meta({ description });

const deliveryStatistics = z
  .strictObject({
    webhook_id: outboundWebhookId,
    deliveries: count('Number of deliveries that the statistics cover.'),
    since: timestamp('Time of the oldest of these deliveries; null if there is none.').nullable(),
    delivered: count('Number of successful deliveries.'),
    failed: count('Number of failed deliveries.'),
    open: count('Number of deliveries that are pending or retrying.'),
    success_rate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Share of successful deliveries among the finished ones; null if none is finished.' }),
    median_ms: duration('Median duration of the attempts with a response; null if there was none.'),
    p95_ms: duration('95th percentile of these durations.'),
    last_error: z
      .strictObject({
        at: timestamp('Time of the attempt.'),
        delivery_id: deliveryId,
        status: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none.' }),
        error: z.string().meta({ description: 'Reason for the failure.' }),
      })
      .nullable()
      .meta({ description: 'Latest failed attempt; null if no attempt failed.' }),
  })
  .meta({
    id: 'DeliveryStatistics',
    description: `Statistics of the latest ${maxDeliveriesRead} deliveries of a webhook, without cancelled ones.`,
  });

export type DeliveryStatistics = z.infer<typeof deliveryStatistics>;

const example: DeliveryStatistics = {
  webhook_id: 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  deliveries: 50,
  since: '2026-02-28T08:00:00.000Z',
  delivered: 47,
  failed: 2,
  open: 1,
  success_rate: 0.9592,
  median_ms: 38,
  p95_ms: 212,
  last_error: {
    at: '2026-03-01T10:12:45.500Z',
    delivery_id: 'dlv_7ZQ3M9K0W4XB5T8N1RVC6JHF2D',
    status: 503,
    error: 'returned 503',
  },
};

export const deliveryStatisticsOperations = defineOperations({
  listDeliveryStatistics: {
    capability: 'webhooks',
    access: 'itsm_manager',
    rateLimit: 'general',
    method: 'GET',
    path: '/webhooks/outbound/statistics',
    summary: 'List the delivery statistics of outbound webhooks',
    description:
      `Success rate, latency and last error of each outbound webhook, newest webhook first, from its latest ` +
      `${maxDeliveriesRead} deliveries.`,
    query: z.strictObject({
      webhook_id: outboundWebhookId.optional().meta({ description: 'Only this webhook.' }),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(maxWebhooksPerPage)
        .default(maxWebhooksPerPage)
        .meta({ description: 'Maximum number of webhooks per page.', examples: [maxWebhooksPerPage] }),
      cursor,
    }),
    responses: {
      200: {
        description: 'A page of statistics.',
        body: pageSchema(deliveryStatistics, 'DeliveryStatisticsPage', 'A page of delivery statistics.'),
        example: { data: [example], total: 1 },
      },
    },
  },
});
