import { ciListing } from '../../lambdas/cmdb/ci.ts';
import { readCiGraph } from '../../lambdas/cmdb/ci-graph.ts';
import { incidentListing } from '../../lambdas/incidents/incident-listing.ts';
import { articleListing } from '../../lambdas/knowledge/article.ts';
import type { ListEngine, ListQuery, PageStart } from '../../lambdas/lists/list-engine.ts';
import { encodeListing, formatRecordId, type ListedRecord, type ListingSpec } from '../../lambdas/lists/listing.ts';
import { Replica } from '../../lambdas/lists/replica.ts';
import { createReplicaEngine } from '../../lambdas/lists/replica-engine.ts';
import {
  createIndex,
  findUnusableIndexes,
  toListIndex,
  toListWrite,
  writeDocuments,
} from '../../lambdas/lists/search-documents.ts';
import { createSearchEngine } from '../../lambdas/lists/search-engine.ts';
import { verifySearch } from '../../lambdas/lists/search-index.ts';
import { connectSearch, type SearchClient } from '../../lambdas/platform/clients/opensearch.ts';
import { random as createRandom } from '../support/random.ts';
import { findObstacle, type OpenSearchNode, startNode } from './node.ts';

// Both engines get the same records and edits, OpenSearch in random order and repeatedly. Then they answer the same
// queries, and the results must be equal. A failure prints its seed: SEED=… npm run test:opensearch.

const obstacle = findObstacle();
if (obstacle) console.warn(obstacle);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
const rounds = 20;
const recordsPerType = 400;
const queriesPerRound = 100;

const { next: random } = createRandom(seed);
const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
const maybe = <Value>(value: Value, share = 0.5) => (random() < share ? value : undefined);
const some = <Value>(values: readonly Value[]) => values.filter(() => random() < 0.4);

const words = ['mail', 'Server', 'büro', 'BURO', 'down', 'vpn', 'F5-201', '10.1.0.53', 'straße', 'STRASSE', 'paper'];
const groups = ['network', 'Mail', 'service desk', 'it\'s "quoted" \\ AND *:*', 'x'.repeat(200)];
const people = ['ada@example.com', 'eve@example.com', 'bob@example.com'];
const startMs = Date.UTC(2026, 2, 1);
const sentence = (max: number) =>
  Array.from({ length: Math.floor(random() * max) }, () => pick(words)).join(pick([' ', ', ', '\n']));
const someTime = () => new Date(startMs + Math.floor(random() * 40) * 43_200_000).toISOString();

interface Kind {
  spec: ListingSpec;
  fields(): Record<string, unknown>;
}

const kinds: readonly Kind[] = [
  {
    spec: incidentListing,
    fields: () => ({
      priority: pick(incidentListing.enums.priority!),
      state: pick(incidentListing.enums.state!),
      assignment_group: maybe(pick(groups)) ?? null,
      assigned_to: maybe(pick(people)) ?? null,
      category: maybe(pick(['email', 'Büro', ''])) ?? null,
      short_description: sentence(5),
      description: maybe(sentence(60)) ?? null,
      ci_id: maybe(pick(['CI0000001', 'CI0000002'])) ?? null,
      opened_by: pick(people),
      resolved_at: maybe(someTime()) ?? null,
      sla_breach_at: maybe(someTime()) ?? null,
      sla_warning_at: maybe(someTime()) ?? null,
    }),
  },
  {
    spec: articleListing,
    fields: () => ({
      state: pick(['draft', 'published']),
      category: maybe(pick(groups)) ?? null,
      tags: some(['vpn', 'Büro', 'F5-201']),
      title: sentence(4),
      body: sentence(30),
    }),
  },
  {
    spec: ciListing,
    fields: () => ({
      name: `${pick(words)}-${Math.floor(random() * 50)}`,
      class: pick(['server', 'service']),
      status: pick(ciListing.enums.status!),
      environment: maybe('prod') ?? null,
      owner: null,
      location: maybe(pick(groups)) ?? null,
      ip_address: null,
      edges:
        maybe(
          Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(['d', 'r', 'p', 'c']) + toSuffix()).join(' '),
        ) ?? null,
    }),
  },
];

const toSuffix = () => formatRecordId(Math.floor(random() * recordsPerType), '');

