import type { SQSEvent } from 'aws-lambda';
import { deliveryOperations } from '../../contract/deliveries.ts';
import { outboundWebhookOperations } from '../../contract/outbound-webhooks.ts';
import { sfnClient } from '../platform/clients/sfn.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { remembered } from '../platform/remembered.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { recordSortKey, toRecord } from '../records/record-item.ts';
import { createChanger, createCursorSeal, createEventStore, createRecordStore } from '../records/wiring.ts';
import { ownerAlert } from './alert.ts';
import { attemptDeliveries as attempt, type WorkerTools } from './attempt-deliveries.ts';
import { createOutboundWebhook as createOutboundWebhookUseCase } from './create-outbound-webhook.ts';
import { deleteOutboundWebhook as deleteOutboundWebhookUseCase } from './delete-outbound-webhook.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { disableWebhook } from './disable-webhook.ts';
import { getDelivery as getDeliveryUseCase } from './get-delivery.ts';
import { getOutboundWebhook as getOutboundWebhookUseCase } from './get-outbound-webhook.ts';
import { listDeliveries as listDeliveriesUseCase } from './list-deliveries.ts';
import { listOutboundWebhooks as listOutboundWebhooksUseCase } from './list-outbound-webhooks.ts';
import { type OutboundDocument, outboundWebhookType } from './outbound-webhook.ts';
import { outboundWebhookList } from './outbound-webhook-list.ts';
import { receiver } from './receiver.ts';
import { addressRule, type LoopbackRule } from './receiver-address.ts';
import { recoverDeliveries as recoverDeliveriesUseCase } from './recover-deliveries.ts';
import { redriveDeliveries as redrive } from './redrive-deliveries.ts';
import { replayDelivery as replayDeliveryUseCase } from './replay-delivery.ts';
import { type RetryMachine, retryMachine } from './retry-machine.ts';
import { rotateOutboundSecret as rotateOutboundSecretUseCase } from './rotate-outbound-secret.ts';
import { watchReceivers } from './slow-receivers.ts';
import { testOutboundWebhook as testOutboundWebhookUseCase } from './test-outbound-webhook.ts';
import { updateOutboundWebhook as updateOutboundWebhookUseCase } from './update-outbound-webhook.ts';
import { createDeliveryTools } from './wiring.ts';

export const listOutboundWebhooks = () =>
  route(
    outboundWebhookOperations.listOutboundWebhooks,
    listOutboundWebhooksUseCase(outboundWebhookList(createRecordStore()), createCursorSeal()),
  );

export const createOutboundWebhook = () =>
  route(
    outboundWebhookOperations.createOutboundWebhook,
    createOutboundWebhookUseCase(createRecordStore(), createSecretBox(), loopbackRule()),
  );

export const getOutboundWebhook = () =>
  route(outboundWebhookOperations.getOutboundWebhook, getOutboundWebhookUseCase(createRecordStore()));

export const updateOutboundWebhook = () => {
  const store = createRecordStore();
  const change = createChanger(outboundWebhookType, store);
  return route(
    outboundWebhookOperations.updateOutboundWebhook,
    updateOutboundWebhookUseCase(store, change, createSecretBox(), loopbackRule()),
  );
};

export const deleteOutboundWebhook = () =>
  route(
    outboundWebhookOperations.deleteOutboundWebhook,
    deleteOutboundWebhookUseCase(createChanger(outboundWebhookType)),
  );

export const rotateOutboundSecret = () =>
  route(
    outboundWebhookOperations.rotateOutboundSecret,
    rotateOutboundSecretUseCase(createChanger(outboundWebhookType), createSecretBox()),
  );

export const testOutboundWebhook = () => {
  const { SERVICE_INSTANCE: serviceInstance, ALLOWED_ORIGIN: publicUrl } = env('SERVICE_INSTANCE', 'ALLOWED_ORIGIN');
  return route(
    deliveryOperations.testOutboundWebhook,
    testOutboundWebhookUseCase({ ...createDeliveryTools(), serviceInstance, publicUrl }),
  );
};

export const listDeliveries = () =>
  route(
    deliveryOperations.listDeliveries,
    listDeliveriesUseCase(createRecordStore(), createEventStore(), createCursorSeal()),
  );

export const getDelivery = () =>
  route(deliveryOperations.getDelivery, getDeliveryUseCase(createRecordStore(), createDeliveryStore()));

export const replayDelivery = () =>
  route(deliveryOperations.replayDelivery, replayDeliveryUseCase(createDeliveryTools()));

export const recoverDeliveries = () =>
  route(deliveryOperations.recoverDeliveries, recoverDeliveriesUseCase(createDeliveryTools()));

/** Deactivating a webhook stops deliveries in progress within this time. */
const webhookCacheMs = 1_000;

export const attemptDeliveries = () => {
  const { SERVICE_VERSION: version } = env('SERVICE_VERSION');
  const records = createRecordStore();
  const tools: WorkerTools = {
    deliveries: createDeliveryStore(),
    findWebhook: remembered(
      async (webhookId) => {
        const item = await records.get(webhookId, recordSortKey);
        return item && toRecord<OutboundDocument>(item);
      },
      webhookCacheMs,
      clock.now,
    ),
    post: receiver(addressRule(loopbackRule())),
    watch: watchReceivers(records, clock, log),
    box: createSecretBox(),
    alert: ownerAlert(records),
    disable: disableWebhook(createChanger(outboundWebhookType, records)),
    machine: createRetryMachine(),
    clock,
    log,
    version,
  };
  return (batch: SQSEvent) => attempt(batch, tools);
};

export const redriveDeliveries = () => {
  const tools = { ...createDeliveryTools(), machine: createRetryMachine(), log };
  return () => redrive(tools);
};

function createRetryMachine(): RetryMachine {
  const { RETRY_MACHINE } = env('RETRY_MACHINE');
  return retryMachine(sfnClient(), RETRY_MACHINE);
}

function loopbackRule(): LoopbackRule {
  const { LOOPBACK_RECEIVERS } = env('LOOPBACK_RECEIVERS');
  return LOOPBACK_RECEIVERS as LoopbackRule;
}
