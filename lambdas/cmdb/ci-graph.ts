import { type CiStatus, ciStatuses, type Relation, type RelationType } from '../../contract/ci-parts.ts';
import { chunkRows } from '../lists/chunk.ts';
import { recordId } from '../lists/listing.ts';
import type { Replica } from '../lists/replica.ts';
import { ciListing, edgesIn } from './ci-listing.ts';

// Who depends on whom, from the replica of a warm function. An item says what it rests on; the graph also knows the way
// back. It is made anew when the replica has changed, which takes some milliseconds for ten thousand items.

type Steps = readonly Step<string, RelationType>[];

export interface CiGraph {
  /** What fails, or may fail, when the item does. */
  dependentsOf(id: string): Steps;
  /** What the item needs. */
  dependenciesOf(id: string): Steps;
  /** Undefined for an item that does not exist or was deleted. */
  describe(id: string): CiSummary | undefined;
}

export interface CiSummary {
  id: string;
  name: string;
  class: string;
  status: CiStatus;
  environment: string | null;
}

/**
 * Which end of a relation depends on the other: `owner` is the item that has the relation, `target` the one it names. A
 * whole depends on its parts. To be connected says nothing about who needs whom.
 */
const dependent: Readonly<Record<RelationType, 'owner' | 'target' | 'neither'>> = {
  depends_on: 'owner',
  runs_on: 'owner',
  part_of: 'target',
  connected_to: 'neither',
};

/** The graph of a replica as it is now. */
export function ciGraph(replica: Replica): CiGraph {
  const known = graphs.get(replica);
  if (known?.changes === replica.changes) return known.graph;
  const graph = buildGraph(replica);
  graphs.set(replica, { changes: replica.changes, graph });
  return graph;
}

const graphs = new WeakMap<Replica, { changes: number; graph: CiGraph }>();

function buildGraph(replica: Replica): CiGraph {
  const dependents = new Map<string, Step<string, RelationType>[]>();
  const dependencies = new Map<string, Step<string, RelationType>[]>();
  for (const { id, relations } of ownersIn(replica)) {
    for (const { type, ci_id } of relations) {
      // An item that only others speak of has no record, so there is nothing to walk to.
      if (dependent[type] === 'neither' || !isLive(replica, ci_id)) continue;
      const [needing, needed] = dependent[type] === 'owner' ? [id, ci_id] : [ci_id, id];
      add(dependents, needed, { node: needing, label: type });
      add(dependencies, needing, { node: needed, label: type });
    }
  }
  return {
    dependentsOf: (id) => dependents.get(id) ?? [],
    dependenciesOf: (id) => dependencies.get(id) ?? [],
    describe: (id) => describe(replica, id),
  };
}

function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const edgesColumn = ciListing.strings.indexOf('edges');

function* ownersIn({ chunks, dictionaries }: Replica): Iterable<{ id: string; relations: readonly Relation[] }> {
  const texts = dictionaries[edgesColumn]!.values();
  for (const chunk of chunks) {
    for (let row = 0; row < chunk.rows; row++) {
      const code = chunk.strings[edgesColumn]![row]!;
      if (chunk.live[row] === 0 || code === 0) continue;
      yield { id: recordId(chunk.number(row), ciListing.idPrefix), relations: edgesIn(texts[code - 1]!) };
    }
  }
}

function isLive(replica: Replica, id: string): boolean {
  const row = replica.rowOf(id);
  return row !== undefined && replica.chunks[Math.floor(row / chunkRows)]!.live[row % chunkRows] === 1;
}

function describe(replica: Replica, id: string): CiSummary | undefined {
  if (!isLive(replica, id)) return undefined;
  const row = replica.rowOf(id)!;
  const { strings, enums } = replica.chunks[Math.floor(row / chunkRows)]!;
  const place = row % chunkRows;
  const text = (name: string) => {
    const column = ciListing.strings.indexOf(name);
    return replica.dictionaries[column]!.values()[strings[column]![place]! - 1] ?? null;
  };
  const status = ciStatuses[enums[0]![place]! - 1]!;
  return { id, name: text('name')!, class: text('class')!, status, environment: text('environment') };
}

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

// Follows the edges of a graph from one or several nodes, the nearest nodes first. Every node is visited once, so
// circles end; depth and number of nodes are bounded, and the walk says when a bound cut it short.

export interface Step<Node, Label> {
  node: Node;
  label: Label;
}

export interface Visit<Node, Label> extends Step<Node, Label> {
  /** Steps from the nearest start, at least 1. */
  distance: number;
  /** The node that the last step came from. */
  from: Node;
}

export interface WalkBounds {
  depth: number;
  /** How many nodes to visit, the starts not counted. */
  most: number;
}

export interface Walk<Node, Label> {
  visits: Visit<Node, Label>[];
  truncated: boolean;
}

export function walk<Node, Label>(
  starts: readonly Node[],
  stepsFrom: (node: Node) => readonly Step<Node, Label>[],
  { depth, most }: WalkBounds,
): Walk<Node, Label> {
  const seen = new Set(starts);
  const visits: Visit<Node, Label>[] = [];
  let ring: readonly Node[] = [...seen];
  for (let distance = 1; ring.length > 0; distance++) {
    const next: Node[] = [];
    for (const from of ring) {
      for (const { node, label } of stepsFrom(from)) {
        if (seen.has(node)) continue;
        if (distance > depth || visits.length === most) return { visits, truncated: true };
        seen.add(node);
        visits.push({ node, label, distance, from });
        next.push(node);
      }
    }
    ring = next;
  }
  return { visits, truncated: false };
}
