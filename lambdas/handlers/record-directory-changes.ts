import { type ApiCall, recordDirectoryChange } from '../audit/record-directory-changes.ts';
import { userPoolDirectory } from '../identity/directory.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { itemStore } from '../records/item-store.ts';

const { EVENTS_TABLE, USER_POOL_ID } = env('EVENTS_TABLE', 'USER_POOL_ID');
const tools = {
  store: itemStore(dynamodbClient(), EVENTS_TABLE),
  directory: userPoolDirectory(cognitoClient(), USER_POOL_ID),
};

export const handler = (call: ApiCall) => recordDirectoryChange(call, tools);
