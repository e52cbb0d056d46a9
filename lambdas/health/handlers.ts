import { healthOperations } from '../../contract/health.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { createStorageProbe, getHealth as getHealthUseCase } from './health-probe.ts';

export const getHealth = () => {
  const {
    RECORDS_TABLE,
    SERVICE_VERSION: version,
    SERVICE_INSTANCE: serviceInstance,
  } = env('RECORDS_TABLE', 'SERVICE_VERSION', 'SERVICE_INSTANCE');
  const probe = createStorageProbe(dynamodbClient(), RECORDS_TABLE);
  return route(healthOperations.getHealth, getHealthUseCase(probe, { version, serviceInstance }));
};
