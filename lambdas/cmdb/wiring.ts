import { createReplica, requestPatienceMs } from '../lists/wiring.ts';
import { type CiGraph, ciGraph } from './ci-graph.ts';
import { ciListing } from './ci-listing.ts';

/** Reads the graph of all configuration items, up to date at each call. Needs the permissions of a list. */
export function createCiGraphReader(): () => Promise<CiGraph> {
  const replica = createReplica(ciListing, requestPatienceMs);
  return async () => ciGraph(await replica.caughtUp());
}
