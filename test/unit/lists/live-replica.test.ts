import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import type { ListQuery } from '../../../lambdas/lists/list-engine.ts';
import { listRecords } from '../../../lambdas/lists/list-records.ts';
import { formatRecordId } from '../../../lambdas/lists/listing.ts';
import { LiveReplica, type LoadedSnapshot, overlaps } from '../../../lambdas/lists/live-replica.ts';
import type { ReadRecords } from '../../../lambdas/lists/record-store.ts';
import { createReplicaEngine } from '../../../lambdas/lists/replica-engine.ts';
import { findPage } from '../../../lambdas/lists/scan.ts';
import { createHmacCursorSeal } from '../../../lambdas/records/page.ts';
import fc from '../../support/properties.ts';
import { fields, order, someId, sort } from './arbitraries.ts';
import { everything, getPosition, type SimulatedIncident, SimulatedTable } from './simulated-table.ts';

const blank = {
  priority: 'P3',
  state: 'new',
  assignment_group: null,
  assigned_to: null,
  category: null,
  short_description: 'x',
  description: null,
  deleted: false,
};

function follow(
  table: SimulatedTable,
  loadSnapshot: () => Promise<LoadedSnapshot | undefined> = async () => undefined,
) {
  const clock = { now: () => table.nowMs };
  const logged: string[] = [];
  const taken: string[] = [];
  const log = (_level: string, message: string) => void logged.push(message);
  const replica = new LiveReplica({
    spec: incidentListing,
    feed: table.feed,
    loadSnapshot,
    clock,
    log,
    onEntry: (id) => taken.push(id),
    timeoutMs: 20_000,
  });
  const ids = async (query: ListQuery = everything) => {
    const { rows } = findPage(await replica.refresh(), query, { skip: 0 }, 1_000);
    return rows.map(({ number }) => formatRecordId(number, 'INC'));
  };
  return { replica, ids, logged, taken };
}

/** Reads pages from the current state of the table. */
function readFrom(table: SimulatedTable): ReadRecords {
  return (async (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const { created_at, updated_at, deleted, ...document } = table.records.get(id)!;
      const counts = { version: 1, notes_count: 0, private_notes_count: 0 };
      const record = { id, created_at, updated_at, deleted, ...counts, document };
      return deleted ? [] : [{ record, bytes: 1_000 }];
    })) as ReadRecords;
}

const action = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), id: someId, fields }),
  fc.record({ kind: fc.constant('update' as const), which: fc.nat(), fields }),
  fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
);

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

function perform(table: SimulatedTable, step: Action, stepMs: number): void {
  table.nowMs += stepMs;
  if (step.kind === 'create') {
    if (!table.records.has(step.id)) table.put({ id: step.id, ...step.fields, deleted: false });
    return;
  }
  const alive = [...table.records.values()].filter(({ deleted }) => !deleted);
  const target = alive[step.which % Math.max(1, alive.length)];
  if (!target) return;
  if (step.kind === 'delete') table.put({ ...target, deleted: true });
  else table.put({ ...target, ...step.fields });
}

