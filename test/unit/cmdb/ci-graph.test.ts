import { ciCreation, type Relation } from '../../../contract/cis.ts';
import { type CiRecord, ciType, newCiDocument } from '../../../lambdas/cmdb/ci.ts';
import { followRelations, getCiGraph } from '../../../lambdas/cmdb/ci-graph.ts';
import { ciListing } from '../../../lambdas/cmdb/ci-listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { createFirstVersion } from '../../../lambdas/records/record.ts';

const idOf = (number: number) => `CI${String(number).padStart(7, '0')}`;

const relation = (type: Relation['type'], number: number): Relation => ({ type, ci_id: idOf(number) });

function ci(number: number, relations: readonly Relation[] = []): CiRecord {
  const creation = ciCreation.parse({ name: `ci-${number}`, class: 'server', status: 'degraded', relations });
  return createFirstVersion(idOf(number), newCiDocument(creation, null), 1_000_000);
}

function replicaOf(...records: readonly CiRecord[]): Replica {
  const replica = new Replica(ciListing);
  for (const record of records) replica.applyEncoded(ciType.listing(record));
  return replica;
}

function changed(record: CiRecord, change: Partial<CiRecord>): CiRecord {
  return { ...record, updated_at: new Date(Date.parse(record.updated_at) + 1).toISOString(), ...change };
}

const bounds = { depth: 10, limit: 100 };

const dependents = (replica: Replica, number: number) =>
  followRelations(getCiGraph(replica), 'dependents', [idOf(number)], bounds).cis.map(({ id }) => id);

const dependencies = (replica: Replica, number: number) =>
  followRelations(getCiGraph(replica), 'dependencies', [idOf(number)], bounds).cis.map(({ id }) => id);

describe('the graph of configuration items', () => {
  const site = replicaOf(
    ci(1),
    ci(2, [relation('runs_on', 1)]),
    ci(3, [relation('depends_on', 2), relation('connected_to', 6)]),
    ci(4, [relation('part_of', 5)]),
    ci(5),
    ci(6, [relation('depends_on', 9)]),
  );

  it('knows who depends on an item, and what an item needs', () => {
    expect(dependents(site, 1)).toEqual([idOf(2), idOf(3)]);
    expect(dependencies(site, 3)).toEqual([idOf(2), idOf(1)]);
  });

  it('lets a whole depend on its parts, and a connection carry nothing', () => {
    expect(dependents(site, 4)).toEqual([idOf(5)]);
    expect(dependents(site, 5)).toEqual([]);
    expect(dependents(site, 6)).toEqual([]);
  });

  it('leads to no item that does not exist', () => {
    expect(dependencies(site, 6)).toEqual([]);
    expect(getCiGraph(site).describe(idOf(9))).toBeUndefined();
  });

  it('describes items and the relation by which they were reached', () => {
    const { cis, total, truncated } = followRelations(getCiGraph(site), 'dependents', [idOf(1)], {
      depth: 10,
      limit: 1,
    });
    expect(cis).toEqual([
      {
        ...{ id: idOf(2), name: 'ci-2', class: 'server', status: 'degraded', environment: null },
        ...{ distance: 1, via: relation('runs_on', 1) },
      },
    ]);
    expect([total, truncated]).toEqual([2, true]);
  });

  it('follows changes and deletions', () => {
    const [host, guest] = [ci(1), ci(2, [relation('runs_on', 1)])];
    const replica = replicaOf(host, guest);
    expect(dependents(replica, 1)).toEqual([idOf(2)]);
    const unbound = changed(guest, { document: { ...guest.document, relations: [] } });
    replica.applyEncoded(ciType.listing(unbound));
    expect(dependents(replica, 1)).toEqual([]);
    const bound = changed(unbound, { document: guest.document });
    replica.applyEncoded(ciType.listing(bound));
    expect(dependents(replica, 1)).toEqual([idOf(2)]);
    replica.applyEncoded(ciType.listing(changed(bound, { deleted: true })));
    expect(dependents(replica, 1)).toEqual([]);
  });
});
