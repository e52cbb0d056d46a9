import type { Relation } from '../../contract/ci-parts.ts';
import type { CiGraph, CiSummary } from './ci-graph.ts';
import { walk } from './walk.ts';

export interface FollowedCi extends CiSummary {
  distance: number;
  via: Relation;
}

export interface Followed {
  cis: FollowedCi[];
  /** How many were found, also beyond the limit. */
  total: number;
  /** There are more than given, or deeper ones. */
  truncated: boolean;
}

/**
 * All that depends on the items, or all that they need, directly or through others, the nearest first. Items that do not
 * exist lead nowhere.
 */
export function follow(
  graph: CiGraph,
  direction: 'dependents' | 'dependencies',
  ids: readonly string[],
  { depth, limit }: { depth: number; limit: number },
): Followed {
  const stepsFrom = direction === 'dependents' ? graph.dependentsOf : graph.dependenciesOf;
  const { visits, truncated } = walk(ids, stepsFrom, { depth, most: mostWalked });
  const cis = visits.slice(0, limit).map(({ node, label, distance, from }) => ({
    ...graph.describe(node)!,
    distance,
    via: { type: label, ci_id: from },
  }));
  return { cis, total: visits.length, truncated: truncated || visits.length > limit };
}

/** A walk over so many takes some ten milliseconds. */
const mostWalked = 10_000;
