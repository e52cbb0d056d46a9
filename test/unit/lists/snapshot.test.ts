import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import { formatRecordId } from '../../../lambdas/lists/listing.ts';
import { LiveReplica, type LiveReplicaOptions } from '../../../lambdas/lists/live-replica.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import {
  createReplicaSnapshotSource,
  loadReplicaSnapshot,
  toReplicaSnapshot,
  toReplicaSnapshotKind,
} from '../../../lambdas/lists/replica-wiring.ts';
import { findPage } from '../../../lambdas/lists/scan.ts';
import { createSnapshotWriter, type SnapshotStore, writeSnapshot } from '../../../lambdas/lists/snapshot-store.ts';
import { hashWord } from '../../../lambdas/lists/words.ts';
import fc from '../../support/properties.ts';
import { query } from './arbitraries.ts';
import { everything, SimulatedTable } from './simulated-table.ts';

const log = () => {};

class MemoryStore implements SnapshotStore {
  readonly objects = new Map<string, Uint8Array>();

  async read(key: string) {
    return this.objects.get(key);
  }

  async write(key: string, bytes: Uint8Array) {
    this.objects.set(key, Uint8Array.from(bytes));
  }

  async keys(prefix: string) {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix));
  }

  async remove(key: string) {
    this.objects.delete(key);
  }
}

function fillReplica(rows: number, from = 0): Replica {
  const replica = new Replica(incidentListing);
  for (let row = from; row < from + rows; row++) fill(replica, row);
  return replica;
}

function fill(replica: Replica, row: number, updatedAt = 1_000_000 + row): void {
  replica.apply({
    number: (row * 48_271) % 2 ** 35,
    deleted: row % 13 === 0,
    times: [1_000_000 + (row % 777), updatedAt],
    enums: [1 + (row % 4), 1 + (row % 7)],
    strings: [row % 3 === 0 ? null : ['network', 'mail'][row % 2]!, `person${row % 66_000}@example.com`, null],
    words: Int32Array.of(hashWord('mail'), hashWord(`w${row % 50}`)).sort(),
  });
}

const write = (store: SnapshotStore, replica: Replica, marks: readonly string[], id: string, partBytes?: number) =>
  writeSnapshot(store, toReplicaSnapshotKind(incidentListing), toReplicaSnapshot(replica), marks, id, partBytes);

const marks = ['a', 'b', '', 'd'];

