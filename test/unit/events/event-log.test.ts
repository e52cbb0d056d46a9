import { hash } from 'node:crypto';
import { eventOperations } from '../../../contract/events.ts';
import { countEvents } from '../../../lambdas/events/event-items.ts';
import { createEventLog } from '../../../lambdas/events/event-log.ts';
import { listEvents } from '../../../lambdas/events/list-events.ts';
import type { ServiceEvent } from '../../../lambdas/records/service-event.ts';
import fc from '../../support/properties.ts';
import { type MemoryItems, memoryItems } from './memory-items.ts';

const startMs = Date.parse('2026-03-01T09:30:00Z');
const noWait = async () => {};

let nowMs: number;
let items: MemoryItems;
const clock = { now: () => nowMs };
const aLog = () => createEventLog(items, clock, noWait);

beforeEach(() => {
  nowMs = startMs;
  items = memoryItems();
});

function anEvent(recordId: string, version: number, type: ServiceEvent['type'] = 'incident.updated'): ServiceEvent {
  const payload = JSON.stringify({
    event: type,
    timestamp: new Date(nowMs).toISOString(),
    service_instance: 'test',
    data: { id: recordId, url: 'https://example.com', changes: toNoise(`${recordId} ${version} ${type}`) },
  });
  const origin = { kind: 'api', id: null } as const;
  const at = new Date(nowMs).toISOString();
  return {
    id: `evt_${recordId}${version}${type}`,
    type,
    recordType: 'incident',
    recordId,
    version,
    at,
    origin,
    payload,
    record: {},
  };
}

/** Cannot be compressed, so that only a few events fit into the counter's item. */
const toNoise = (seed: string) => [1, 2, 3].map((part) => hash('sha512', `${seed} ${part}`, 'base64')).join('');

const toPayload = (id: string, bytes: number) => JSON.stringify({ data: { id, text: 'x'.repeat(bytes) } });

const readFeed = async (log = aLog()) => {
  const found = [];
  for (let after = 0; ; ) {
    const { entries, latest } = await log.after(after, 50);
    found.push(...entries);
    if (entries.length === 0) return { found, latest };
    after = entries.at(-1)!.sequence;
  }
};

describe('listEvents', () => {
  const list = async (query: object) => {
    const context = { caller: {} } as Parameters<ReturnType<typeof listEvents>>[1];
    const parsed = eventOperations.listEvents.query.parse(query);
    const input = { query: parsed } as Parameters<ReturnType<typeof listEvents>>[0];
    const { body } = await listEvents(aLog(), async () => new Set())(input, context);
    return body;
  };
  const toVersions = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ version }) => version);

  it('finds the events of a record directly among thousands, in both orders', async () => {
    await aLog().append([anEvent('INC1', 1, 'incident.created')]);
    await aLog().append(Array.from({ length: 2_500 }, (_, index) => anEvent(`INCX${index}`, 1)));
    await aLog().append([2, 3, 4].map((version) => anEvent('INC1', version)));
    items.ranges = 0;
    const oldest = await list({ record_id: 'INC1' });
    expect([toVersions(oldest), oldest.next_after, oldest.latest]).toEqual([[1, 2, 3, 4], 2_504, 2_504]);
    const rest = await list({ record_id: 'INC1', after: 1, type: 'incident.updated' });
    expect([toVersions(rest), rest.next_after]).toEqual([[2, 3, 4], 2_504]);
    const newest = await list({ record_id: 'INC1', order: 'desc', limit: 3 });
    expect([toVersions(newest), newest.next_after, newest.next_before]).toEqual([[4, 3, 2], 2_504, 2_502]);
    const last = await list({ record_id: 'INC1', order: 'desc', limit: 3, before: newest.next_before });
    expect([toVersions(last), last.next_before]).toEqual([[1], undefined]);
    const created = await list({ record_id: 'INC1', order: 'desc', type: 'incident.created' });
    expect([toVersions(created), created.next_after, created.next_before]).toEqual([[1], 2_504, undefined]);
    expect(await list({ record_id: 'INC2' })).toEqual({ data: [], next_after: 2_504, latest: 2_504 });
    expect(items.ranges).toBe(6);
  });

  it('hides expired events of a record', async () => {
    await aLog().append([anEvent('INC1', 1)]);
    nowMs += 31 * 24 * 60 * 60_000;
    await aLog().append([anEvent('INC1', 2)]);
    expect(toVersions(await list({ record_id: 'INC1', order: 'desc' }))).toEqual([2]);
  });

  it('limits a page of a record by its size and continues it', async () => {
    const big = (version: number) => ({ ...anEvent('INC1', version), payload: toPayload('INC1', 350_000) });
    for (let version = 1; version <= 20; version++) await aLog().append([big(version)]);
    const found: number[] = [];
    let before: number | undefined = 21;
    for (let pages = 0; before !== undefined && pages < 10; pages++) {
      const page: Awaited<ReturnType<typeof list>> = await list({
        record_id: 'INC1',
        order: 'desc',
        limit: 200,
        before,
      });
      expect(page.data.length).toBeLessThan(20);
      found.push(...toVersions(page));
      before = page.next_before;
    }
    expect(found).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index));
  });
});

