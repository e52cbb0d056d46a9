import {
  type CiStatus,
  ciStatuses,
  type Impact,
  impactBounds,
  type Relation,
  type RelationType,
} from '../../contract/ci-relations.ts';
import type { routes } from '../../contract/routes.ts';
import { openIncidentStates } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { chunkRows } from '../lists/chunk.ts';
import type { RefineQuery } from '../lists/list-records.ts';
import { formatRecordId } from '../lists/listing.ts';
import type { ReadRecords } from '../lists/record-store.ts';
import type { Replica } from '../lists/replica.ts';
import { createReplica, requestTimeoutMs } from '../lists/wiring.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import { findRecord } from '../records/change-record.ts';
import type { FindOpenIncidentIds } from '../records/index-store.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type CiDocument, ciListing, parseEdges } from './ci.ts';

// The dependency graph of all configuration items, built from the replica. Items store only outgoing relations; the
// graph also has the reverse direction. It is rebuilt when the replica has changed, which takes a few milliseconds for
// 10,000 items.

type Steps = readonly Step<string, RelationType>[];

export interface CiGraph {
  /** Items that may fail when this item fails. */
  getDependents(id: string): Steps;
  getDependencies(id: string): Steps;
  /** Returns undefined for an item that does not exist or was deleted. */
  describe(id: string): CiSummary | undefined;
}

interface CiSummary {
  id: string;
  name: string;
  class: string;
  status: CiStatus;
  environment: string | null;
}

/**
 * The dependent end of each relation: `owner` is the item that stores the relation, `target` the item that it names. A
 * whole depends on its parts. `connected_to` implies no dependency.
 */
const dependent: Readonly<Record<RelationType, 'owner' | 'target' | 'neither'>> = {
  depends_on: 'owner',
  runs_on: 'owner',
  part_of: 'target',
  connected_to: 'neither',
};

export function getCiGraph(replica: Replica): CiGraph {
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
  for (const { id, relations } of listOwners(replica)) {
    for (const { type, ci_id } of relations) {
      // Skip relations to items that do not exist.
      if (dependent[type] === 'neither' || !isLive(replica, ci_id)) continue;
      const [needing, needed] = dependent[type] === 'owner' ? [id, ci_id] : [ci_id, id];
      appendTo(dependents, needed, { node: needing, label: type });
      appendTo(dependencies, needing, { node: needed, label: type });
    }
  }
  return {
    getDependents: (id) => dependents.get(id) ?? [],
    getDependencies: (id) => dependencies.get(id) ?? [],
    describe: (id) => describe(replica, id),
  };
}

function appendTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const edgesColumn = ciListing.strings.indexOf('edges');

function* listOwners({ chunks, dictionaries }: Replica): Iterable<{ id: string; relations: readonly Relation[] }> {
  const texts = requireValue(dictionaries[edgesColumn]).values();
  for (const chunk of chunks) {
    for (let row = 0; row < chunk.rows; row++) {
      const code = chunk.strings[edgesColumn]?.[row] ?? 0;
      if (chunk.live[row] === 0 || code === 0) continue;
      yield {
        id: formatRecordId(chunk.number(row), ciListing.idPrefix),
        relations: parseEdges(requireValue(texts[code - 1])),
      };
    }
  }
}

function isLive(replica: Replica, id: string): boolean {
  const row = replica.findRow(id);
  return row !== undefined && requireValue(replica.chunks[Math.floor(row / chunkRows)]).live[row % chunkRows] === 1;
}

function describe(replica: Replica, id: string): CiSummary | undefined {
  if (!isLive(replica, id)) return undefined;
  const row = requireValue(replica.findRow(id));
  const { strings, enums } = requireValue(replica.chunks[Math.floor(row / chunkRows)]);
  const index = row % chunkRows;
  const text = (name: string) => {
    const column = ciListing.strings.indexOf(name);
    return requireValue(replica.dictionaries[column]).values()[(strings[column]?.[index] ?? 0) - 1] ?? null;
  };
  const status = requireValue(ciStatuses[(enums[0]?.[index] ?? 0) - 1]);
  return {
    id,
    name: requireValue(text('name')),
    class: requireValue(text('class')),
    status,
    environment: text('environment'),
  };
}

interface FollowedCi extends CiSummary {
  distance: number;
  via: Relation;
}

interface Followed {
  cis: FollowedCi[];
  /** The number of items found, including those beyond the limit. */
  total: number;
  /** Whether the limit or the depth cut the result. */
  truncated: boolean;
}

/** Finds all direct and indirect dependents or dependencies of the items, nearest first. Unknown ids have none. */
export function followRelations(
  graph: CiGraph,
  direction: 'dependents' | 'dependencies',
  ids: readonly string[],
  { depth, limit }: { depth: number; limit: number },
): Followed {
  const stepsFrom = direction === 'dependents' ? graph.getDependents : graph.getDependencies;
  const { visits, truncated } = walkGraph(ids, stepsFrom, { depth, maxNodes: maxVisits });
  const cis = visits.slice(0, limit).map(({ node, label, distance, from }) => ({
    ...requireValue(graph.describe(node)),
    distance,
    via: { type: label, ci_id: from },
  }));
  return { cis, total: visits.length, truncated: truncated || visits.length > limit };
}

