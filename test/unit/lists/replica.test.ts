import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import { articleListing } from '../../../lambdas/knowledge/article.ts';
import type { ListQuery, PageStart } from '../../../lambdas/lists/list-engine.ts';
import { encodeListing, formatRecordId } from '../../../lambdas/lists/listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { findPage, measureRows } from '../../../lambdas/lists/scan.ts';
import fc from '../../support/properties.ts';
import { fields, query, someId } from './arbitraries.ts';
import { runLargeSnapshot } from './run-large-snapshot.ts';
import { everything, type SimulatedIncident, SimulatedTable } from './simulated-table.ts';

const writes = fc.array(
  fc.record({ id: someId, fields, deleted: fc.boolean(), again: fc.nat(), stepMs: fc.nat({ max: 2_000 }) }),
  { maxLength: 60 },
);

/** A table with all versions of its records. */
function runScript(script: typeof writes extends fc.Arbitrary<infer Script> ? Script : never) {
  const table = new SimulatedTable();
  const versions: SimulatedIncident[] = [];
  for (const { id, fields: own, deleted, again, stepMs } of script) {
    table.nowMs += stepMs;
    const known = [...table.records.keys()];
    // Every third write changes an existing record.
    const target = again % 3 === 0 && known.length > 0 ? known[again % known.length]! : id;
    if (table.records.get(target)?.deleted) continue;
    versions.push({ ...table.put({ id: target, ...own, deleted: deleted && again % 4 === 0 }) });
  }
  return { table, versions };
}

function buildReplica(versions: readonly SimulatedIncident[]): Replica {
  const replica = new Replica(incidentListing);
  for (const version of versions) replica.applyEncoded(encodeListing(incidentListing, { ...version }));
  return replica;
}

function toIds(rows: readonly { number: number }[]): string[] {
  return rows.map(({ number }) => formatRecordId(number, 'INC'));
}

describe('replica', () => {
  it('finds exactly what brute force finds, in order, for any filters, words and sort', () => {
    fc.assert(
      fc.property(writes, query, (script, wanted) => {
        const { table, versions } = runScript(script);
        const expected = table.find(wanted);
        const { total, rows, more } = findPage(buildReplica(versions), wanted, { skip: 0 }, 1_000);
        expect([total, toIds(rows), more]).toEqual([expected.length, expected, false]);
      }),
      { numRuns: 200 },
    );
  });

  it('returns any page and any range after a row', () => {
    fc.assert(
      fc.property(writes, query, fc.integer({ min: 1, max: 7 }), fc.nat({ max: 30 }), (script, wanted, limit, skip) => {
        const { table, versions } = runScript(script);
        const replica = buildReplica(versions);
        const expected = table.find(wanted);
        const page = findPage(replica, wanted, { skip }, limit);
        expect(toIds(page.rows)).toEqual(expected.slice(skip, skip + limit));
        expect([page.total, page.more]).toEqual([expected.length, expected.length > skip + limit]);
        const after = page.rows.at(-1);
        if (!after) return;
        const next = findPage(replica, wanted, { after }, limit);
        const from = skip + page.rows.length;
        expect(toIds(next.rows)).toEqual(expected.slice(from, from + limit));
        expect(next.total).toBe(expected.length);
      }),
      { numRuns: 150 },
    );
  });

  it('reaches the same state for repeated versions in any order', () => {
    fc.assert(
      fc.property(writes, fc.infiniteStream(fc.nat()), (script, shuffle) => {
        const { table, versions } = runScript(script);
        const twice = [...versions, ...versions]
          .map((version) => ({ version, rank: shuffle.next().value as number }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ version }) => version);
        const { rows } = findPage(buildReplica(twice), everything, { skip: 0 }, 1_000);
        expect(toIds(rows)).toEqual(table.find(everything));
      }),
      { numRuns: 200 },
    );
  });

  it('stays correct over many chunks with changes and deletions', () => {
    const table = new SimulatedTable();
    const replica = new Replica(incidentListing);
    const apply = (record: SimulatedIncident) => replica.applyEncoded(encodeListing(incidentListing, { ...record }));
    const incident = (index: number, revision: number) => ({
      id: formatRecordId((index * 7_919_777) % 2 ** 35, 'INC'),
      priority: `P${1 + ((index + revision) % 4)}`,
      state: ['new', 'resolved', 'closed'][(index + revision) % 3]!,
      assignment_group: `group ${index % 39_999}`,
      assigned_to: null,
      category: null,
      short_description: `word${index % 500} revision${revision}`,
      description: revision > 0 ? `more words than before ${index % 1_000}` : null,
      deleted: revision > 0 && index % 11 === 0,
    });
    for (let index = 0; index < 40_000; index++) {
      table.nowMs += index % 5 === 0 ? 1 : 0;
      apply(table.put(incident(index, 0)));
    }
    for (let index = 0; index < 40_000; index += 3) apply(table.put(incident(index, 1)));
    expect([replica.rows, replica.liveRows]).toEqual([40_000, table.find(everything).length]);
    for (const wanted of [
      { ...everything, text: 'word123 revision0' },
      { ...everything, text: 'revision1 than', sort: 'updated_at' },
      { ...everything, strings: { assignment_group: 'group 39998' } },
      { ...everything, enums: { priority: ['P1'], state: ['resolved'] }, sort: 'priority', order: 'asc' as const },
    ]) {
      const expected = table.find(wanted);
      expect(expected.length).toBeGreaterThan(0);
      for (const skip of [0, Math.floor(expected.length / 2)]) {
        const { total, rows } = findPage(replica, wanted, { skip }, 200);
        expect([total, toIds(rows)]).toEqual([expected.length, expected.slice(skip, skip + 200)]);
      }
    }
  });

  it('rejects a column that is not in the listing', () => {
    const replica = new Replica(incidentListing);
    expect(() => findPage(replica, { ...everything, sort: 'impact' }, { skip: 0 }, 1)).toThrow(/unknown column impact/);
    expect(() => findPage(replica, { ...everything, strings: { impact: 'x' } }, { skip: 0 }, 1)).toThrow(
      /unknown column impact/,
    );
  });

  it('takes at most 215 bytes a record with descriptions of 60 words', () => {
    // In a process of its own, because Jest runs these loops ten times slower.
    const sizes = JSON.parse(runLargeSnapshot('measure', '13', '60'));
    for (const [index, maxBytes] of [150, 215].entries()) expect(sizes[index]).toBeLessThan(maxBytes);
  });
});

