import { directoryOperations } from '../../contract/directory.ts';
import { apiKeyOperations, identityOperations } from '../../contract/identity.ts';
import { preferenceOperations } from '../../contract/preferences.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { createCursorSeal, createRecordStore } from '../records/wiring.ts';
import {
  createApiKey as createApiKeyUseCase,
  deleteApiKey as deleteApiKeyUseCase,
  type KeyTools,
  listApiKeys as listApiKeysUseCase,
  sweepApiKeys as sweep,
} from './api-key-operations.ts';
import { createApiKeyStore } from './api-key-store.ts';
import { apiGatewayClient, createAppClientDirectory, createConsumers } from './app-client-directory.ts';
import { createAuthorizer, createIdentification } from './authorizer.ts';
import { createGroupNameList } from './group-names.ts';
import {
  getMe as getMeUseCase,
  getPreferences as getPreferencesUseCase,
  getSharedViews as getSharedViewsUseCase,
  updatePreferences as updatePreferencesUseCase,
  updateSharedViews as updateSharedViewsUseCase,
} from './me.ts';
import {
  createPeopleDirectory,
  listGroups as listGroupsUseCase,
  listPeople as listPeopleUseCase,
} from './people-directory.ts';

export const authorizer = () => createAuthorizer(createIdentification(), log);

export const getMe = () => route(identityOperations.getMe, getMeUseCase);

export const getPreferences = () =>
  route(preferenceOperations.getPreferences, getPreferencesUseCase(createRecordStore()));

export const updatePreferences = () =>
  route(preferenceOperations.updatePreferences, updatePreferencesUseCase(createRecordStore()));

export const getSharedViews = () =>
  route(preferenceOperations.getSharedViews, getSharedViewsUseCase(createRecordStore()));

export const updateSharedViews = () =>
  route(preferenceOperations.updateSharedViews, updateSharedViewsUseCase(createRecordStore()));

export const listPeople = () => route(directoryOperations.listPeople, listPeopleUseCase(createPeople()));

export const listGroups = () =>
  route(directoryOperations.listGroups, listGroupsUseCase(createPeople(), createGroupNameList(createRecordStore())));

function createPeople() {
  const { USER_POOL_ID } = env('USER_POOL_ID');
  return createPeopleDirectory(cognitoClient(), USER_POOL_ID);
}

export const listApiKeys = () =>
  route(apiKeyOperations.listApiKeys, listApiKeysUseCase(createApiKeyStore(createRecordStore()), createCursorSeal()));

export const createApiKey = () => route(apiKeyOperations.createApiKey, createApiKeyUseCase(createKeyTools()));

export const deleteApiKey = () => route(apiKeyOperations.deleteApiKey, deleteApiKeyUseCase(createKeyTools()));

export const sweepApiKeys = () => {
  const tools = { ...createKeyTools(), clock, log };
  return () => sweep(tools);
};

function createKeyTools(): KeyTools {
  const { USER_POOL_ID, USAGE_PLAN_NAME } = env('USER_POOL_ID', 'USAGE_PLAN_NAME');
  const store = createRecordStore();
  return {
    store,
    keys: createApiKeyStore(store),
    clients: createAppClientDirectory(cognitoClient(), USER_POOL_ID),
    consumers: createConsumers(apiGatewayClient(), USAGE_PLAN_NAME),
  };
}
