import { healthOperations } from '../../contract/health.ts';
import { getHealth } from '../health/get-health.ts';
import { storageProbe } from '../health/storage-probe.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';

const { RECORDS_TABLE, SERVICE_VERSION, SERVICE_INSTANCE } = env(
  'RECORDS_TABLE',
  'SERVICE_VERSION',
  'SERVICE_INSTANCE',
);

export const handler = route(
  healthOperations.getHealth,
  getHealth(storageProbe(dynamodbClient(), RECORDS_TABLE), {
    version: SERVICE_VERSION,
    serviceInstance: SERVICE_INSTANCE,
  }),
);