const words = ['vpn', 'mtu', 'F5-201', 'paper', 'jam', 'the'];
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((each) => each.join(' '));
const article = fc.record({
  title: text,
  body: text,
  tags: fc.uniqueArray(fc.constantFrom(...words), { maxLength: 2 }),
});

type Fields = typeof article extends fc.Arbitrary<infer Value> ? Value : never;

function add(replica: Replica, number: number, fields: Fields): void {
  const at = new Date(Date.UTC(2026, 2, 1) + number).toISOString();
  const record = {
    id: formatRecordId(number, 'KB'),
    created_at: at,
    updated_at: at,
    state: 'published',
    category: null,
  };
  replica.applyEncoded(encodeListing(articleListing, { ...record, ...fields }));
}

const asked = (q: string, order: 'asc' | 'desc' = 'desc'): ListQuery => ({
  enums: {},
  strings: {},
  times: {},
  text: q,
  sort: 'relevance',
  order,
});

function toNumbers(replica: Replica, q: string): number[] {
  return findPage(replica, asked(q), { skip: 0 }, 100).rows.map(({ number }) => number);
}

describe('search by relevance', () => {
  it('returns every record once in a stable order while others are added', () => {
    const q = fc
      .array(fc.constantFrom(...words, 'nobody'), { minLength: 1, maxLength: 3 })
      .map((each) => each.join(' '));
    const order = fc.constantFrom('asc' as const, 'desc' as const);
    fc.assert(
      fc.property(
        fc.array(article, { minLength: 1, maxLength: 30 }),
        fc.array(article, { maxLength: 10 }),
        q,
        order,
        (first, later, question, direction) => {
          const replica = new Replica(articleListing);
          for (const [number, fields] of first.entries()) add(replica, number * 2, fields);
          const query = asked(question, direction);
          const whole = findPage(replica, query, { skip: 0 }, 100);
          const walked: number[] = [];
          let start: PageStart = { skip: 0 };
          for (let page = 0; page < 100; page++) {
            const { rows, more, ranking } = findPage(replica, query, start, 3);
            walked.push(...rows.map(({ number }) => number));
            if (!more) break;
            start = { after: rows.at(-1)!, ranking };
            const fields = later[page];
            if (fields) add(replica, page * 2 + 1, fields);
          }
          expect(walked.filter((number) => number % 2 === 0)).toEqual(whole.rows.map(({ number }) => number));
          expect(new Set(walked).size).toBe(walked.length);
          expect(whole.total).toBe(whole.rows.length);
        },
      ),
    );
  });

  it('ranks the title over tags over the body, and a code over its parts', () => {
    const replica = new Replica(articleListing);
    add(replica, 1, { title: 'x', body: 'the vpn', tags: [] });
    add(replica, 2, { title: 'x', body: 'the', tags: ['vpn'] });
    add(replica, 3, { title: 'vpn', body: 'the', tags: [] });
    add(replica, 4, { title: 'x', body: 'F5 and 201, F5 and 201, F5 and 201', tags: [] });
    add(replica, 5, { title: 'x', body: 'It says F5-201.', tags: [] });
    expect(toNumbers(replica, 'vpn')).toEqual([3, 2, 1]);
    expect(toNumbers(replica, 'f5-201')).toEqual([5, 4]);
  });

  it('requires half of the words if no record has all, and ignores unknown words', () => {
    const replica = new Replica(articleListing);
    add(replica, 1, { title: 'vpn mtu', body: 'the', tags: [] });
    add(replica, 2, { title: 'vpn', body: 'paper', tags: [] });
    add(replica, 3, { title: 'jam', body: 'jam', tags: [] });
    expect(toNumbers(replica, 'vpn mtu')).toEqual([1]);
    expect(toNumbers(replica, 'vpn mtu paper')).toEqual([1, 2]);
    expect(toNumbers(replica, 'vpn mtu zebra')).toEqual([1, 2]);
    expect(toNumbers(replica, 'zebra')).toEqual([]);
  });
});

