import type { SQSEvent } from 'aws-lambda';
import { deliveryOperations } from '../../../contract/deliveries.ts';
import { deliveryStatisticsOperations } from '../../../contract/delivery-statistics.ts';
import { outboundWebhookOperations } from '../../../contract/outbound-webhooks.ts';
import { sfnClient } from '../../platform/clients/sfn.ts';
import { sqsClient } from '../../platform/clients/sqs.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { route } from '../../platform/http/route.ts';
import { log } from '../../platform/log.ts';
import { memoize } from '../../platform/memoize.ts';
import { createTableLimiter } from '../../platform/rate-limit/rate-limit-store.ts';
import { createSecretBox } from '../../platform/secret-box.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { createChanger, createCursorSeal, createEventStore, createRecordStore } from '../../records/wiring.ts';
import { attemptDeliveries as attempt, createOwnerAlert, type WorkerTools } from './attempt-deliveries.ts';
import { createDeliveryLimiter } from './delivery-limiter.ts';
import { createDeliveryTools, createSqsDeliveryQueue } from './delivery-queue.ts';
import { listDeliveryStatistics as listStatistics } from './delivery-statistics.ts';
import { createDeliveryStore } from './delivery-store.ts';
import * as deliveries from './manage-deliveries.ts';
import * as webhooks from './manage-webhooks.ts';
import { createReceiverClient } from './receiver.ts';
import { createAddressRule, type LoopbackRule } from './receiver-address.ts';
import { createRetryStarter } from './retry-machine.ts';
import { createRetryScheduler, type ScheduleRetry } from './schedule-retry.ts';
import { createSlowReceiverWatch } from './slow-receivers.ts';
import { type OutboundDocument, outboundWebhookType } from './webhook.ts';
import { createOutboundWebhookList, disableWebhook } from './webhook-list.ts';

export const listOutboundWebhooks = () =>
  route(
    outboundWebhookOperations.listOutboundWebhooks,
    webhooks.listOutboundWebhooks(createOutboundWebhookList(createRecordStore()), createCursorSeal()),
  );

export const createOutboundWebhook = () =>
  route(
    outboundWebhookOperations.createOutboundWebhook,
    webhooks.createOutboundWebhook(createRecordStore(), createSecretBox(), loadLoopbackRule()),
  );

export const getOutboundWebhook = () =>
  route(outboundWebhookOperations.getOutboundWebhook, webhooks.getOutboundWebhook(createRecordStore()));

export const updateOutboundWebhook = () => {
  const store = createRecordStore();
  const change = createChanger(outboundWebhookType, store);
  return route(
    outboundWebhookOperations.updateOutboundWebhook,
    webhooks.updateOutboundWebhook(store, change, createSecretBox(), loadLoopbackRule()),
  );
};

export const deleteOutboundWebhook = () =>
  route(
    outboundWebhookOperations.deleteOutboundWebhook,
    webhooks.deleteOutboundWebhook(createChanger(outboundWebhookType)),
  );

export const rotateOutboundSecret = () =>
  route(
    outboundWebhookOperations.rotateOutboundSecret,
    webhooks.rotateOutboundSecret(createChanger(outboundWebhookType), createSecretBox()),
  );

export const testOutboundWebhook = () => {
  const { SERVICE_INSTANCE: serviceInstance, ALLOWED_ORIGIN: publicUrl } = env('SERVICE_INSTANCE', 'ALLOWED_ORIGIN');
  return route(
    deliveryOperations.testOutboundWebhook,
    deliveries.testOutboundWebhook({ ...createDeliveryTools(), serviceInstance, publicUrl }),
  );
};

export const listDeliveries = () =>
  route(
    deliveryOperations.listDeliveries,
    deliveries.listDeliveries(createRecordStore(), createEventStore(), createCursorSeal()),
  );

export const listDeliveryStatistics = () =>
  route(
    deliveryStatisticsOperations.listDeliveryStatistics,
    listStatistics(createOutboundWebhookList(createRecordStore()), createDeliveryStore(), createCursorSeal()),
  );

export const getDelivery = () =>
  route(deliveryOperations.getDelivery, deliveries.getDelivery(createRecordStore(), createDeliveryStore()));

export const replayDelivery = () =>
  route(deliveryOperations.replayDelivery, deliveries.replayDelivery(createDeliveryTools()));

export const recoverDeliveries = () =>
  route(deliveryOperations.recoverDeliveries, deliveries.recoverDeliveries(createDeliveryTools()));

/** Deactivating a webhook stops deliveries in progress within this time. */
const webhookCacheMs = 1_000;

export const attemptDeliveries = () => {
  const { SERVICE_VERSION: version } = env('SERVICE_VERSION');
  const records = createRecordStore();
  const tools: WorkerTools = {
    deliveries: createDeliveryStore(),
    findWebhook: memoize(
      async (webhookId) => {
        const item = await records.get(webhookId, recordSortKey);
        return item && toRecord<OutboundDocument>(item);
      },
      webhookCacheMs,
      clock.now,
    ),
    post: createReceiverClient(createAddressRule(loadLoopbackRule())),
    watch: createSlowReceiverWatch(records, clock, log),
    box: createSecretBox(),
    alert: createOwnerAlert(records),
    disable: disableWebhook(createChanger(outboundWebhookType, records)),
    scheduleRetry: createScheduler(),
    limit: createDeliveryLimiter(),
    clock,
    log,
    version,
  };
  return (batch: SQSEvent) => attempt(batch, tools);
};

export const redriveDeliveries = () => {
  const tools = { ...createDeliveryTools(), log };
  return () => deliveries.redriveDeliveries(tools);
};

function createScheduler(): ScheduleRetry {
  const { RETRY_MACHINE, ...urls } = env('RETRY_MACHINE', 'RETRY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL');
  const queueUrls = { retry: urls.RETRY_QUEUE_URL, slow: urls.SLOW_DELIVERY_QUEUE_URL };
  const queue = createSqsDeliveryQueue(sqsClient(), queueUrls);
  const start = createRetryStarter(sfnClient(), RETRY_MACHINE);
  return createRetryScheduler({ queue, queueUrls, start, limiter: createTableLimiter(), clock, log });
}

function loadLoopbackRule(): LoopbackRule {
  const { LOOPBACK_RECEIVERS } = env('LOOPBACK_RECEIVERS');
  return LOOPBACK_RECEIVERS as LoopbackRule;
}
