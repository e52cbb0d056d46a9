import type { Json, SearchClient } from '../platform/clients/opensearch.ts';
import { requireValue } from '../platform/require-value.ts';
import {
  type FoundPage,
  findColumn,
  type ListEngine,
  type ListedRow,
  type ListQuery,
  type PageStart,
  type Position,
  relevance,
  sortCounts,
  type TimeRanges,
} from './list-engine.ts';
import { type ListingSpec, listTimeColumns, rankStep, toRank } from './listing.ts';
import { createSearch, formatCode, formatHash, type Search, toListSchema } from './search-index.ts';
import { buildHalf, buildRanking, computeSearchWeights, toSearchTerms } from './search-ranking.ts';
import { countGroups, measureGroups } from './search-statistics.ts';
import { hashMember } from './words.ts';

// Lists from OpenSearch. Each filter of a query becomes a filter clause with values as parameters; there are no query
// strings. Results equal those of the replica (test/opensearch/conformance.spec.ts).

export function createSearchEngine(spec: ListingSpec, client: SearchClient): ListEngine {
  const search = createSearch(client, toListSchema(spec));
  return {
    spec,
    async findPage(query, start, limit) {
      if (query.sort === relevance) return findBest(spec, search, query, start, limit);
      const filter = [...buildClauses(spec, query), ...(query.text === undefined ? [] : buildText(spec, query.text))];
      return findRows(search, { bool: { filter } }, toSortFields(spec, query), query.order, start, limit);
    },
    async countValues(query, name) {
      const groups = await countGroups(spec, search, toMatch(spec, query), [name]);
      return sortCounts(groups.map(({ values: [value = null], bucket }) => ({ value, count: bucket.doc_count })));
    },
    async listValues(names) {
      const aggs = Object.fromEntries(names.map((name) => [name, { terms: { field: name, size: maxValues } }]));
      const { aggregations } = await search({ size: 0, aggs });
      return names.map((name) => aggregations[name].buckets.map(({ key }: Json) => key));
    },
    measureRows: (query, columns, request) => measureGroups(spec, search, toMatch(spec, query), columns, request),
    openGraph: async () => async (ids) => {
      const rows = new Map<string, ListedRow>();
      for (let first = 0; first < ids.length; first += idsPerSearch) {
        const some = ids.slice(first, first + idsPerSearch);
        const should = [{ ids: { values: some } }, { terms: { targets: some } }];
        for await (const { _id, _source } of scroll(search, { bool: { should } }))
          rows.set(_id, { id: _id, getValue: (name) => readValue(spec, _source, name) });
      }
      return [...rows.values()];
    },
  };
}

/** The most frequent values. Rarer names are found by their words. */
const maxValues = 10_000;

/** The default of `index.max_result_window`. */
const maxWindow = 10_000;

const idsPerSearch = 1_000;

function readValue({ enums }: ListingSpec, source: Json, name: string): string | null {
  return (enums[name] ? enums[name][Number(source[name]) - 1] : source[name]) ?? null;
}

async function* scroll(search: Search, query: object): AsyncIterable<Json> {
  let after: Json[] | undefined;
  do {
    const { hits } = await search({
      query,
      size: maxWindow,
      sort: [{ number: 'asc' }],
      track_total_hits: false,
      ...(after && { search_after: after }),
    });
    yield* hits.hits;
    after = hits.hits.length === maxWindow ? hits.hits.at(-1).sort : undefined;
  } while (after);
}

interface SortFields {
  fields: readonly object[];
  parse(values: readonly Json[]): number;
  format(value: number): readonly Json[];
}

const noTime = 8.64e15;

/** A record without a time counts as the earliest, except for times whose nulls come last. */
function toSortFields(spec: ListingSpec, { sort, order }: ListQuery): SortFields {
  const parse = ([value]: readonly Json[]) => Number(value);
  if (sort === relevance) return { fields: [{ _score: { order } }], parse, format: (value) => [value] };
  if (listTimeColumns(spec).includes(sort)) {
    const missing = spec.nullsLast?.includes(sort) && order === 'asc' ? noTime : 0;
    return { fields: [{ [sort]: { order, missing } }], parse, format: (value) => [value] };
  }
  findColumn(Object.keys(spec.enums), sort);
  const within = spec.within?.[sort];
  if (within === undefined) {
    return { fields: [{ [sort]: { order } }], parse, format: (value) => [formatCode(value)] };
  }
  return {
    fields: [{ [sort]: { order } }, { [within]: { order, missing: rankStep - 1 } }],
    parse: ([code, time]) => toRank(Number(code), Number(time)),
    format: (value) => [formatCode(Math.floor(value / rankStep)), value % rankStep],
  };
}