const day = (number: number, hour = 12) => Date.UTC(2026, 2, number, hour);
const allRows = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' } as const;
const columns = { resolved: 'resolved_at', breached: 'sla_breach_at', acknowledged: 'acknowledged_at' };

/** P1 is 1, P2 is 2; no time is 0. */
function buildIncidentReplica(
  rows: readonly {
    createdMs: number;
    resolvedMs?: number;
    breachMs?: number;
    acknowledgedMs?: number;
    group?: string;
  }[],
) {
  const replica = new Replica(incidentListing);
  for (const [number, { createdMs, group = null, ...times }] of rows.entries()) {
    const { resolvedMs = 0, breachMs = 0, acknowledgedMs = 0 } = times;
    replica.apply({
      number,
      deleted: number === 0,
      times: [createdMs, createdMs, resolvedMs, breachMs, 0, acknowledgedMs],
      enums: [(number % 2) + 1, 1],
      strings: [group, null, null],
      words: new Int32Array(),
    });
  }
  return replica;
}

const replica = buildIncidentReplica([
  { createdMs: day(3) },
  { createdMs: day(1, 0) },
  { createdMs: day(1, 23), resolvedMs: day(3, 0), acknowledgedMs: day(2, 1), group: 'network' },
  { createdMs: day(2), resolvedMs: day(3, 23), breachMs: day(3, 22), group: 'network' },
  { createdMs: day(0), resolvedMs: day(2), breachMs: 0 },
]);

describe('measureRows', () => {
  it('counts creations and resolutions per UTC day, without other days and deleted rows', () => {
    const request = { groupBy: [], firstDayMs: day(1, 0), days: 3 };
    const { days, total, groups } = measureRows(replica, allRows, columns, request);
    expect(days.map(({ count, resolved, breached }) => [count, resolved, breached])).toEqual([
      [2, 0, 0],
      [1, 1, 0],
      [0, 2, 1],
    ]);
    expect(total).toMatchObject({ count: 4, resolved: 3, breached: 1 });
    expect(total.resolutionMs).toBe(day(3, 0) - day(1, 23) + day(3, 23) - day(2) + day(2) - day(0));
    expect(groups).toEqual([]);
  });

  it('measures acknowledgements in total, per group and on their day', () => {
    const request = { groupBy: ['assignment_group'], firstDayMs: day(1, 0), days: 3 };
    const { days, total, groups } = measureRows(replica, allRows, columns, request);
    const twoHours = { acknowledged: 1, acknowledgementMs: 2 * 3_600_000 };
    expect(total).toMatchObject(twoHours);
    expect(groups.find(({ values }) => values[0] === 'network')?.tally).toMatchObject(twoHours);
    expect(days.map(({ acknowledged }) => acknowledged)).toEqual([0, 1, 0]);
  });

  it('groups by an enum and a string, with null for no value', () => {
    const request = { groupBy: ['assignment_group', 'priority'], firstDayMs: 0, days: 0 };
    const { groups, days } = measureRows(replica, allRows, columns, request);
    const counts = groups.map(({ values, tally }) => [...values, tally.count]);
    expect(counts.sort()).toEqual([
      [null, 'P1', 1],
      [null, 'P2', 1],
      ['network', 'P1', 1],
      ['network', 'P2', 1],
    ]);
    expect(days).toEqual([]);
  });
});
