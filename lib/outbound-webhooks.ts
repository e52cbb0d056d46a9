import type { deliveryOperations } from '../contract/deliveries.ts';
import type { deliveryStatisticsOperations } from '../contract/delivery-statistics.ts';
import type { eventOperations } from '../contract/events.ts';
import type { notificationOperations } from '../contract/notifications.ts';
import type { outboundWebhookOperations } from '../contract/outbound-webhooks.ts';
import type { EventLog } from './event-log.ts';
import { type Grant, grantAll } from './functions.ts';
import type { Records } from './records.ts';
import type { Secrets } from './secrets.ts';
import { type WebhookDelivery, webhookIds } from './webhook-delivery.ts';

export interface OutboundWebhooksProps {
  records: Records;
  secrets: Secrets;
  eventLog: EventLog;
  webhookDelivery: WebhookDelivery;
}

type Permissions<Operations> = Record<keyof Operations, Grant>;

/** The permissions of each operation. Functions that create secrets may seal them; only deliveries open them. */
export function buildOutboundPermissions({
  records,
  secrets,
  webhookDelivery,
}: OutboundWebhooksProps): Permissions<typeof outboundWebhookOperations> {
  const readAndWrite = grantAll(records.grantGet, records.grantWrite);
  return {
    listOutboundWebhooks: records.grantQuery,
    createOutboundWebhook: (fn) => {
      records.grantWrite(fn);
      secrets.grantSeal(fn, webhookIds);
      // A retried request gets the same response, with the secret that was sealed.
      secrets.grantOpen(fn, webhookIds);
      webhookDelivery.configureReceivers(fn);
    },
    getOutboundWebhook: records.grantGet,
    updateOutboundWebhook: grantAll(
      readAndWrite,
      (fn) => secrets.grantSeal(fn, webhookIds),
      webhookDelivery.configureReceivers,
    ),
    deleteOutboundWebhook: readAndWrite,
    rotateOutboundSecret: grantAll(readAndWrite, (fn) => secrets.grantSeal(fn, webhookIds)),
  };
}

export function buildEventPermissions({
  records,
  eventLog,
  webhookDelivery,
}: OutboundWebhooksProps): Permissions<
  typeof deliveryOperations &
    typeof deliveryStatisticsOperations &
    typeof eventOperations &
    typeof notificationOperations
> {
  const deliver = webhookDelivery.grantQueue;
  const readAndWrite = grantAll(records.grantGet, records.grantWrite);
  return {
    testOutboundWebhook: deliver,
    listDeliveries: grantAll(records.grantGet, eventLog.grantListDeliveries, records.grantCursors),
    getDelivery: grantAll(records.grantGet, eventLog.grantGet),
    listDeliveryStatistics: grantAll(records.grantQuery, eventLog.grantQuery),
    replayDelivery: deliver,
    recoverDeliveries: grantAll(deliver, eventLog.grantListDeliveries),
    listEvents: grantAll(eventLog.grantGet, eventLog.grantQuery, records.grantBatchGet),
    listNotifications: grantAll(records.grantGet, records.grantQuery, records.grantBatchGet),
    readNotification: grantAll(readAndWrite, records.grantBatchGet),
    readAllNotifications: grantAll(readAndWrite, records.grantQuery),
    getNotificationSettings: records.grantGet,
    updateNotificationSettings: grantAll(records.grantGet, records.grantWrite),
  };
}
