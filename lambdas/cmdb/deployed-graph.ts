import { deployedReplica, requestPatienceMs } from '../lists/deployed-replica.ts';
import { type CiGraph, ciGraph } from './ci-graph.ts';
import { ciListing } from './ci-listing.ts';

/** The graph of all configuration items inside Lambda; needs the grants of a list. Each use catches up first. */
export function deployedGraph(): () => Promise<CiGraph> {
  const replica = deployedReplica(ciListing, requestPatienceMs);
  return async () => ciGraph(await replica.caughtUp());
}