function toQuery({ spec }: Kind): ListQuery {
  const texts = [
    pick(words),
    `${pick(words)} ${pick(words)}`,
    `${sentence(4)} nothing`,
    formatRecordId(pick([1, 2, 9]), spec.idPrefix),
  ];
  const ranked = spec.relevance !== undefined && random() < 0.6;
  const text = ranked ? pick(texts) : maybe(pick(texts), 0.3);
  const times = ['created_at', 'updated_at', ...spec.times];
  const range = () => ({ afterMs: Date.parse(someTime()), beforeMs: Date.parse(someTime()) + 86_400_000 * 10 });
  const strings = spec.strings.filter((name) => name !== spec.edges);
  const optional = <Value extends object>(share: number, make: () => Value) => (random() < share ? make() : {});
  return {
    ...optional(0.1, () => ({ ids: Array.from({ length: 30 }, () => spec.idPrefix + toSuffix()) })),
    enums: Object.fromEntries(
      Object.entries(spec.enums)
        .filter(() => random() < 0.3)
        .map(([name, values]) => [name, some(values)]),
    ),
    strings: Object.fromEntries(
      strings
        .filter(() => random() < 0.15)
        .map((name) => [name, pick([null, '', 'nobody', some(groups), ...groups, ...people])]),
    ),
    not: Object.fromEntries(strings.filter(() => random() < 0.1).map((name) => [name, some([...groups, ...people])])),
    ...optional(0.3, () => ({ sets: spec.sets ? { tags: some(['vpn', 'buro', 'f5-201']) } : {} })),
    ...optional(0.2, () => ({
      references: spec.references ? { [pick(spec.references)]: [pick(['CI0000001', 'ada@example.com']), 'x'] } : {},
    })),
    times: Object.fromEntries(times.filter(() => random() < 0.15).map((name) => [name, range()])),
    ...optional(0.2, () => ({
      conditions: [{ name: 'c', anyOf: [{ [pick(times)]: range() }, { [pick(times)]: range() }] }],
    })),
    ...optional(0.1, () => ({
      related: [{ name: 'r', ids: Array.from({ length: 50 }, () => spec.idPrefix + toSuffix()) }],
    })),
    text,
    sort: ranked ? 'relevance' : pick([...times, ...Object.keys(spec.enums)]),
    order: pick(['asc', 'desc']),
  };
}

const describeIf = obstacle ? describe.skip : describe;

describeIf(`replica and OpenSearch, seed ${seed}`, () => {
  let node: OpenSearchNode;
  let client: SearchClient;

  beforeAll(async () => {
    node = await startNode();
    client = connectSearch(node.url, 'conformance');
  });

  afterAll(() => node?.stop());

  it('rejects missing indexes, indexes of another release and unknown servers with the name of the setting', async () => {
    await expect(verifySearch(client, [toListIndex(incidentListing)])).rejects.toThrow(
      /index of SEARCH_ENDPOINT is missing/,
    );
    await createIndexes(
      client,
      kinds.map(({ spec }) => spec),
    );
    const changed = { ...incidentListing, strings: ['assignment_group'] };
    await expect(verifySearch(client, [toListIndex(changed)])).rejects.toThrow(
      /SEARCH_ENDPOINT has the mapping of another release/,
    );
    await verifySearch(
      client,
      kinds.map(({ spec }) => toListIndex(spec)),
    );
    const nowhere = createSearchEngine(incidentListing, connectSearch('http://127.0.0.1:1', 'x'));
    await expect(nowhere.listValues(['category'])).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The search engine of SEARCH_ENDPOINT cannot be reached.',
      extra: { headers: { 'Retry-After': '5' } },
    });
  });

  it(`answer ${rounds * queriesPerRound} random queries over random edits alike`, async () => {
    await createIndexes(
      client,
      kinds.map(({ spec }) => spec),
    );
    const tables = kinds.map((kind) => new Table(kind, client));
    for (let round = 0; round < rounds; round++) {
      for (const table of tables) await table.edit(round === 0 ? recordsPerType : 60);
      await client.request('POST', '/_refresh');
      for (let query = 0; query < queriesPerRound; query++) await pick(tables).compare();
      const [, , cis] = tables;
      await cis!.compareGraphs();
    }
    for (const table of tables) expect(table.compared).toBeGreaterThan(0);
  }, 900_000);

  it('reaches pages beyond the window of OpenSearch', async () => {
    const spec = { ...articleListing, type: 'many' };
    await createIndexes(client, [spec]);
    const replica = new Replica(spec);
    const listings = Array.from({ length: 25_000 }, (_, number) =>
      encodeListing(spec, toRecord(spec, number, { title: 'vpn', state: 'draft' }, startMs + (number % 7_000))),
    );
    for (const listing of listings) replica.applyEncoded(listing);
    for (let first = 0; first < listings.length; first += 1_000) {
      const some = listings.slice(first, first + 1_000).map((listing) => toListWrite(spec, listing));
      expect(await writeDocuments(client, some)).toEqual([]);
    }
    await client.request('POST', '/_refresh');
    const [known, searched] = [
      createReplicaEngine(spec, { refresh: async () => replica }),
      createSearchEngine(spec, client),
    ];
    for (const skip of [9_970, 9_999, 10_000, 19_998, 20_001, 24_990, 25_000, 1_000_000_000]) {
      const query = { ...everything, sort: 'created_at' };
      expect(await searched.findPage(query, { skip }, 30)).toEqual(await known.findPage(query, { skip }, 30));
    }
  }, 300_000);
});

async function createIndexes(client: SearchClient, specs: readonly ListingSpec[]): Promise<void> {
  const known = specs.map(toListIndex);
  const missing = await findUnusableIndexes(client, known);
  for (const kind of known.filter(({ type }) => missing.includes(type))) {
    const alias = client.toIndexName(kind.type);
    await createIndex(client, `${alias}-1`, kind);
    await client.request('POST', '/_aliases', { actions: [{ add: { index: `${alias}-1`, alias } }] });
  }
}