async function findRows(
  search: Search,
  query: object,
  { fields, parse, format }: SortFields,
  order: ListQuery['order'],
  start: PageStart,
  limit: number,
): Promise<FoundPage> {
  const read = (size: number, after: Position | undefined, from: number) =>
    search({
      query,
      size,
      ...(from > 0 && { from }),
      ...(after && { search_after: [...format(after.value), after.number] }),
      sort: [...fields, { number: { order } }],
      track_scores: false,
      track_total_hits: true,
      _source: false,
    });
  let after = 'after' in start ? start.after : undefined;
  let skip = 'skip' in start ? start.skip : 0;
  // A page beyond the window is reached in steps, each after the last row of the one before.
  while (skip + limit + 1 > maxWindow) {
    const step = Math.min(skip, maxWindow - 1);
    const { hits } = await read(after ? step : 1, after, after ? 0 : step - 1);
    const total = hits.total.value;
    if (skip >= total || hits.hits.length === 0) return { total, rows: [], more: false };
    after = toPosition(hits.hits.at(-1), parse);
    skip -= step;
  }
  const { hits } = await read(limit + 1, after && skip > 0 ? await skipRows() : after, after ? 0 : skip);
  const rows = hits.hits.map((hit: Json) => toPosition(hit, parse));
  return { total: hits.total.value, rows: rows.slice(0, limit), more: rows.length > limit };

  async function skipRows(): Promise<Position | undefined> {
    const { hits: skipped } = await read(skip, after, 0);
    return skipped.hits.length === 0 ? after : toPosition(skipped.hits.at(-1), parse);
  }
}

function toPosition({ sort }: Json, parse: SortFields['parse']): Position {
  return { value: parse(sort.slice(0, -1)), number: sort.at(-1) };
}

async function findBest(
  spec: ListingSpec,
  search: Search,
  query: ListQuery,
  start: PageStart,
  limit: number,
): Promise<FoundPage> {
  const terms = toSearchTerms(spec, query.text ?? '');
  const known = 'after' in start && start.ranking !== undefined ? start.ranking : undefined;
  const weights =
    known === undefined ? await computeSearchWeights(search, terms) : known.split(',').slice(1).map(Number);
  const find = async (required: string): Promise<FoundPage> => {
    const filter = [
      ...buildClauses(spec, query),
      ...(required === 'all' ? buildText(spec, query.text ?? '') : [buildHalf(terms, weights)]),
    ];
    const ranked = { bool: { filter, should: buildRanking(terms, weights), minimum_should_match: 0 } };
    const page = await findRows(search, ranked, toSortFields(spec, query), query.order, start, limit);
    return { ...page, ranking: [required, ...weights].join(',') };
  };
  const page = await find(known?.split(',')[0] ?? 'all');
  return page.total > 0 || known !== undefined ? page : find('half');
}

function toMatch(spec: ListingSpec, query: ListQuery): object {
  const text = query.text === undefined ? [] : buildText(spec, query.text);
  return { bool: { filter: [...buildClauses(spec, query), ...text] } };
}

function buildText(spec: ListingSpec, text: string): object[] {
  return toSearchTerms(spec, text)
    .filter(({ isWord }) => isWord)
    .map(({ filter }) => filter);
}

function buildClauses(spec: ListingSpec, query: ListQuery): object[] {
  const clauses: object[] = [];
  for (const ids of [query.ids, ...(query.related ?? []).map(({ ids }) => ids)]) {
    if (ids !== undefined) clauses.push(matchIds(ids));
  }
  for (const [name, text] of Object.entries(query.strings)) {
    findColumn(spec.strings, name);
    clauses.push(text === null ? matchEmpty(name) : { terms: { [name]: [text].flat() } });
  }
  for (const [name, values] of Object.entries(query.not ?? {})) {
    const isReference = spec.references?.includes(name);
    if (!isReference) findColumn(spec.strings, name);
    const hashes = values.map((value) => formatHash(hashMember(name, value)));
    clauses.push({ bool: { must_not: { terms: isReference ? { words: hashes } : { [name]: values } } } });
  }
  clauses.push(...buildTimes(spec, query.times));
  for (const { anyOf } of query.conditions ?? [])
    clauses.push({ bool: { should: anyOf.map((ranges) => ({ bool: { filter: buildTimes(spec, ranges) } })) } });
  for (const [name, values] of Object.entries(query.enums)) {
    findColumn(Object.keys(spec.enums), name);
    const codes = values.map((value) => formatCode(findColumn(requireValue(spec.enums[name]), value) + 1));
    clauses.push({ terms: { [name]: codes } });
  }
  for (const [name, members] of Object.entries(query.sets ?? {})) {
    findColumn(spec.sets ?? [], name);
    clauses.push(...members.map((member) => matchWord(hashMember(name, member))));
  }
  for (const [name, ids] of Object.entries(query.references ?? {})) {
    findColumn(spec.references ?? [], name);
    clauses.push({ terms: { words: ids.map((id) => formatHash(hashMember(name, id))) } });
  }
  return clauses;
}

const matchEmpty = (field: string) => ({ bool: { must_not: { exists: { field } } } });

const matchWord = (word: number) => ({ term: { words: formatHash(word) } });

/** The default of `index.max_terms_count` is 65,536. */
const maxTerms = 60_000;

function matchIds(ids: readonly string[]): object {
  const groups = Array.from({ length: Math.ceil(ids.length / maxTerms) }, (_, index) => ({
    ids: { values: ids.slice(index * maxTerms, (index + 1) * maxTerms) },
  }));
  return groups.length === 0 ? { match_none: {} } : { bool: { should: groups } };
}

function buildTimes(spec: ListingSpec, ranges: TimeRanges): object[] {
  return Object.entries(ranges).map(([name, range]) => {
    findColumn(listTimeColumns(spec), name);
    if (range === null) return matchEmpty(name);
    const { afterMs, beforeMs } = range;
    return {
      range: {
        [name]: { ...(afterMs !== undefined && { gt: afterMs }), ...(beforeMs !== undefined && { lt: beforeMs }) },
      },
    };
  });
}
