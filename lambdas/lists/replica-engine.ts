import { requireValue } from '../platform/require-value.ts';
import { chunkRows } from './chunk.ts';
import { type ListEngine, type ListedRow, sortCounts } from './list-engine.ts';
import { formatRecordId, type ListingSpec, splitEdges } from './listing.ts';
import type { LiveReplica } from './live-replica.ts';
import type { Replica } from './replica.ts';
import { countCodes, findPage, measureRows } from './scan.ts';

/** Lists from the memory of the function. Every call first reads what changed since the last one. */
export function createReplicaEngine(spec: ListingSpec, live: Pick<LiveReplica, 'refresh'>): ListEngine {
  return {
    spec,
    findPage: async (query, start, limit) => findPage(await live.refresh(), query, start, limit),
    measureRows: async (query, columns, request) => measureRows(await live.refresh(), query, columns, request),
    async countValues(query, name) {
      const replica = await live.refresh();
      const values = spec.enums[name] ?? listValues(replica, name);
      const counts = [...countCodes(replica, query, name)];
      return sortCounts(counts.map(([code, count]) => ({ value: values[code - 1] ?? null, count })));
    },
    async listValues(names) {
      const replica = await live.refresh();
      return names.map((name) => listValues(replica, name));
    },
    async openGraph() {
      const graph = getGraph(await live.refresh());
      return (ids) => graph.findAdjacent(ids);
    },
  };
}

function listValues({ spec, dictionaries }: Replica, name: string): readonly string[] {
  return dictionaries[spec.strings.indexOf(name)]?.values() ?? [];
}

/** Rebuilt when the replica has changed, which takes a few milliseconds for 10,000 records. */
function getGraph(replica: Replica): Graph {
  const known = graphs.get(replica);
  if (known?.changes === replica.changes) return known;
  const graph = new Graph(replica);
  graphs.set(replica, graph);
  return graph;
}

const graphs = new WeakMap<Replica, Graph>();

class Graph {
  readonly changes: number;
  private readonly rows = new Map<string, ListedRow>();
  private readonly owners = new Map<string, ListedRow[]>();

  constructor(replica: Replica) {
    const { spec, chunks } = replica;
    this.changes = replica.changes;
    const edges = requireValue(spec.edges, 'spec.edges');
    for (const [place, chunk] of chunks.entries()) {
      for (let index = 0; index < chunk.rows; index++) {
        if (chunk.live[index] === 0) continue;
        const row = toListedRow(replica, place * chunkRows + index);
        this.rows.set(row.id, row);
        for (const { target } of splitEdges(spec, row.getValue(edges))) {
          const known = this.owners.get(target);
          if (known) known.push(row);
          else this.owners.set(target, [row]);
        }
      }
    }
  }

  findAdjacent(ids: readonly string[]): ListedRow[] {
    const found = new Set<ListedRow>();
    for (const id of ids) {
      const own = this.rows.get(id);
      if (own) found.add(own);
      for (const row of this.owners.get(id) ?? []) found.add(row);
    }
    return [...found];
  }
}

function toListedRow({ spec, chunks, dictionaries }: Replica, row: number): ListedRow {
  const chunk = requireValue(chunks[Math.floor(row / chunkRows)]);
  const index = row % chunkRows;
  return {
    id: formatRecordId(chunk.number(index), spec.idPrefix),
    getValue(name) {
      const values = spec.enums[name];
      if (values) return values[(chunk.enums[Object.keys(spec.enums).indexOf(name)]?.[index] ?? 0) - 1] ?? null;
      const column = spec.strings.indexOf(name);
      return dictionaries[column]?.values()[(chunk.strings[column]?.[index] ?? 0) - 1] ?? null;
    },
  };
}