const everything: ListQuery = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' };

function toRecord(spec: ListingSpec, number: number, fields: object, nowMs: number): ListedRecord {
  const at = new Date(nowMs).toISOString();
  return { id: formatRecordId(number, spec.idPrefix), created_at: at, updated_at: at, ...fields };
}

/** The records of one kind in both engines. */
class Table {
  compared = 0;
  private readonly kind: Kind;
  private readonly client: SearchClient;
  private readonly records = new Map<number, ListedRecord>();
  private readonly versions: Uint8Array[] = [];
  private readonly replica: Replica;
  private readonly engines: readonly [ListEngine, ListEngine];

  constructor(kind: Kind, client: SearchClient) {
    this.kind = kind;
    this.client = client;
    this.replica = new Replica(kind.spec);
    const replica = createReplicaEngine(kind.spec, { refresh: async () => this.replica });
    this.engines = [replica, createSearchEngine(kind.spec, client)];
  }

  async edit(count: number): Promise<void> {
    const { spec, fields } = this.kind;
    const added: Uint8Array[] = [];
    for (let edit = 0; edit < count; edit++) {
      const number = Math.floor(random() * recordsPerType);
      const before = this.records.get(number);
      if (before?.deleted) continue;
      const nowMs = before ? Date.parse(before.updated_at) + 1 + Math.floor(random() * 1e6) : Date.parse(someTime());
      const record = { ...toRecord(spec, number, fields(), nowMs), deleted: before !== undefined && random() < 0.1 };
      const next = { ...record, created_at: before?.created_at ?? record.created_at };
      this.records.set(number, next);
      added.push(encodeListing(spec, next));
    }
    this.versions.push(...added);
    for (const listing of added) this.replica.applyEncoded(listing);
    // New versions in any order, and old ones again.
    const sent = [...added, ...added.slice(0, 5), ...Array.from({ length: 20 }, () => pick(this.versions))];
    const shuffled = sent.map((listing) => ({ listing, rank: random() })).sort((a, b) => a.rank - b.rank);
    for (let first = 0; first < shuffled.length; first += 50) {
      const some = shuffled.slice(first, first + 50).map(({ listing }) => toListWrite(spec, listing));
      expect(await writeDocuments(this.client, some)).toEqual([]);
    }
  }

  async compare(): Promise<void> {
    const query = toQuery(this.kind);
    const start: PageStart = { skip: random() < 0.7 ? 0 : Math.floor(random() * 60) };
    const limit = Math.floor(random() * 12);
    const page = await this.both((engine) => engine.findPage(query, start, limit), query);
    // The cursor of the first page leads to the same next page in either engine.
    const after = page.rows.at(-1);
    if (after) await this.both((engine) => engine.findPage(query, { after, ranking: page.ranking }, limit + 1), query);
    const columns = [
      ...Object.keys(this.kind.spec.enums),
      ...this.kind.spec.strings.filter((name) => name !== 'edges'),
    ];
    const name = pick(columns);
    const filter = { ...query, sort: 'created_at' };
    await this.both((engine) => engine.countValues(filter, name), filter);
    if (this.kind.spec === incidentListing) {
      const request = { groupBy: some(columns).slice(0, 2), firstDayMs: startMs - 86_400_000, days: pick([0, 7, 30]) };
      const sort = (values: unknown) => JSON.stringify(values);
      await this.both(async (engine) => {
        const measured = await engine.measureRows(
          filter,
          {
            resolved: 'resolved_at',
            breached: 'sla_breach_at',
            acknowledged: 'acknowledged_at',
            reopened: 'was_reopened',
          },
          request,
        );
        return { ...measured, groups: measured.groups.sort((a, b) => (sort(a.values) < sort(b.values) ? -1 : 1)) };
      }, filter);
    }
    const [known, found] = await Promise.all(this.engines.map((engine) => engine.listValues([columns.at(-1)!])));
    for (const value of found![0]!) expect(known![0]).toContain(value);
    this.compared++;
  }

  async compareGraphs(): Promise<void> {
    for (const direction of ['dependents', 'dependencies'] as const) {
      const ids = Array.from({ length: 3 }, () => `CI${toSuffix()}`);
      await this.both(
        async (engine) => {
          const graph = await readCiGraph(engine, ids, direction, 3);
          return ids.map((id) => [graph.describe(id), graph.getSteps(direction, id)]);
        },
        { ids },
      );
    }
  }

  private async both<Result>(ask: (engine: ListEngine) => Promise<Result>, query: object): Promise<Result> {
    const [known, found] = await Promise.all(this.engines.map(ask));
    try {
      expect(found).toEqual(known);
    } catch (error) {
      throw new Error(`seed ${seed}, ${this.kind.spec.type}: ${JSON.stringify(query)}\n${error}`);
    }
    return known!;
  }
}
