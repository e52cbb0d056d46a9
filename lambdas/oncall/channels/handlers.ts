import type { SQSEvent } from 'aws-lambda';
import { contactMethodOperations, notificationRuleOperations } from '../../../contract/contact-methods.ts';
import { createDirectory } from '../../identity/directory.ts';
import { cognitoClient } from '../../platform/clients/cognito.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { route } from '../../platform/http/route.ts';
import { log } from '../../platform/log.ts';
import { memoize } from '../../platform/memoize.ts';
import { createTableLimiter } from '../../platform/rate-limit/rate-limit-store.ts';
import { createSecretBox } from '../../platform/secret-box.ts';
import { createEventStore, createRecordStore } from '../../records/wiring.ts';
import type { LoopbackRule } from '../../webhooks/outbound/receiver-address.ts';
import { createChannels, listAvailableKinds } from './channels.ts';
import * as contacts from './manage-contacts.ts';
import { createMessageQueue } from './message-queue.ts';
import { createMessages } from './messages.ts';
import { sendMessages as send, type WorkerTools } from './send-messages.ts';

export const getContactMethods = () =>
  route(
    contactMethodOperations.getContactMethods,
    contacts.getContactMethods(createRecordStore(), listAvailableKinds()),
  );

export const createContactMethod = () =>
  route(
    contactMethodOperations.createContactMethod,
    contacts.createContactMethod(createRecordStore(), {
      box: createSecretBox(),
      channels: createChannels(),
      limiter: createTableLimiter(),
      loopback: env('LOOPBACK_RECEIVERS').LOOPBACK_RECEIVERS as LoopbackRule,
      available: listAvailableKinds(),
    }),
  );

export const deleteContactMethod = () =>
  route(contactMethodOperations.deleteContactMethod, contacts.deleteContactMethod(createRecordStore()));

export const verifyContactMethod = () =>
  route(contactMethodOperations.verifyContactMethod, contacts.verifyContactMethod(createRecordStore()));

export const sendContactCode = () =>
  route(
    contactMethodOperations.sendContactCode,
    contacts.sendContactCode(createRecordStore(), { channels: createChannels(), limiter: createTableLimiter() }),
  );

export const testContactMethod = () =>
  route(contactMethodOperations.testContactMethod, contacts.testContactMethod(createRecordStore(), createTestTools()));

export const getNotificationRules = () =>
  route(
    notificationRuleOperations.getNotificationRules,
    contacts.getNotificationRules(createRecordStore(), listAvailableKinds()),
  );

export const updateNotificationRules = () =>
  route(
    notificationRuleOperations.updateNotificationRules,
    contacts.updateNotificationRules(createRecordStore(), listAvailableKinds()),
  );

export const testNotificationRules = () =>
  route(notificationRuleOperations.testNotificationRules, contacts.testNotificationRules(createTestTools()));

function createTestTools(): contacts.TestTools {
  return { messages: createMessages(), limiter: createTableLimiter(), available: listAvailableKinds() };
}

/** A user pool changes rarely, and its API has low quotas. */
const personCacheMs = 60_000;

export const sendMessages = () => {
  const { USER_POOL_ID, ALLOWED_ORIGIN } = env('USER_POOL_ID', 'ALLOWED_ORIGIN');
  const { findEmail } = createDirectory(cognitoClient(), USER_POOL_ID);
  const tools: WorkerTools = {
    records: createRecordStore(),
    events: createEventStore(),
    queue: createMessageQueue(),
    channels: createChannels(),
    available: listAvailableKinds(),
    box: createSecretBox(),
    findPerson: memoize(findEmail, personCacheMs, clock.now),
    consoleUrl: `${ALLOWED_ORIGIN}/console/`,
    clock,
    log,
  };
  return (batch: SQSEvent) => send(batch, tools);
};
