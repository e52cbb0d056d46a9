import { normalize, packVector, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import { learnedIndex } from '../../lambdas/ai/knowledge/learned-document.ts';
import { createMemoryEngine, type LearnedEngine } from '../../lambdas/ai/knowledge/learned-engine.ts';
import { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { encodeLearned, type Facts, forgotten, type LearnedUnit } from '../../lambdas/ai/knowledge/learned-item.ts';
import { createLearnedSearch } from '../../lambdas/ai/knowledge/learned-search.ts';
import { countTerms, noTerms } from '../../lambdas/ai/knowledge/terms.ts';
import { createIndex, writeDocuments } from '../../lambdas/lists/search-documents.ts';
import { connectSearch, type SearchClient } from '../../lambdas/platform/clients/opensearch.ts';
import { retry } from '../../lambdas/platform/retry.ts';
import { random as createRandom } from '../support/random.ts';
import { findObstacle, type OpenSearchNode, startNode } from './node.ts';

// Both engines learn the same records, and then find the same incidents and articles. A failure prints its seed:
// SEED=… npm run test:opensearch.

const obstacle = findObstacle();
const describeIf = obstacle ? describe.skip : describe;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
const { next: random } = createRandom(seed);
const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
const toIndex = (share: number, length: number) => Math.floor(random() ** share * length);

const vocabulary = Array.from({ length: 300 }, (_, number) =>
  number % 9 === 0 ? `0x80${number}` : `word${number}abc`,
);
const toText = (count: number) => Array.from({ length: count }, () => vocabulary[toIndex(2, 300)]).join(' ');
const topics = Array.from({ length: 40 }, () => randomVector());
const near = (topic: Vector, spread: number) => mix(topic, randomVector(), spread);
const startMs = Date.UTC(2026, 2, 1);

function randomVector(): Vector {
  return normalize(Float32Array.from({ length: 384 }, () => random() + random() + random() - 1.5));
}

function mix(first: Vector, second: Vector, share: number): Vector {
  return normalize(first.map((value, place) => value + share * (second[place] ?? 0)));
}

function toUnit(level: LearnedUnit['level'], passage: number, vector: Vector, text = ''): LearnedUnit {
  return { level, passage, vector: packVector(vector), terms: text ? countTerms(text) : noTerms };
}

function incidentFacts(): Facts {
  return {
    kind: 'incident',
    title: toText(3),
    open: random() < 0.3,
    category: pick([null, 'email', 'network']),
    subcategory: null,
    priority: 'P3',
    assignment_group: null,
    problem: null,
    minutes: 5,
    has_resolution: random() < 0.5,
  };
}

function incident(): Uint8Array {
  const units = [toUnit('record', 0, near(pick(topics), 0.8), toText(2 + toIndex(1, 30)))];
  return encodeLearned({ facts: incidentFacts(), units });
}

function article(): Uint8Array {
  const topic = pick(topics);
  const texts = Array.from({ length: 1 + toIndex(1, 5) }, () => toText(20));
  const units = [
    toUnit('record', 0, near(topic, 0.5), texts.join(' ')),
    ...texts.map((text, passage) => toUnit('passage', passage, near(topic, 0.7), text)),
    ...texts.map((_, passage) => toUnit('sentence', passage, near(topic, 0.9))),
  ];
  return encodeLearned({ facts: { kind: 'article', title: 'x' }, units });
}

/** What was learned, in both engines. */
class Learned {
  readonly index = new LearnedIndex();
  readonly memory: LearnedEngine = createMemoryEngine(async () => this.index);
  readonly search: LearnedEngine;
  private readonly client: SearchClient;
  private atMs = startMs;

  constructor(client: SearchClient) {
    this.client = client;
    this.search = createLearnedSearch(client);
  }

  async apply(entries: readonly (readonly [id: string, listing: Uint8Array])[]): Promise<void> {
    const timed = entries.map(([id, listing]) => ({ id, listing, atMs: ++this.atMs }));
    for (const { id, listing, atMs } of timed) this.index.apply(id, atMs, listing);
    const shuffled = timed.map((entry) => ({ entry, rank: random() })).sort((a, b) => a.rank - b.rank);
    for (let first = 0; first < shuffled.length; first += 500) {
      const writes = shuffled.slice(first, first + 500).map(({ entry: { id, atMs, listing } }) => {
        return learnedIndex.toWrite({ key: `${new Date(atMs).toISOString()}#${id}`, listing });
      });
      expect(await writeDocuments(this.client, writes)).toEqual([]);
    }
    await this.client.request('POST', '/_refresh', undefined, { timeoutMs: 60_000 });
  }
}

async function prepare(node: OpenSearchNode, prefix: string): Promise<Learned> {
  const client = connectSearch(node.url, prefix);
  const alias = client.toIndexName(learnedIndex.type);
  await createIndex(client, `${alias}-1`, learnedIndex);
  await client.request('POST', '/_aliases', { actions: [{ add: { index: `${alias}-1`, alias } }] });
  return new Learned(client);
}

const toId = (prefix: string, number: number) => prefix + String(number).padStart(7, '0');

describeIf.each([
  { way: 'a script', hasVectors: false, minEqual: 1 },
  // The graph of the k-NN plugin is approximate.
  { way: 'the k-NN plugin', hasVectors: true, minEqual: 0.98 },
])(`memory and OpenSearch with $way, seed ${seed}`, ({ hasVectors, minEqual }) => {
  let node: OpenSearchNode;
  let learned: Learned;

  beforeAll(async () => {
    node = await startNode({ hasVectors });
    learned = await prepare(node, 'both');
  });

  afterAll(() => node?.stop());

  it('find the same incidents and articles over random edits', async () => {
    let [compared, equal] = [0, 0];
    const compare = (found: unknown, known: unknown) => {
      compared++;
      if (JSON.stringify(found) === JSON.stringify(known)) equal++;
      else if (minEqual === 1) expect(found).toEqual(known);
    };
    await learned.apply([
      ...Array.from({ length: 2_000 }, (_, number) => [toId('INC', number), incident()] as const),
      ...Array.from({ length: 150 }, (_, number) => [toId('KB', number), article()] as const),
    ]);
    for (let round = 0; round < 5; round++) {
      for (let query = 0; query < 20; query++) {
        const question = { vector: near(pick(topics), 0.9), text: toText(1 + toIndex(1, 12)) };
        const filter = pick([
          {},
          { open: false },
          { open: false, has_resolution: true },
          { category: 'email', exceptId: toId('INC', 7) },
          { category: 'nothing' },
        ]);
        const incidents = { ...question, count: pick([1, 5, 15]), filter };
        compare(await learned.search.searchIncidents(incidents), await learned.memory.searchIncidents(incidents));
        const articles = { ...question, count: 5 };
        compare(await learned.search.rankArticles(articles), await learned.memory.rankArticles(articles));
      }
      await learned.apply(
        Array.from({ length: 100 }, () => {
          const isArticle = random() < 0.3;
          const id = isArticle ? toId('KB', toIndex(1, 150)) : toId('INC', toIndex(1, 2_000));
          return [id, random() < 0.3 ? forgotten : isArticle ? article() : incident()] as const;
        }),
      );
    }
    expect(equal / compared).toBeGreaterThanOrEqual(minEqual);
  }, 300_000);

  it('do not find what must not be found any more, also after a late older version', async () => {
    const vector = randomVector();
    const listing = encodeLearned({
      facts: { kind: 'article', title: 'secret' },
      units: [toUnit('record', 0, vector, 'secret'), toUnit('passage', 0, vector, 'secret')],
    });
    const find = async () => (await learned.search.rankArticles({ vector, text: 'secret', count: 1 })).articles[0]?.id;
    await learned.apply([['KB9999999', listing]]);
    expect(await find()).toBe('KB9999999');
    await learned.apply([['KB9999999', forgotten]]);
    expect(await find()).not.toBe('KB9999999');
    const client = connectSearch(node.url, 'both');
    const late = learnedIndex.toWrite({ key: `${new Date(startMs).toISOString()}#KB9999999`, listing });
    expect(await writeDocuments(client, [late])).toEqual([]);
    await client.request('POST', '/_refresh');
    expect(await find()).not.toBe('KB9999999');
  });
});

describeIf('OpenSearch without a limit of incidents', () => {
  it('finds an incident that 120,000 later ones evict from memory', async () => {
    const node = await startNode();
    const learned = await prepare(node, 'many');
    const vector = randomVector();
    const other = incident();
    const facts = { ...incidentFacts(), open: false } as Facts;
    await learned.apply([['INC9999999', encodeLearned({ facts, units: [toUnit('record', 0, vector, 'first')] })]]);
    for (let start = 0; start < 120_000; start += 10_000) {
      await learned.apply(Array.from({ length: 10_000 }, (_, place) => [toId('INC', start + place), other] as const));
    }
    const search = { vector, text: 'first', count: 1, filter: { open: false } };
    expect((await learned.memory.searchIncidents(search))[0]?.id).not.toBe('INC9999999');
    // The node may still be merging the vectors; callers retry a request that it does not answer in time.
    const searchOnce = () => learned.search.searchIncidents(search).catch(() => undefined);
    const [found] = await retry(searchOnce, { exhausted: () => new Error('the node does not answer') });
    expect(found?.id).toBe('INC9999999');
    await node.stop();
  }, 300_000);
});
