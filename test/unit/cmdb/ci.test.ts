import type { Relation } from '../../../contract/ci-relations.ts';
import { ciCreation } from '../../../contract/cis.ts';
import {
  applyCiPatch,
  type CiRecord,
  ciListing,
  ciType,
  formatEdges,
  newCiDocument,
  parseEdges,
} from '../../../lambdas/cmdb/ci.ts';
import { followRelations, readCiGraph, walkGraph } from '../../../lambdas/cmdb/ci-graph.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { createReplicaEngine } from '../../../lambdas/lists/replica-engine.ts';
import { createFirstVersion } from '../../../lambdas/records/record.ts';
import fc from '../../support/properties.ts';

const ciWith = (attributes: Record<string, unknown>): CiRecord => {
  const creation = ciCreation.parse({ name: 'web-01', class: 'server', attributes });
  return createFirstVersion('CI0000001', newCiDocument(creation, null), 1_000);
};

describe('a configuration item', () => {
  it('merges attributes according to RFC 7396', () => {
    const before = ciWith({ os: { name: 'Debian', version: 12 }, tags: ['a'], cpus: 4 });
    const patch = { attributes: { os: { version: 13, kernel: null }, tags: ['b'], cpus: null, disk: { gb: 80 } } };
    expect(applyCiPatch(before, patch).attributes).toEqual({
      os: { name: 'Debian', version: 13 },
      tags: ['b'],
      disk: { gb: 80 },
    });
    expect(ciWith({ a: null, b: { c: null } }).document.attributes).toEqual({ b: {} });
  });

  it('enforces the attribute limits over several updates', () => {
    const before = ciWith(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, 1])));
    expect(() => applyCiPatch(before, { attributes: { more: 1 } })).toThrow('at most 100 keys');
    expect(applyCiPatch(before, { attributes: { n0: null, more: 1 } }).attributes).toMatchObject({ more: 1 });
  });

  it.each([
    ['too many bytes', { text: 'x'.repeat(16_000) }],
    ['too deep', { a: { b: { c: { d: { e: {} } } } } }],
    ['a name that is too long', { ['x'.repeat(101)]: 1 }],
  ])('rejects attributes with %s', (_, attributes) => {
    expect(ciCreation.safeParse({ name: 'a', class: 'b', attributes }).success).toBe(false);
  });

  it('rejects a relation to itself', () => {
    const relations = [{ type: 'depends_on' as const, ci_id: 'CI0000001' }];
    expect(() => applyCiPatch(ciWith({}), { relations })).toThrow('must not refer to the item itself');
  });

  it('stores its relations in the listing', () => {
    const relations = [
      { type: 'depends_on' as const, ci_id: 'CI0000042' },
      { type: 'part_of' as const, ci_id: 'CI9999999' },
    ];
    expect(parseEdges(formatEdges(relations)!)).toEqual(relations);
    expect(formatEdges([])).toBeNull();
  });
});

const toId = (number: number) => `CI${String(number).padStart(7, '0')}`;

const relation = (type: Relation['type'], number: number): Relation => ({ type, ci_id: toId(number) });

function ci(number: number, relations: readonly Relation[] = []): CiRecord {
  const creation = ciCreation.parse({ name: `ci-${number}`, class: 'server', status: 'degraded', relations });
  return createFirstVersion(toId(number), newCiDocument(creation, null), 1_000_000);
}

function buildReplica(...records: readonly CiRecord[]): Replica {
  const replica = new Replica(ciListing);
  for (const record of records) replica.applyEncoded(ciType.listing(record));
  return replica;
}

function changeRecord(record: CiRecord, change: Partial<CiRecord>): CiRecord {
  return { ...record, updated_at: new Date(Date.parse(record.updated_at) + 1).toISOString(), ...change };
}

const bounds = { depth: 10, limit: 100 };

const follow = async (replica: Replica, direction: 'dependents' | 'dependencies', number: number, given = bounds) => {
  const engine = createReplicaEngine(ciListing, { refresh: async () => replica });
  const graph = await readCiGraph(engine, [toId(number)], direction, given.depth);
  return followRelations(graph, direction, [toId(number)], given);
};

const dependents = async (replica: Replica, number: number) =>
  (await follow(replica, 'dependents', number)).cis.map(({ id }) => id);

const dependencies = async (replica: Replica, number: number) =>
  (await follow(replica, 'dependencies', number)).cis.map(({ id }) => id);

