import { healthOperations } from '../../contract/health.ts';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import apiDocument from '../../docs/openapi.json' with { type: 'json' };
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { createPublicPlatform, route } from '../platform/http/route.ts';
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

/** Returns the repository's API document with the URL of this instance. */
export const getApiDocument = () => {
  const { ALLOWED_ORIGIN } = env('ALLOWED_ORIGIN');
  const servers = [{ url: `${ALLOWED_ORIGIN}/${stageName}${apiPrefixes[0]}`, description: 'This instance.' }];
  const body = { ...apiDocument, servers };
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  const useCase = async () => ({ status: 200 as const, headers, body });
  return route(healthOperations.getApiDocument, useCase, createPublicPlatform());
};
