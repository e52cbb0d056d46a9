import { createReplica, requestTimeoutMs } from '../lists/wiring.ts';
import { type CiGraph, getCiGraph } from './ci-graph.ts';
import { ciListing } from './ci-listing.ts';

/** Reads the graph of all configuration items, up to date at each call. Needs the permissions of a list. */
export function createCiGraphReader(): () => Promise<CiGraph> {
  const replica = createReplica(ciListing, requestTimeoutMs);
  return async () => getCiGraph(await replica.refresh());
}
