import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { createIdentification } from '../identity/wiring.ts';
import { incidentType } from '../incidents/incident.ts';
import { feedStore } from '../lists/feed-store.ts';
import { backoff } from '../platform/backoff.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadSlaPolicy } from '../sla/sla.ts';
import { createInboundWebhook as createInboundWebhookUseCase } from './create-inbound-webhook.ts';
import { deleteInboundWebhook as deleteInboundWebhookUseCase } from './delete-inbound-webhook.ts';
import type { InboundTools } from './event-outcome.ts';
import { getInboundEvent as getInboundEventUseCase } from './get-inbound-event.ts';
import { getInboundWebhook as getInboundWebhookUseCase } from './get-inbound-webhook.ts';
import { inboundWebhookType } from './inbound-webhook.ts';
import { listInboundEvents as listInboundEventsUseCase } from './list-inbound-events.ts';
import { listInboundWebhooks as listInboundWebhooksUseCase } from './list-inbound-webhooks.ts';
import { receiveInboundEvent as receiveInboundEventUseCase } from './receive-inbound-event.ts';
import { receiveRoute } from './receive-route.ts';
import { replayInboundEvent as replayInboundEventUseCase } from './replay-inbound-event.ts';
import { rotateInboundSecret as rotateInboundSecretUseCase } from './rotate-inbound-secret.ts';
import { testInboundWebhook as testInboundWebhookUseCase } from './test-inbound-webhook.ts';
import { updateInboundWebhook as updateInboundWebhookUseCase } from './update-inbound-webhook.ts';

export const listInboundWebhooks = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const feed = feedStore(dynamodbClient(), RECORDS_TABLE, inboundWebhookType.name);
  return route(
    inboundWebhookOperations.listInboundWebhooks,
    listInboundWebhooksUseCase(feed, createCursorSeal(), publicUrl()),
  );
};

export const createInboundWebhook = () =>
  route(
    inboundWebhookOperations.createInboundWebhook,
    createInboundWebhookUseCase(createRecordStore(), createSecretBox(), publicUrl()),
  );

export const getInboundWebhook = () =>
  route(inboundWebhookOperations.getInboundWebhook, getInboundWebhookUseCase(createRecordStore(), publicUrl()));

export const updateInboundWebhook = () =>
  route(
    inboundWebhookOperations.updateInboundWebhook,
    updateInboundWebhookUseCase(createChanger(inboundWebhookType), createSecretBox(), publicUrl()),
  );

export const deleteInboundWebhook = () =>
  route(inboundWebhookOperations.deleteInboundWebhook, deleteInboundWebhookUseCase(createChanger(inboundWebhookType)));

export const rotateInboundSecret = () =>
  route(
    inboundWebhookOperations.rotateInboundSecret,
    rotateInboundSecretUseCase(createChanger(inboundWebhookType), createSecretBox(), publicUrl()),
  );

export const testInboundWebhook = () =>
  route(inboundEventOperations.testInboundWebhook, testInboundWebhookUseCase(createRecordStore()));

export const receiveInboundEvent = () =>
  receiveRoute(
    receiveInboundEventUseCase({
      ...createInboundTools(),
      box: createSecretBox(),
      identification: createIdentification(),
    }),
  );

export const listInboundEvents = () =>
  route(inboundEventOperations.listInboundEvents, listInboundEventsUseCase(createRecordStore(), createCursorSeal()));

export const getInboundEvent = () =>
  route(inboundEventOperations.getInboundEvent, getInboundEventUseCase(createRecordStore()));

export const replayInboundEvent = () =>
  route(inboundEventOperations.replayInboundEvent, replayInboundEventUseCase(createInboundTools()));

function createInboundTools(): InboundTools {
  const { SERVICE_DOMAIN: serviceDomain } = env('SERVICE_DOMAIN');
  const policy = loadSlaPolicy();
  const store = createRecordStore();
  const change = createChanger(incidentType(policy), store);
  return { store, change, policy, clock, serviceDomain, inTurn: oneAtATime(), wait: backoff };
}

function publicUrl(): string {
  const { ALLOWED_ORIGIN } = env('ALLOWED_ORIGIN');
  return ALLOWED_ORIGIN;
}