/** A walk over this many items takes about ten milliseconds. */
const maxVisits = 10_000;

// Breadth-first search from one or several nodes. Visits every node once, so cycles end. Reports whether a limit ended the
// search.

interface Step<Node, Label> {
  node: Node;
  label: Label;
}

interface Visit<Node, Label> extends Step<Node, Label> {
  /** Distance from the nearest start; at least 1. */
  distance: number;
  /** The previous node on the path. */
  from: Node;
}

interface WalkBounds {
  depth: number;
  /** How many nodes to visit, not counting the starts. */
  maxNodes: number;
}

interface Walk<Node, Label> {
  visits: Visit<Node, Label>[];
  truncated: boolean;
}

export function walkGraph<Node, Label>(
  starts: readonly Node[],
  stepsFrom: (node: Node) => readonly Step<Node, Label>[],
  { depth, maxNodes }: WalkBounds,
): Walk<Node, Label> {
  const seen = new Set(starts);
  const visits: Visit<Node, Label>[] = [];
  let ring: readonly Node[] = [...seen];
  for (let distance = 1; ring.length > 0; distance++) {
    const next: Node[] = [];
    for (const from of ring) {
      for (const { node, label } of stepsFrom(from)) {
        if (seen.has(node)) continue;
        if (distance > depth || visits.length === maxNodes) return { visits, truncated: true };
        seen.add(node);
        visits.push({ node, label, distance, from });
        next.push(node);
      }
    }
    ring = next;
  }
  return { visits, truncated: false };
}

interface ImpactTools {
  store: Pick<ItemStore, 'get'>;
  graph: () => Promise<CiGraph>;
  openIncidentIds: FindOpenIncidentIds;
  read: ReadRecords;
}

/** Searches in memory, so the number of AWS calls does not depend on the number of dependents. */
export function getCiImpact(tools: ImpactTools): UseCase<typeof routes.getCiImpact> {
  return async ({ params: { id }, query: { depth, limit } }) => {
    const [{ document }, graph, incidents] = await Promise.all([
      findRecord<CiDocument>(tools.store, id),
      tools.graph(),
      findOpenIncidents(id, tools),
    ]);
    const { cis, total, truncated } = followRelations(graph, 'dependents', [id], { depth, limit });
    const { name, class: kind, status, environment } = document;
    return {
      status: 200,
      body: {
        ci: { id, name, class: kind, status, environment },
        affected: cis,
        affected_total: total,
        open_incidents: incidents.visible,
        truncated: { affected: truncated, open_incidents: incidents.truncated },
      },
    };
  };
}

async function findOpenIncidents(
  ciId: string,
  { openIncidentIds, read }: ImpactTools,
): Promise<{ visible: Impact['open_incidents']; truncated: boolean }> {
  const limit = impactBounds.openIncidents;
  const ids = await openIncidentIds(ciId, limit + 1);
  const found = ids.length > 0 ? await read<IncidentDocument>(ids.slice(0, limit)) : [];
  // The index is eventually consistent, so check every incident again.
  const open = found.filter(
    ({ record: { document } }) => document.ci_id === ciId && openIncidentStates.includes(document.state),
  );
  const visible = open.map(({ record: { id, created_at, document } }) => {
    const { short_description, priority, state, assignment_group } = document;
    return { id, short_description, priority, state, assignment_group, created_at };
  });
  return { visible, truncated: ids.length > limit };
}

/** Reads the graph of all configuration items, up to date at each call. Needs the permissions of a list. */
interface CiFilters {
  depends_on?: readonly string[];
  needed_by?: readonly string[];
}

/** Applies the filters that are not columns: direct relations, in both directions. */
export const refineCiQuery: RefineQuery = async (query, given, { replica }) => {
  const { depends_on, needed_by } = given as CiFilters;
  if (depends_on === undefined && needed_by === undefined) return query;
  const graph = getCiGraph(await replica.refresh());
  const follow = (name: string, from: readonly string[] | undefined, steps: typeof graph.getDependents) =>
    from === undefined
      ? []
      : [{ name: `${name} ${from.toSorted()}`, ids: from.flatMap((id) => steps(id).map(({ node }) => node)) }];
  const related = [
    ...follow('depends_on', depends_on, graph.getDependents),
    ...follow('needed_by', needed_by, graph.getDependencies),
  ];
  return { ...query, related };
};

export function createCiGraphReader(): () => Promise<CiGraph> {
  const replica = createReplica(ciListing, requestTimeoutMs);
  return async () => getCiGraph(await replica.refresh());
}