describe('graph of configuration items', () => {
  const site = buildReplica(
    ci(1),
    ci(2, [relation('runs_on', 1)]),
    ci(3, [relation('depends_on', 2), relation('connected_to', 6)]),
    ci(4, [relation('part_of', 5)]),
    ci(5),
    ci(6, [relation('depends_on', 9)]),
  );

  it('returns the dependents and the dependencies of an item', async () => {
    expect(await dependents(site, 1)).toEqual([toId(2), toId(3)]);
    expect(await dependencies(site, 3)).toEqual([toId(2), toId(1)]);
  });

  it('lets a whole depend on its parts, and ignores connections', async () => {
    expect(await dependents(site, 4)).toEqual([toId(5)]);
    expect(await dependents(site, 5)).toEqual([]);
    expect(await dependents(site, 6)).toEqual([]);
  });

  it('omits items that do not exist', async () => {
    expect(await dependencies(site, 6)).toEqual([]);
  });

  it('describes items and the relation by which they were reached', async () => {
    const { cis, total, truncated } = await follow(site, 'dependents', 1, { depth: 10, limit: 1 });
    expect(cis).toEqual([
      {
        ...{ id: toId(2), name: 'ci-2', class: 'server', status: 'degraded', environment: null },
        ...{ distance: 1, via: relation('runs_on', 1) },
      },
    ]);
    expect([total, truncated]).toEqual([2, true]);
  });

  it('reports items beyond the depth', async () => {
    expect((await follow(site, 'dependents', 1, { depth: 1, limit: 10 })).truncated).toBe(true);
    expect((await follow(site, 'dependents', 1, { depth: 2, limit: 10 })).truncated).toBe(false);
  });

  it('follows changes and deletions', async () => {
    const [host, guest] = [ci(1), ci(2, [relation('runs_on', 1)])];
    const replica = buildReplica(host, guest);
    expect(await dependents(replica, 1)).toEqual([toId(2)]);
    const unbound = changeRecord(guest, { document: { ...guest.document, relations: [] } });
    replica.applyEncoded(ciType.listing(unbound));
    expect(await dependents(replica, 1)).toEqual([]);
    const bound = changeRecord(unbound, { document: guest.document });
    replica.applyEncoded(ciType.listing(bound));
    expect(await dependents(replica, 1)).toEqual([toId(2)]);
    replica.applyEncoded(ciType.listing(changeRecord(bound, { deleted: true })));
    expect(await dependents(replica, 1)).toEqual([]);
  });
});

type Edges = Readonly<Record<number, readonly number[]>>;

const walkBounds = { depth: 10, maxNodes: 1_000 };

const stepsIn = (edges: Edges) => (node: number) => (edges[node] ?? []).map((to) => ({ node: to, label: `${node}` }));

const walked = (edges: Edges, starts: readonly number[], given = walkBounds) =>
  walkGraph(starts, stepsIn(edges), given);

describe('walkGraph', () => {
  it('visits nodes from near to far and returns the path', () => {
    const { visits, truncated } = walked({ 1: [2, 3], 2: [4], 3: [4] }, [1]);
    expect(visits.map(({ node, distance, from }) => [node, distance, from])).toEqual([
      [2, 1, 1],
      [3, 1, 1],
      [4, 2, 2],
    ]);
    expect(truncated).toBe(false);
  });

  it('visits nodes in a cycle once, and never the start', () => {
    expect(walked({ 1: [2], 2: [3], 3: [1, 2, 3] }, [1]).visits.map(({ node }) => node)).toEqual([2, 3]);
  });

  it('reports truncation only if the depth or the number was limited', () => {
    const chain = { 1: [2], 2: [3], 3: [1] };
    expect(walked(chain, [1], { depth: 1, maxNodes: 10 })).toMatchObject({ truncated: true, visits: [{ node: 2 }] });
    expect(walked(chain, [1], { depth: 2, maxNodes: 10 })).toMatchObject({ truncated: false });
    expect(walked(chain, [1], { depth: 9, maxNodes: 1 })).toMatchObject({ truncated: true, visits: [{ node: 2 }] });
    expect(walked(chain, [1], { depth: 9, maxNodes: 2 })).toMatchObject({ truncated: false });
  });

  it('finds exactly the reachable nodes, each by a shortest path', () => {
    const arbitraryEdges = fc.array(fc.tuple(fc.nat(15), fc.nat(15)), { maxLength: 60 });
    fc.assert(
      fc.property(arbitraryEdges, fc.uniqueArray(fc.nat(15), { minLength: 1, maxLength: 3 }), (pairs, starts) => {
        const edges: Record<number, number[]> = {};
        for (const [from, to] of pairs) edges[from] = [...(edges[from] ?? []), to];
        const distances = shortest(edges, starts);
        const { visits } = walked(edges, starts, { depth: 100, maxNodes: 100 });
        const found = new Map(visits.map(({ node, distance }) => [node, distance]));
        expect(visits).toHaveLength(found.size);
        expect([...found].sort()).toEqual([...distances].filter(([, distance]) => distance > 0).sort());
      }),
    );
  });
});

/** By relaxing every edge until nothing changes. */
function shortest(edges: Edges, starts: readonly number[]): Map<number, number> {
  const distances = new Map(starts.map((start) => [start, 0]));
  for (let round = 0; round < 20; round++) {
    for (const [from, tos] of Object.entries(edges)) {
      const here = distances.get(Number(from));
      if (here === undefined) continue;
      for (const to of tos) distances.set(to, Math.min(distances.get(to) ?? 1_000, here + 1));
    }
  }
  return distances;
}