describe('event log', () => {
  it('numbers events from 1 in the given order', async () => {
    await aLog().append([anEvent('INC1', 1, 'incident.created'), anEvent('INC2', 1), anEvent('INC1', 2)]);
    const { found, latest } = await readFeed();
    expect(found.map(({ sequence, data, version }) => `${sequence} ${data.id} ${version}`)).toEqual([
      '1 INC1 1',
      '2 INC2 1',
      '3 INC1 2',
    ]);
    expect(latest).toBe(3);
  });

  it('ignores a repeated batch, whole or in parts', async () => {
    const batch = [anEvent('INC1', 1), anEvent('INC1', 2), anEvent('INC2', 1), anEvent('INC1', 3)];
    await aLog().append(batch);
    const before = new Map(items.items);
    await aLog().append(batch);
    await aLog().append(batch.slice(1, 2));
    expect(items.items).toEqual(before);
  });

  it('continues after the last emitted version when a repeated batch has more events', async () => {
    const log = aLog();
    await log.append([anEvent('INC1', 1), anEvent('INC1', 2)]);
    await log.append([anEvent('INC1', 2), anEvent('INC2', 1), anEvent('INC1', 3)]);
    expect((await readFeed()).found.map(({ data, version }) => `${data.id} ${version}`)).toEqual([
      'INC1 1',
      'INC1 2',
      'INC2 1',
      'INC1 3',
    ]);
  });

  it('keeps the events of one version together', async () => {
    const events = Array.from({ length: 120 }, (_, index) => [
      anEvent(`INC${index}`, 2, 'incident.updated'),
      anEvent(`INC${index}`, 2, 'incident.resolved'),
      anEvent(`INC${index}`, 2, 'incident.priority_changed'),
    ]).flat();
    await aLog().append(events);
    for (const item of items.items.values()) {
      if (item.count) expect(countEvents(item) % 3).toBe(0);
      if (item.first_sequence) expect(Number(item.sequence!.N) - Number(item.first_sequence.N)).toBe(2);
    }
    expect((await readFeed()).latest).toBe(360);
  });

  it('writes two items for a change: the counter with the newest events, and the version', async () => {
    const log = aLog();
    const sizes: number[] = [];
    for (let version = 1; version <= 20; version++) {
      items.transactions = 0;
      const types =
        version % 2 ? (['incident.updated', 'incident.resolved'] as const) : (['incident.updated'] as const);
      await log.append(types.map((type) => anEvent('INC1', version, type)));
      sizes.push(items.transactions);
      const counter = items.items.get('events|counter')!;
      expect(counter.recent!.B!.byteLength).toBeLessThan(950);
    }
    // A third item when the newest events outgrow the counter's item.
    expect(sizes.filter((size) => size !== 2).every((size) => size === 3)).toBe(true);
    expect(sizes.filter((size) => size === 3).length).toBeLessThan(10);
  });

  it('stores consecutive events in one item of limited size', async () => {
    const large = (recordId: string): ServiceEvent => ({
      ...anEvent(recordId, 1),
      payload: toPayload(recordId, 60_000),
    });
    const log = aLog();
    await log.append([anEvent('INC1', 1), anEvent('INC2', 1), large('INC3'), large('INC4'), anEvent('INC5', 1)]);
    nowMs += 2 * 60 * 60_000;
    await log.append([anEvent('INC6', 1)]);
    const runs = [...items.items.values()].filter(({ pk }) => pk!.S!.startsWith('events#'));
    expect(runs.map(countEvents)).toEqual([3, 2]);
    expect((await readFeed()).found.map(({ sequence, data }) => `${sequence} ${data.id}`)).toEqual(
      ['INC1', 'INC2', 'INC3', 'INC4', 'INC5', 'INC6'].map((id, place) => `${place + 1} ${id}`),
    );
  });

  it('reads events of earlier releases', async () => {
    const { id, payload } = anEvent('INC1', 1);
    const sk = '0000000000000001';
    items.items.set(`events#0|${sk}`, {
      pk: { S: 'events#0' },
      sk: { S: sk },
      id: { S: id },
      version: { N: '1' },
      payload: { S: payload },
    });
    items.items.set('events|counter', { pk: { S: 'events' }, sk: { S: 'counter' }, sequence: { N: '1' } });
    await aLog().append([anEvent('INC2', 1)]);
    const { found } = await readFeed();
    expect(found.map((entry) => `${entry.sequence} ${entry.data.id} ${entry.version}`)).toEqual([
      '1 INC1 1',
      '2 INC2 1',
    ]);
  });

  it('returns exactly the requested number of events from any sequence number', async () => {
    const log = aLog();
    for (const length of [1, 7, 30, 2, 60]) {
      await log.append(Array.from({ length }, (_, place) => anEvent(`INC${length}x${place}`, 1)));
    }
    for (let after = 0; after <= 100; after++) {
      for (const limit of [1, 5, 50, 200]) {
        const { entries } = await log.after(after, limit);
        const wanted = Array.from({ length: Math.min(limit, 100 - after) }, (_, place) => after + 1 + place);
        expect(entries.map(({ sequence }) => sequence)).toEqual(wanted);
      }
    }
  });

  it('continues with the counter of another writer', async () => {
    const [one, other] = [aLog(), aLog()];
    await one.append([anEvent('INC1', 1)]);
    await other.append([anEvent('INC2', 1)]);
    await one.append([anEvent('INC3', 1)]);
    expect((await readFeed()).found.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  it('retries on conflicts, a limited number of times', async () => {
    let conflicts = 3;
    items.before = () => (conflicts-- > 0 ? { kind: 'conflict' } : undefined);
    await aLog().append([anEvent('INC1', 1)]);
    expect((await readFeed()).latest).toBe(1);
    items.before = () => ({ kind: 'conflict' });
    await expect(aLog().append([anEvent('INC2', 1)])).rejects.toThrow('could not be stored');
  });

  it('omits events older than 30 days and continues after them', async () => {
    const log = aLog();
    const many = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => anEvent(`INC${first + index}`, 1));
    // More than a partition holds.
    await log.append(many(0, 12_000));
    nowMs += 29 * 86_400_000;
    await log.append(many(12_000, 10));
    nowMs += 2 * 86_400_000;
    const { entries, latest } = await log.after(0, 200);
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 10 }, (_, index) => 12_001 + index));
    expect(latest).toBe(12_010);
  });

  it('reads across two partitions', async () => {
    const log = aLog();
    await log.append(Array.from({ length: 10_020 }, (_, index) => anEvent(`INC${index}`, 1)));
    const { entries } = await log.after(9_990, 20);
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => 9_991 + index));
  });

  it('has no gaps or duplicates for any repeated batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 60 }),
        fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 20 }),
        async (records, repeats) => {
          items = memoryItems();
          const versions = new Map<number, number>();
          const stream = records.map((record) => {
            versions.set(record, (versions.get(record) ?? 0) + 1);
            return anEvent(`INC${record}`, versions.get(record)!);
          });
          // Lambda may deliver stream records again, so each batch starts at or before the end of the previous one.
          let handled = 0;
          for (const [back, length] of repeats) {
            const from = Math.max(0, handled - back);
            const piece = stream.slice(from, from + length + 1);
            await aLog().append(piece);
            handled = Math.max(handled, from + piece.length);
          }
          await aLog().append(stream.slice(Math.max(0, handled - 3)));
          const { found } = await readFeed();
          expect(found.map(({ sequence }) => sequence)).toEqual(stream.map((_, index) => index + 1));
          expect(found.map(({ id }) => id)).toEqual(stream.map(({ id }) => id));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('has no gaps or duplicates after crashes between any two writes of concurrent writers', async () => {
    const run = async (crashes: readonly number[], writers: number) => {
      items = memoryItems();
      const expected = new Map<string, number>();
      // Each writer has its own records, like a shard of the stream, and repeats a batch until it succeeds.
      const write = async (writer: number) => {
        let log = aLog();
        const remaining = [...crashes];
        for (let batch = 0; batch < 6; batch++) {
          const events = [1, 2].flatMap((record) => {
            const id = `INC${writer}-${record}`;
            const version = (expected.get(id) ?? 0) + 1;
            expected.set(id, version);
            return [anEvent(id, version), ...(batch % 2 ? [anEvent(id, version, 'incident.resolved')] : [])];
          });
          for (let attempt = 0; attempt < 3; attempt++) {
            const countdown = remaining.shift() ?? 0;
            try {
              await createEventLog(withCrash(items, countdown), clock, noWait).append(events);
            } catch {}
          }
          await log.append(events);
          if (batch % 2) log = aLog();
        }
      };
      await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
      const { found, latest } = await readFeed();
      expect(found.map(({ sequence }) => sequence)).toEqual(Array.from({ length: latest }, (_, index) => index + 1));
      expect(new Set(found.map(({ id }) => id)).size).toBe(latest);
      for (const [id, version] of expected) {
        const own = found.filter(({ data }) => data.id === id);
        expect([...new Set(own.map((entry) => entry.version))]).toEqual(
          Array.from({ length: version }, (_, index) => index + 1),
        );
        for (const order of ['asc', 'desc'] as const) {
          const { entries } = await aLog().listByRecord(id, order, order === 'asc' ? 0 : latest + 1, 200);
          expect(order === 'asc' ? entries : entries.toReversed()).toEqual(own);
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 18 }), fc.integer({ min: 1, max: 3 }), run), {
      numRuns: 60,
    });
  });
});

/** Fails at a write, counted from 1, and at all later ones; 0 never fails. */
function withCrash(store: MemoryItems, failingWrite: number): MemoryItems {
  let writes = 0;
  const transact: MemoryItems['transact'] = async (given) => {
    if (++writes >= failingWrite && failingWrite > 0) throw new Error('crash');
    return store.transact(given);
  };
  const putMany: MemoryItems['putMany'] = async (all) => {
    for (const Item of all) await transact([{ name: 'item', put: { Item } }]);
  };
  return { ...store, transact, putMany };
}