describe('cursors', () => {
  it('return every unchanged record exactly once and in order during any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(someId, fields), { minLength: 1, maxLength: 30 }),
        fc.array(fc.tuple(action, fc.nat({ max: 3_000 }), fc.nat({ max: 3 })), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        sort,
        order,
        async (initial, script, limit, by, direction) => {
          const table = new SimulatedTable();
          table.pageSize = 7;
          for (const [id, own] of initial) perform(table, { kind: 'create', id, fields: own }, 500);
          const before = new Map([...table.records].map(([id, record]) => [id, { ...record }]));
          const pending = [...script];
          // Writes happen while the feed is read, between search and read, and between two pages.
          const happen = (max: number) => {
            for (const [step, stepMs] of pending.splice(0, max)) perform(table, step, stepMs);
          };
          table.meanwhile = () => happen(pending[0]?.[2] === 3 ? 1 : 0);
          const engine = createReplicaEngine(incidentListing, follow(table).replica);
          const source = { engine, read: readFrom(table), seal: createHmacCursorSeal('key') };
          const read = source.read;
          source.read = (async (ids) => {
            happen(pending[0]?.[2] === 2 ? 1 : 0);
            return read(ids);
          }) as ReadRecords;
          const query = { ...everything, sort: by, order: direction };
          const walked: string[] = [];
          let cursor: string | undefined;
          let pages = 0;
          do {
            const page = await listRecords(source, query, { limit, cursor }, ({ id }) => id);
            walked.push(...page.data);
            cursor = page.next_cursor;
            happen(pending[0]?.[2] ?? 1);
            expect(++pages).toBeLessThan(200);
          } while (cursor !== undefined);
          const kept = [...before.values()].filter((record) => isUnmoved(record, table.records.get(record.id)!, by));
          const sign = direction === 'asc' ? 1 : -1;
          const expected = kept.sort((a, b) => sign * compare(a, b, by)).map(({ id }) => id);
          const ids = new Set(expected);
          expect(walked.filter((id) => ids.has(id))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function isUnmoved(before: SimulatedIncident, after: SimulatedIncident, by: string): boolean {
  // A record may move and return, so compare only records that did not change or whose position cannot change.
  const untouched = before.updated_at === after.updated_at;
  return !after.deleted && (by === 'created_at' || untouched);
}

function compare(a: SimulatedIncident, b: SimulatedIncident, by: string): number {
  const [first, second] = [getPosition(a, by), getPosition(b, by)];
  return first.value - second.value || first.number - second.number;
}

describe('live replica', () => {
  it('shows all writes before the call, also with overlapping calls', async () => {
    const table = new SimulatedTable();
    const { ids } = follow(table);
    const lists: Promise<string[]>[] = [];
    for (let index = 0; index < 20; index++) {
      table.put({ id: formatRecordId(index, 'INC'), ...blank });
      lists.push(ids());
    }
    for (const [index, list] of (await Promise.all(lists)).entries()) expect(list.length).toBeGreaterThan(index);
  });

  it('shares one catch-up among all waiting callers', async () => {
    const table = new SimulatedTable();
    const { ids } = follow(table);
    await ids();
    table.reads = 0;
    await Promise.all(Array.from({ length: 50 }, () => ids()));
    expect(table.reads).toBe(2 * table.feed.shards);
  });

  it('finds late entries with deeper overlaps', async () => {
    for (const { backMs, everyMs } of overlaps) {
      const table = new SimulatedTable();
      const { ids } = follow(table);
      for (let index = 0; index < 40; index++) table.put({ id: formatRecordId(index, 'INC'), ...blank });
      await ids();
      // The clock of the writer or the index is behind.
      table.nowMs -= backMs - 100;
      table.put({ id: formatRecordId(99, 'INC'), ...blank });
      table.nowMs += backMs - 100 + everyMs;
      expect(await ids()).toHaveLength(41);
    }
  });

  it('does not reread entries older than the overlap', async () => {
    const table = new SimulatedTable();
    const { ids, taken } = follow(table);
    await ids();
    for (let index = 0; index < 40; index++) table.put({ id: formatRecordId(index, 'INC'), ...blank });
    expect(await ids()).toHaveLength(40);
    expect(taken).toHaveLength(40);
    // Entries within the overlap are read again.
    await ids();
    expect(taken).toHaveLength(80);
    const { backMs, everyMs } = overlaps.at(-1)!;
    table.nowMs += backMs + everyMs;
    await ids();
    taken.length = 0;
    table.nowMs += everyMs;
    expect(await ids()).toHaveLength(40);
    expect(taken).toEqual([]);
  });

  it('continues from its position after a failure', async () => {
    const table = new SimulatedTable();
    table.pageSize = 10;
    for (let index = 0; index < 200; index++) {
      table.nowMs += 60_000;
      table.put({ id: formatRecordId(index, 'INC'), ...blank });
    }
    const { ids } = follow(table);
    let calls = 0;
    table.meanwhile = () => {
      if (++calls === 10) table.failures = 1;
    };
    await expect(ids()).rejects.toThrow('cannot be read');
    const before = table.reads;
    table.reads = 0;
    expect(await ids()).toHaveLength(200);
    expect(table.reads).toBeLessThan(before);
  });

  it('times out, keeps its progress, and continues with the next call', async () => {
    const table = new SimulatedTable();
    table.pageSize = 10;
    for (let index = 0; index < 100; index++) {
      table.nowMs += 60_000;
      table.put({ id: formatRecordId(index, 'INC'), ...blank });
    }
    const { ids, logged } = follow(table);
    table.meanwhile = () => {
      table.nowMs += 11_000;
    };
    const tries = 10;
    let loaded = 0;
    for (let attempt = 0; attempt < tries && loaded === 0; attempt++) {
      loaded = await ids().then(
        (list) => list.length,
        (error) => {
          expect(error).toMatchObject({ code: 'unavailable' });
          table.meanwhile = () => {
            table.nowMs += 3_000;
          };
          return 0;
        },
      );
    }
    expect(loaded).toBe(100);
    expect(logged).toEqual(['loaded a list replica']);
  });
});
