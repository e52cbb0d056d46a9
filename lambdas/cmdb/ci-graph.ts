import {
  type CiStatus,
  type Impact,
  impactBounds,
  type Relation,
  type RelationType,
} from '../../contract/ci-relations.ts';
import type { routes } from '../../contract/routes.ts';
import { openIncidentStates } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ListEngine, ListedRow } from '../lists/list-engine.ts';
import type { RefineQuery } from '../lists/list-records.ts';
import type { ReadRecords } from '../lists/record-store.ts';
import { createListEngine } from '../lists/wiring.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import { findRecord } from '../records/change-record.ts';
import type { FindOpenIncidentIds } from '../records/index-store.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type CiDocument, ciListing, parseEdges } from './ci.ts';

// The dependency graph around some configuration items. Items store only outgoing relations; the graph also has the
// reverse direction.

type Steps = readonly Step<string, RelationType>[];

export interface CiGraph {
  /** Dependents are items that may fail when this item fails. */
  getSteps(direction: Direction, id: string): Steps;
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

/** Reads the graph around the items. Needs the permissions of a list. */
export type ReadCiGraph = (ids: readonly string[], direction: Direction, depth: number) => Promise<CiGraph>;

type Direction = 'dependents' | 'dependencies';

export function createCiGraphReader(): ReadCiGraph {
  const engine = createListEngine(ciListing);
  return (ids, direction, depth) => readCiGraph(engine, ids, direction, depth);
}

/** Reads the items within `depth` steps and one more, which shows whether there are further items. */
export async function readCiGraph(
  engine: ListEngine,
  ids: readonly string[],
  direction: Direction,
  depth: number,
): Promise<CiGraph> {
  const graph = new LoadedGraph();
  const findAdjacent = await engine.openGraph();
  const asked = new Set<string>();
  let ring = new Set(ids);
  for (let distance = 0; distance <= depth + 1 && ring.size > 0 && asked.size < maxNodes; distance++) {
    for (const id of ring) asked.add(id);
    const rows = await findAdjacent([...ring]);
    // In a stable order, whatever the engine.
    for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) graph.add(row);
    ring = new Set([...ring].flatMap((id) => graph.listNodes(direction, id)).filter((id) => !asked.has(id)));
  }
  return graph;
}

/** More than a walk visits. */
const maxNodes = 100_000;

class LoadedGraph implements CiGraph {
  private readonly rows = new Map<string, ListedRow>();
  private readonly dependents = new Map<string, Step<string, RelationType>[]>();
  private readonly dependencies = new Map<string, Step<string, RelationType>[]>();

  add(row: ListedRow): void {
    if (this.rows.has(row.id)) return;
    this.rows.set(row.id, row);
    for (const { type, ci_id } of parseEdges(row.getValue('edges'))) {
      if (dependent[type] === 'neither') continue;
      const [needing, needed] = dependent[type] === 'owner' ? [row.id, ci_id] : [ci_id, row.id];
      appendTo(this.dependents, needed, { node: needing, label: type });
      appendTo(this.dependencies, needing, { node: needed, label: type });
    }
  }

  /** Includes items that do not exist. */
  listNodes(direction: Direction, id: string): string[] {
    return (this[direction].get(id) ?? []).map(({ node }) => node);
  }

  getSteps(direction: Direction, id: string): Steps {
    return (this[direction].get(id) ?? []).filter(({ node }) => this.rows.has(node));
  }

  describe(id: string): CiSummary | undefined {
    const row = this.rows.get(id);
    if (!row) return undefined;
    return {
      id,
      name: requireValue(row.getValue('name')),
      class: requireValue(row.getValue('class')),
      status: requireValue(row.getValue('status')) as CiStatus,
      environment: row.getValue('environment'),
    };
  }
}

function appendTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
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
  direction: Direction,
  ids: readonly string[],
  { depth, limit }: { depth: number; limit: number },
): Followed {
  const { visits, truncated } = walkGraph(ids, (id) => graph.getSteps(direction, id), { depth, maxNodes: maxVisits });
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
  graph: ReadCiGraph;
  openIncidentIds: FindOpenIncidentIds;
  read: ReadRecords;
}

export function getCiImpact(tools: ImpactTools): UseCase<typeof routes.getCiImpact> {
  return async ({ params: { id }, query: { depth, limit } }) => {
    const [{ document }, graph, incidents] = await Promise.all([
      findRecord<CiDocument>(tools.store, id),
      tools.graph([id], 'dependents', depth),
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

/** Longer chains of dependencies do not occur. */
const maxDepth = 50;

interface CiFilters {
  transitive?: boolean;
  depends_on?: readonly string[];
  needed_by?: readonly string[];
}

/** Applies the filters that are not columns: relations in both directions, direct or also indirect ones. */
export const refineCiQuery: RefineQuery = async (query, given, { engine }) => {
  const { depends_on, needed_by, transitive = false } = given as CiFilters;
  const depth = transitive ? maxDepth : 1;
  if (depends_on === undefined && needed_by === undefined) return query;
  const follow = async (name: string, from: readonly string[] | undefined, direction: Direction) => {
    if (from === undefined) return [];
    const graph = await readCiGraph(engine, from, direction, depth - 1);
    const { cis } = followRelations(graph, direction, from, { depth, limit: maxVisits });
    return [{ name: `${name} ${depth} ${from.toSorted()}`, ids: cis.map(({ id }) => id) }];
  };
  const related = await Promise.all([
    follow('depends_on', depends_on, 'dependents'),
    follow('needed_by', needed_by, 'dependencies'),
  ]);
  return { ...query, related: related.flat() };
};
