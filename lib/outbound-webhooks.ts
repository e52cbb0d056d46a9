import type { deliveryOperations } from '../contract/deliveries.ts';
import type { deliveryStatisticsOperations } from '../contract/delivery-statistics.ts';
import type { eventOperations } from '../contract/events.ts';
import type { notificationOperations } from '../contract/notifications.ts';
import type { outboundWebhookOperations } from '../contract/outbound-webhooks.ts';
import type { EventLog } from './event-log.ts';
import type { ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';
import type { Secrets } from './secrets.ts';
import { type WebhookDelivery, webhookIds } from './webhook-delivery.ts';

export interface OutboundWebhooksProps {
  records: Records;
  secrets: Secrets;
  eventLog: EventLog;
  webhookDelivery: WebhookDelivery;
}

type Permissions<Operations> = Record<keyof Operations, (fn: ServiceFunction) => void>;

/** The permissions of each operation. Functions that create secrets may seal them; only deliveries open them. */
export function buildOutboundPermissions({
  records,
  secrets,
  webhookDelivery,
}: OutboundWebhooksProps): Permissions<typeof outboundWebhookOperations> {
  const readAndWrite = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantWrite(fn);
  };
  return {
    listOutboundWebhooks: (fn) => records.grantQuery(fn),
    createOutboundWebhook: (fn) => {
      records.grantWrite(fn);
      secrets.grantSeal(fn, webhookIds);
      // A retried request gets the same response, with the secret that was sealed.
      secrets.grantOpen(fn, webhookIds);
      webhookDelivery.configureReceivers(fn);
    },
    getOutboundWebhook: (fn) => records.grantGet(fn),
    updateOutboundWebhook: (fn) => {
      readAndWrite(fn);
      secrets.grantSeal(fn, webhookIds);
      webhookDelivery.configureReceivers(fn);
    },
    deleteOutboundWebhook: readAndWrite,
    rotateOutboundSecret: (fn) => {
      readAndWrite(fn);
      secrets.grantSeal(fn, webhookIds);
    },
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
  const deliver = (fn: ServiceFunction) => webhookDelivery.grantQueue(fn);
  const readAndWrite = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantWrite(fn);
  };
  return {
    testOutboundWebhook: deliver,
    listDeliveries: (fn) => {
      records.grantGet(fn);
      eventLog.grantListDeliveries(fn);
      records.grantCursors(fn);
    },
    getDelivery: (fn) => {
      records.grantGet(fn);
      eventLog.grantGet(fn);
    },
    listDeliveryStatistics: (fn) => {
      records.grantQuery(fn);
      eventLog.grantQuery(fn);
    },
    replayDelivery: deliver,
    recoverDeliveries: (fn) => {
      deliver(fn);
      eventLog.grantListDeliveries(fn);
    },
    listEvents: (fn) => {
      eventLog.grantGet(fn);
      eventLog.grantQuery(fn);
      records.grantBatchGet(fn);
    },
    listNotifications: (fn) => {
      records.grantGet(fn);
      records.grantQuery(fn);
      records.grantBatchGet(fn);
    },
    readNotification: (fn) => {
      readAndWrite(fn);
      records.grantBatchGet(fn);
    },
    readAllNotifications: (fn) => {
      readAndWrite(fn);
      records.grantQuery(fn);
    },
    getNotificationSettings: (fn) => records.grantGet(fn),
    updateNotificationSettings: (fn) => {
      records.grantGet(fn);
      records.grantWrite(fn);
    },
  };
}
