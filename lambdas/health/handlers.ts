import { healthOperations } from '../../contract/health.ts';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import apiDocument from '../../docs/openapi.json' with { type: 'json' };
import { incidentListing } from '../incidents/incident-listing.ts';
import { createFeedStore } from '../lists/feed-store.ts';
import { measureLag } from '../lists/search-lag.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { createSearchClient } from '../platform/clients/opensearch.ts';
import { env } from '../platform/env.ts';
import { createPublicPlatform, route } from '../platform/http/route.ts';
import { ServiceError } from '../platform/service-error.ts';
import { createStorageProbe, getHealth as getHealthUseCase, type SearchHealth } from './health-probe.ts';

export const getHealth = () => {
  const {
    RECORDS_TABLE,
    SERVICE_VERSION: version,
    SERVICE_INSTANCE: serviceInstance,
  } = env('RECORDS_TABLE', 'SERVICE_VERSION', 'SERVICE_INSTANCE');
  const probe = createStorageProbe(dynamodbClient(), RECORDS_TABLE);
  return route(
    healthOperations.getHealth,
    getHealthUseCase(probe, { version, serviceInstance }, createSearchMeter(RECORDS_TABLE)),
  );
};

/** Replicas read the latest changes before every response. */
function createSearchMeter(table: string): (nowMs: number) => Promise<SearchHealth> {
  const client = createSearchClient();
  if (!client) return async () => ({ engine: 'memory', lag_seconds: 0 });
  const feed = createFeedStore(dynamodbClient(), table, incidentListing.type);
  return async (nowMs) => {
    try {
      return { engine: 'opensearch', lag_seconds: await measureLag(client, incidentListing, feed, nowMs) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { engine: 'opensearch', lag_seconds: null, problem: error.message };
    }
  };
}

/** Returns the repository's API document with the URL of this instance. */
export const getApiDocument = () => {
  const { ALLOWED_ORIGIN } = env('ALLOWED_ORIGIN');
  const servers = [{ url: `${ALLOWED_ORIGIN}/${stageName}${apiPrefixes[0]}`, description: 'This instance.' }];
  const body = { ...apiDocument, servers };
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  const useCase = async () => ({ status: 200 as const, headers, body });
  return route(healthOperations.getApiDocument, useCase, createPublicPlatform());
};
