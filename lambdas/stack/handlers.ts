import { join } from 'node:path';
import * as z from 'zod';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import { apiGatewayClient, createAppClientDirectory, createConsumers } from '../identity/app-client-directory.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { s3Client } from '../platform/clients/s3.ts';
import { setTextLimit as setLimit } from '../platform/clients/sns.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { createCanary } from './canary.ts';
import { createConsoleStore, createPublisher } from './console-store.ts';
import { handleCustomResource } from './custom-resource.ts';

// The stack's custom resources, and its canary.

/** CloudFormation deletes only empty buckets, and does not delete gateway keys that callers created. */
export const removeStackData = () => {
  const { SNAPSHOTS_BUCKET, USAGE_PLAN_NAME } = env('SNAPSHOTS_BUCKET', 'USAGE_PLAN_NAME');
  const snapshots = createConsoleStore(s3Client(), SNAPSHOTS_BUCKET);
  const consumers = createConsumers(apiGatewayClient(), USAGE_PLAN_NAME);
  return handleCustomResource({
    physicalId: `${SNAPSHOTS_BUCKET}/data`,
    async publish() {},
    async remove() {
      for (const key of (await snapshots.list()).keys()) await snapshots.delete(key);
      await consumers.removeAll();
    },
    log,
  });
};

export const publishConsole = () => {
  const { CONSOLE_BUCKET, LAMBDA_TASK_ROOT } = env('CONSOLE_BUCKET', 'LAMBDA_TASK_ROOT');
  const publisher = createPublisher(join(LAMBDA_TASK_ROOT, 'console'), createConsoleStore(s3Client(), CONSOLE_BUCKET));
  return handleCustomResource({ physicalId: `${CONSOLE_BUCKET}/console`, ...publisher, log });
};

/** The limit belongs to the account, so it remains when the stack is deleted. */
export const setTextLimit = () =>
  handleCustomResource({
    physicalId: 'text-limit',
    async publish(properties) {
      await setLimit(textLimitProperties.parse(properties).LimitUsd);
    },
    async remove() {},
    log,
  });

const textLimitProperties = z.object({ LimitUsd: z.string() });

export const runCanary = () => {
  const { ALLOWED_ORIGIN, TOKEN_URL, USER_POOL_ID, CANARY_CLIENT_ID } = env(
    'ALLOWED_ORIGIN',
    'TOKEN_URL',
    'USER_POOL_ID',
    'CANARY_CLIENT_ID',
  );
  const clients = createAppClientDirectory(cognitoClient(), USER_POOL_ID);
  return createCanary({
    apiUrl: `${ALLOWED_ORIGIN}/${stageName}${apiPrefixes[0]}`,
    tokenUrl: TOKEN_URL,
    readClient: () => clients.read(CANARY_CLIENT_ID),
    clock,
    log,
  });
};