describe('snapshots', () => {
  it('restore a replica with the same results for every query', async () => {
    const store = new MemoryStore();
    const replica = fillReplica(40_000);
    await write(store, replica, marks, 'one');
    const loaded = await loadReplicaSnapshot(store, incidentListing, log);
    expect(loaded!.watermarks).toEqual(marks);
    expect([loaded!.replica.rows, loaded!.replica.liveRows]).toEqual([replica.rows, replica.liveRows]);
    fc.assert(
      fc.property(query, (wanted) => {
        const page = (of: Replica) => findPage(of, wanted, { skip: 0 }, 50);
        expect(page(loaded!.replica)).toEqual(page(replica));
      }),
      { numRuns: 50 },
    );
  });

  it('accept changes after loading', async () => {
    const store = new MemoryStore();
    const replica = fillReplica(20_000);
    await write(store, replica, marks, 'one');
    const { replica: loaded } = (await loadReplicaSnapshot(store, incidentListing, log))!;
    for (const each of [replica, loaded]) {
      for (let row = 15_000; row < 40_000; row += 3) fill(each, row, 9_000_000 + row);
    }
    const page = (of: Replica) => findPage(of, { ...everything, sort: 'updated_at', text: 'w7' }, { skip: 0 }, 300);
    expect(page(loaded)).toEqual(page(replica));
    expect(page(loaded).total).toBeGreaterThan(0);
  });

  it('are written in parts, and only the last two are retained', async () => {
    const store = new MemoryStore();
    const replica = fillReplica(70_000);
    for (const id of ['one', 'two', 'three']) await write(store, replica, marks, id, 1_000_000);
    const snapshots = new Set([...store.objects.keys()].map((key) => key.split('/')[1]));
    expect(snapshots).toEqual(new Set(['manifest', 'two', 'three']));
    expect([...store.objects.keys()].filter((key) => key.includes('/three/')).length).toBeGreaterThan(1);
    expect((await loadReplicaSnapshot(store, incidentListing, log))!.replica.rows).toBe(70_000);
  });

  it('forget values that no record has any more', async () => {
    const store = new MemoryStore();
    const replica = new Replica(incidentListing);
    const apply = (number: number, updatedAt: number, group: string, deleted = false) =>
      replica.apply({
        number,
        deleted,
        times: [1, updatedAt, 0, 0, 0],
        enums: [1, 1],
        strings: [group, null, 'mail'],
        words: new Int32Array(),
      });
    for (let number = 0; number < 20_000; number++) apply(number, 1, `group ${number}`);
    for (let number = 0; number < 20_000; number++) apply(number, 2, `team ${number % 7}`, number % 2 === 0);
    await write(store, replica, marks, 'one');
    const { replica: loaded } = (await loadReplicaSnapshot(store, incidentListing, log))!;
    expect(loaded.dictionaries.map(({ size }) => size)).toEqual([
      7,
      0,
      1,
      ...incidentListing.strings.slice(3).map(() => 0),
    ]);
    const count = (of: Replica, group: string) =>
      findPage(of, { ...everything, strings: { assignment_group: group } }, { skip: 0 }, 1).total;
    for (const group of ['team 0', 'team 6', 'group 3']) expect(count(loaded, group)).toBe(count(replica, group));
    expect(count(loaded, 'team 6')).toBeGreaterThan(1_000);
  });

  it('are ignored when missing, damaged, incomplete or made for other fields', async () => {
    const store = new MemoryStore();
    expect(await loadReplicaSnapshot(store, incidentListing, log)).toBeUndefined();
    const damages: ((objects: Map<string, Uint8Array>) => void)[] = [
      (objects) => flip(objects.get('incident/manifest')!, 100),
      (objects) => flip(objects.get('incident/one/0')!, 5_000),
      (objects) => void objects.delete('incident/one/0'),
      (objects) => void objects.set('incident/one/0', objects.get('incident/one/0')!.subarray(0, 64)),
      (objects) => void objects.set('incident/manifest', Buffer.from('{}')),
    ];
    for (const damage of damages) {
      await write(store, fillReplica(1_000), marks, 'one');
      expect(await loadReplicaSnapshot(store, incidentListing, log)).toBeDefined();
      damage(store.objects);
      expect(await loadReplicaSnapshot(store, incidentListing, log)).toBeUndefined();
    }
    await write(store, fillReplica(1_000), marks, 'one');
    const other = { ...incidentListing, strings: ['assignment_group', 'category'] };
    expect(await loadReplicaSnapshot(store, other, log)).toBeUndefined();
  });

  it('are ignored, not fatal, when the store cannot be reached', async () => {
    const store = new MemoryStore();
    store.read = async () => {
      throw new Error('no connection');
    };
    expect(await loadReplicaSnapshot(store, incidentListing, log)).toBeUndefined();
  });

  it('may be written while the replica changes, because the feed delivers the rest', async () => {
    const table = new SimulatedTable();
    const put = (index: number) =>
      table.put({ ...incident, id: formatRecordId(index, 'INC'), short_description: `w${index}` });
    for (let index = 0; index < 2_000; index++) put(index);
    const store = new MemoryStore();
    const live = () => startReplica(table, () => loadReplicaSnapshot(store, incidentListing, log));
    const first = live();
    const replica = await first.refresh();
    const writeObject = store.write.bind(store);
    store.write = async (key, bytes) => {
      table.nowMs += 5_000;
      for (let index = 1_500; index < 2_500; index++) put(index);
      await first.refresh();
      return writeObject(key, bytes);
    };
    await write(store, replica, first.watermarks, 'one');
    const { rows, total } = findPage(await live().refresh(), everything, { skip: 0 }, 3_000);
    expect(total).toBe(2_500);
    expect(rows.map(({ number }) => formatRecordId(number, 'INC'))).toEqual(table.find(everything));
  });
});

describe('the snapshot writer', () => {
  it('holds no replica between two writes', async () => {
    const table = new SimulatedTable();
    let sources = 0;
    const write = createSnapshotWriter({
      kind: toReplicaSnapshotKind(incidentListing),
      feed: table.feed,
      createSource: () => {
        sources++;
        return createReplicaSnapshotSource(startReplica(table));
      },
      store: new MemoryStore(),
      newId: () => `s${sources}`,
      log,
    });
    for (let index = 0; index < 1_000; index++) table.put({ ...incident, id: formatRecordId(index, 'INC') });
    for (let run = 0; run < 3; run++) await write();
    expect(sources).toBe(1);
  });

  it('writes only after enough changes', async () => {
    const table = new SimulatedTable();
    const store = new MemoryStore();
    let ids = 0;
    const write = createSnapshotWriter({
      kind: toReplicaSnapshotKind(incidentListing),
      feed: table.feed,
      createSource: () => createReplicaSnapshotSource(startReplica(table)),
      store,
      newId: () => `s${++ids}`,
      log,
    });
    const add = (from: number, to: number) => {
      table.nowMs += 1_000;
      for (let index = from; index < to; index++) table.put({ ...incident, id: formatRecordId(index, 'INC') });
    };
    add(0, 900);
    await write();
    expect(ids).toBe(0);
    add(900, 1_100);
    await write();
    await write();
    expect(ids).toBe(1);
    add(1_100, 2_000);
    await write();
    expect(ids).toBe(1);
    add(2_000, 2_400);
    await write();
    expect(ids).toBe(2);
    expect((await loadReplicaSnapshot(store, incidentListing, log))!.replica.rows).toBe(2_400);
  });
});

function startReplica(table: SimulatedTable, loadSnapshot: LiveReplicaOptions['loadSnapshot'] = async () => undefined) {
  const clock = { now: () => table.nowMs };
  return new LiveReplica({ spec: incidentListing, feed: table.feed, loadSnapshot, clock, log, timeoutMs: 20_000 });
}

const incident = {
  priority: 'P3',
  state: 'new',
  assignment_group: null,
  assigned_to: null,
  category: null,
  short_description: 'x',
  description: null,
  deleted: false,
};

function flip(bytes: Uint8Array, place: number): void {
  bytes[place]! ^= 1;
}
