import { apiPrefixes } from '../contract/http.ts';
import type { Operation } from '../contract/operation.ts';
import { routes } from '../contract/routes.ts';

// The operations whose latency has an alarm: those that people and monitoring systems wait for. AI operations are slow by
// nature and have none.

interface WatchedOperation {
  name: string;
  method: string;
  /** With the prefix that callers use; the gateway counts the other one separately. */
  resource: string;
}

const [versioned, unversioned] = apiPrefixes;

export const watchedOperations: readonly WatchedOperation[] = [
  watch(versioned, routes.createIncident),
  watch(versioned, routes.getIncident),
  watch(versioned, routes.updateIncident),
  watch(versioned, routes.listIncidents),
  // The URLs of inbound webhooks have no version.
  watch(unversioned, routes.receiveInboundEvent),
];

function watch(prefix: string, { name, method, path }: Operation): WatchedOperation {
  return { name, method, resource: `${prefix}${path}` };
}
