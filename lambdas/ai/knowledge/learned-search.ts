import { createSearch, formatHash, type Search } from '../../lists/search-index.ts';
import { hashWord } from '../../lists/words.ts';
import type { Json, SearchClient } from '../../platform/clients/opensearch.ts';
import { findMaxAbsolute, type Vector } from '../embedding/vector.ts';
import { rankArticles, toMaxScore as toMaxArticleScore } from './article-ranking.ts';
import { createFilter, type IncidentFilter, searchIncidents, toMaxScore, weighWords } from './incident-search.ts';
import { learnedIndex, type VectorSearch } from './learned-document.ts';
import type { LearnedEngine } from './learned-engine.ts';
import { LearnedKind, type WordStatistics } from './learned-index.ts';
import { type ArticleFacts, type Facts, type IncidentFacts, toLearnedBytes } from './learned-item.ts';
import { splitTerms } from './terms.ts';

// Searches everything learned in OpenSearch, with any number of records. OpenSearch finds the records with the nearest
// vectors and those with the rarest words in common; the function ranks them exactly as it ranks records in memory. A record
// outside both lists cannot score more than the last entries of both together. While it might still be among the best, the
// lists are read again with more entries (Fagin's threshold algorithm).

/** Entries per list. Most searches need the first length only. */
const listLengths = [64, 256, 1_024];

/** OpenSearch rounds the question to bytes, which changes a cosine by less. */
const cosineError = 0.01;

/** OpenSearch accepts 1,024 clauses. Further words are the most frequent ones. */
const maxWords = 500;

export interface SearchedEngine extends LearnedEngine {
  countLearned(): Promise<number>;
}

export function createLearnedSearch(client: SearchClient): SearchedEngine {
  const search = createSearch(client, learnedIndex);
  const count = async (query: object): Promise<number> =>
    (await search({ query, size: 0, track_total_hits: true })).hits.total.value;
  return {
    countLearned: () => count({ match_all: {} }),
    hasArticles: async () => (await count(toKindFilter('article'))) > 0,
    // The vector of a text costs less than another request.
    mayHaveIncidents: async () => true,
    async rankArticles({ vector, text, count }) {
      const statistics = await readStatistics(search, 'article', text);
      const filter = [toKindFilter('article')];
      const weigh = (kind: LearnedKind<ArticleFacts>) => kind.weigh(text);
      const ranking = await findBest({ search, statistics, filter, vector, weigh }, (kind, limits) => {
        // One more, because the last one decides whether another article could be among them.
        const ranking = rankArticles(kind, { vector, text, count: count + 1 });
        const last = ranking.articles[count];
        return { found: ranking, isComplete: last !== undefined && last.score >= toMaxArticleScore(...limits) };
      });
      return { ...ranking, articles: ranking.articles.slice(0, count) };
    },
    async searchIncidents({ filter, ...request }) {
      const { vector, text, count } = request;
      const statistics = await readStatistics(search, 'incident', text);
      const weigh = (kind: LearnedKind<IncidentFacts>) => weighWords(kind, text);
      const options = { search, statistics, filter: toClauses(filter), vector, weigh };
      const accepts = createFilter(filter);
      return findBest(options, (kind, limits) => {
        const found = searchIncidents(kind, { ...request, accepts });
        const last = found[count - 1];
        return { found, isComplete: last !== undefined && last.score >= toMaxScore(...limits) };
      });
    },
  };
}

const toKindFilter = (kind: Facts['kind']) => ({ term: { kind } });

function toClauses({ exceptId, ...values }: IncidentFilter): object[] {
  const clauses = Object.entries(values).map(([name, value]) => ({ term: { [name]: value } }));
  const except = exceptId === undefined ? [] : [{ bool: { must_not: { ids: { values: [exceptId] } } } }];
  return [toKindFilter('incident'), ...clauses, ...except];
}

/** How many records of the kind have each word of the text. */
async function readStatistics(search: Search, kind: Facts['kind'], text: string): Promise<WordStatistics> {
  const hashes = [...new Set(splitTerms(text))].map(hashWord);
  const filters = Object.fromEntries(hashes.map((hash) => [hash, { filter: { term: { words: formatHash(hash) } } }]));
  const { hits, aggregations } = await search({
    query: toKindFilter(kind),
    size: 0,
    track_total_hits: true,
    aggs: { length: { sum: { field: 'length' } }, ...filters },
  });
  return {
    records: hits.total.value,
    words: aggregations.length.value,
    countRecords: (hash) => aggregations[hash]?.doc_count ?? 0,
  };
}

