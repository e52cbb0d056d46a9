import { inboundEventOperations } from '../../../contract/inbound-events.ts';
import { inboundRejectionOperations } from '../../../contract/inbound-rejections.ts';
import { inboundWebhookOperations } from '../../../contract/inbound-webhooks.ts';
import { createIdentification, identifyCaller } from '../../identity/authorizer.ts';
import { createIncidentRules } from '../../incidents/incident.ts';
import { createFeedStore } from '../../lists/feed-store.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { route } from '../../platform/http/route.ts';
import { memoize } from '../../platform/memoize.ts';
import { backoff } from '../../platform/retry.ts';
import { createSecretBox } from '../../platform/secret-box.ts';
import { createKeyedQueue } from '../../records/change-record.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../../records/wiring.ts';
import { loadLevels } from '../../sla/level-store.ts';
import type { InboundTools } from './events.ts';
import * as events from './events.ts';
import * as webhooks from './manage-webhooks.ts';
import {
  previewInboundWebhook as previewInboundWebhookUseCase,
  replayInboundEvent as replayInboundEventUseCase,
  testInboundWebhook as testInboundWebhookUseCase,
} from './process-event.ts';
import { createReceiveRoute, receiveInboundEvent as receiveInboundEventUseCase } from './receive-event.ts';
import { listInboundRejections as listRejections } from './rejections.ts';
import { confirmSubscription, loadCertificate } from './sns.ts';
import { inboundWebhookType } from './webhook.ts';

export const listInboundWebhooks = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const feed = createFeedStore(dynamodbClient(), RECORDS_TABLE, inboundWebhookType.name);
  return route(
    inboundWebhookOperations.listInboundWebhooks,
    webhooks.listInboundWebhooks(feed, createCursorSeal(), loadPublicUrl()),
  );
};

export const createInboundWebhook = () =>
  route(
    inboundWebhookOperations.createInboundWebhook,
    webhooks.createInboundWebhook(createRecordStore(), createSecretBox(), loadPublicUrl()),
  );

export const getInboundWebhook = () =>
  route(inboundWebhookOperations.getInboundWebhook, webhooks.getInboundWebhook(createRecordStore(), loadPublicUrl()));

export const updateInboundWebhook = () =>
  route(
    inboundWebhookOperations.updateInboundWebhook,
    webhooks.updateInboundWebhook(createChanger(inboundWebhookType), createSecretBox(), loadPublicUrl()),
  );

export const deleteInboundWebhook = () =>
  route(
    inboundWebhookOperations.deleteInboundWebhook,
    webhooks.deleteInboundWebhook(createChanger(inboundWebhookType)),
  );

export const rotateInboundSecret = () =>
  route(
    inboundWebhookOperations.rotateInboundSecret,
    webhooks.rotateInboundSecret(createChanger(inboundWebhookType), createSecretBox(), loadPublicUrl()),
  );

export const testInboundWebhook = () =>
  route(inboundEventOperations.testInboundWebhook, testInboundWebhookUseCase(createRecordStore()));

export const previewInboundWebhook = () =>
  route(inboundEventOperations.previewInboundWebhook, previewInboundWebhookUseCase(createRecordStore()));

export const listInboundRejections = () =>
  route(inboundRejectionOperations.listInboundRejections, listRejections(createRecordStore()));

/** The same TTL as the gateway's cache of the authorizer's response. */
const callerTtlMs = 5 * 60 * 1_000;
const certificateTtlMs = 24 * 60 * 60_000;

export const receiveInboundEvent = () => {
  const identification = createIdentification();
  const findCaller = (authorization: string) => identifyCaller(authorization, identification);
  const identify = memoize(findCaller, callerTtlMs, () => clock.now());
  const load = memoize(loadCertificate, certificateTtlMs, () => clock.now());
  const tools = { ...createInboundTools(), box: createSecretBox(), identify, loadCertificate: load };
  return createReceiveRoute(receiveInboundEventUseCase(tools));
};

export const listInboundEvents = () =>
  route(inboundEventOperations.listInboundEvents, events.listInboundEvents(createRecordStore(), createCursorSeal()));

export const getInboundEvent = () =>
  route(inboundEventOperations.getInboundEvent, events.getInboundEvent(createRecordStore()));

export const replayInboundEvent = () =>
  route(inboundEventOperations.replayInboundEvent, replayInboundEventUseCase(createInboundTools()));

function createInboundTools(): InboundTools {
  const { SERVICE_DOMAIN: serviceDomain } = env('SERVICE_DOMAIN');
  const rules = createIncidentRules(loadLevels());
  const store = createRecordStore();
  const change = createChanger(rules.resource, store);
  return {
    store,
    change,
    rules,
    confirmSubscription,
    clock,
    serviceDomain,
    runInOrder: createKeyedQueue(),
    wait: backoff,
  };
}

function loadPublicUrl(): string {
  const { ALLOWED_ORIGIN } = env('ALLOWED_ORIGIN');
  return ALLOWED_ORIGIN;
}