interface Candidates<Own extends Facts> {
  search: ReturnType<typeof createSearch>;
  statistics: WordStatistics;
  filter: readonly object[];
  vector: Vector;
  weigh(kind: LearnedKind<Own>): readonly { hash: number; weight: number; isKnown: boolean }[];
}

/** The highest cosine, and the highest share of the weight of all words, of records that are not candidates. */
type Limits = [cosine: number, share: number];

async function findBest<Own extends Facts, Found>(
  { search, statistics, filter, vector, weigh }: Candidates<Own>,
  rank: (kind: LearnedKind<Own>, limits: Limits) => { found: Found; isComplete: boolean },
): Promise<Found> {
  const words = toWordQuery(weigh(new LearnedKind<Own>(statistics)));
  let best: Found | undefined;
  for (const length of listLengths) {
    const page = { size: length, track_total_hits: false, _source: ['listing'] };
    const [near, alike] = await Promise.all([
      search(({ vectors }) => ({ ...page, query: toVectorQuery(vectors as VectorSearch, vector, length, filter) })),
      words && search({ ...page, query: { bool: { filter, must: words.query } } }),
    ]);
    const kind = new LearnedKind<Own>(statistics);
    for (const { _id, _source } of [...near.hits.hits, ...(alike?.hits.hits ?? [])] as Json[]) {
      if (!kind.rowsById.has(_id)) kind.addUncounted(_id, toLearnedBytes(Buffer.from(_source.listing, 'base64')));
    }
    const cosine = near.hits.hits.length < length ? undefined : toCosine(near.hits.hits.at(-1)._score) + cosineError;
    const share = words ? words.toShare(alike.hits.hits[length - 1]?._score ?? 0) : 0;
    const { found, isComplete } = rank(kind, [cosine ?? -1, share]);
    // A list that is not full contains all records.
    if (cosine === undefined || isComplete) return found;
    best = found;
  }
  return best as Found;
}

/** Both ways of comparing vectors score half of 1 + cosine. */
const toCosine = (score: number) => 2 * score - 1;

/** Scores are whole numbers below 2^24, which 32-bit floats represent exactly. */
const wordScale = 2 ** 20;

/** Undefined if no record has any of the words. */
function toWordQuery(words: readonly { hash: number; weight: number; isKnown: boolean }[]) {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const known = words.filter(({ isKnown }) => isKnown).toSorted((a, b) => b.weight - a.weight);
  if (known.length === 0 || all === 0) return undefined;
  const rest = known.slice(maxWords).reduce((sum, { weight }) => sum + weight, 0) / all;
  const should = known.slice(0, maxWords).map(({ hash, weight }) => ({
    constant_score: { filter: { term: { words: formatHash(hash) } }, boost: Math.ceil((weight / all) * wordScale) },
  }));
  return { query: { bool: { should } }, toShare: (score: number) => score / wordScale + rest };
}

function toVectorQuery(vectors: VectorSearch, vector: Vector, k: number, filter: readonly object[]): object {
  const scale = findMaxAbsolute(vector) / 127 || 1;
  const question = Array.from(vector, (value) => Math.round(value / scale));
  const toNested = (query: object) => ({ nested: { path: 'units', score_mode: 'max', query } });
  if (vectors === 'knn')
    return toNested({ knn: { 'units.knn': { vector: question, k, filter: { bool: { filter } } } } });
  const script = { source: cosineScript, params: { question, length: Math.hypot(...question) } };
  return { bool: { filter, must: toNested({ script_score: { query: { match_all: {} }, script } }) } };
}

const cosineScript = `
def value = doc['units.script'].value;
byte[] bytes = value.bytes;
int start = value.offset;
List question = params.question;
int product = 0;
int square = 0;
for (int i = 0; i < question.size(); i++) {
  int number = bytes[start + i];
  product += number * (int) question.get(i);
  square += number * number;
}
return square == 0 ? 0.5 : 0.5 + 0.5 * product / (params.length * Math.sqrt(square));`;
