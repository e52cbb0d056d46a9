import { BestRows, type Position } from './best-rows.ts';
import { type Chunk, chunkRows, type Filter, type StringColumn, selection, selectLive } from './chunk.ts';
import { timeColumns } from './listing.ts';
import { parseWeights, Ranking, toTerms, weigh } from './ranking.ts';
import type { Replica } from './replica.ts';
import { hashMember, hashWord, splitWords } from './words.ts';

/** A list query. Names are columns of the record type's listing. */
export interface ListQuery {
  ids?: readonly string[] | undefined;
  /** Any of these enum values. */
  enums: Readonly<Record<string, readonly string[]>>;
  /** Exactly this string; null for no value. */
  strings: Readonly<Record<string, string | null>>;
  /** All of these members of a list. */
  sets?: Readonly<Record<string, readonly string[]>>;
  /** Between two times, exclusive. */
  times: Readonly<Record<string, { afterMs?: number; beforeMs?: number }>>;
  /** All words of the text. */
  text: string | undefined;
  /** A time, an enum or `relevance`, which requires a text. Ties are sorted by id in the same direction. */
  sort: string;
  order: 'asc' | 'desc';
}

/** Sorts by how well records match the text; `desc` returns the best first. */
export const relevance = 'relevance';

/** After a row of a previous page, with the ranking that found it, or after a number of rows. */
export type PageStart = { behind: Position; ranking?: string | undefined } | { skip: number };

export interface FoundPage {
  total: number;
  /** In order, at most `limit`. */
  rows: Position[];
  more: boolean;
  /** Lets the next page rank exactly like this one. */
  ranking?: string;
}

// Runs a query on a replica. Each filter scans one column of a chunk and passes on the remaining rows; rows that pass
// all filters are counted and offered for the page.

export function findPage(replica: Replica, query: ListQuery, start: PageStart, limit: number): FoundPage {
  if (query.sort === relevance) return findBest(replica, query, start, limit);
  return scan(
    replica,
    query,
    buildFilters(replica, query, query.text),
    buildSorting(replica, query.sort),
    start,
    limit,
  );
}

/** Finds the best matches for a text. */
function findBest(replica: Replica, query: ListQuery, start: PageStart, limit: number): FoundPage {
  const terms = toTerms(replica, query.text ?? '');
  const known = 'behind' in start && start.ranking !== undefined ? parseWeights(start.ranking) : undefined;
  const weights = known ?? { terms: weigh(replica, terms), wanted: 'all' as const };
  const find = (ranking: Ranking): FoundPage => {
    const filters =
      ranking.weights.wanted === 'all'
        ? buildFilters(replica, query, query.text)
        : buildFilters(replica, query, undefined)?.concat(ranking.half);
    const sorting: Sorting = (chunk, count) => ({ column: ranking.score(chunk, count), candidates: count });
    return { ...scan(replica, query, filters, sorting, start, limit), ranking: String(ranking) };
  };
  const page = find(new Ranking(terms, weights));
  return page.total > 0 || known ? page : find(new Ranking(terms, { ...weights, wanted: 'half' }));
}

function scan(
  replica: Replica,
  query: ListQuery,
  filters: readonly Filter[] | undefined,
  sorting: Sorting,
  start: PageStart,
  limit: number,
): FoundPage {
  const sign = query.order === 'asc' ? 1 : -1;
  const skip = 'skip' in start ? start.skip : 0;
  const behind = 'behind' in start ? applySign(start.behind, sign) : beforeAll;
  const best = new BestRows(Math.min(skip + limit + 1, replica.liveRows + 1), replica.liveRows);
  // New rows are in the last chunk, and most lists start with the newest.
  const chunks = sign === 1 ? replica.chunks : replica.chunks.toReversed();
  let total = 0;
  for (const chunk of filters === undefined ? [] : chunks) {
    const count = select(chunk, filters!);
    total += count;
    const { numberLow, numberHigh } = chunk;
    const { column, candidates } = sorting(chunk, count, toRange(behind.value, best.lastValue, sign));
    best.offer({ selection, count: candidates, column, numberLow, numberHigh }, behind, sign);
  }
  const found = best.ranks(skip, skip + limit + 1).map((position) => applySign(position, sign));
  return { total, rows: found.slice(0, limit), more: found.length > limit };
}

/** Counts the rows per code of a column; code 0 is null. */
export function countCodes(replica: Replica, query: ListQuery, name: string): Map<number, number> {
  const filters = buildFilters(replica, query, query.text);
  const enums = Object.keys(replica.spec.enums).indexOf(name);
  const counts = new Map<number, number>();
  for (const chunk of filters === undefined ? [] : replica.chunks) {
    const column = enums >= 0 ? chunk.enums[enums]! : chunk.strings[findColumn(replica.spec.strings, name)]!;
    const count = select(chunk, filters!);
    for (const row of selection.subarray(0, count)) counts.set(column[row]!, (counts.get(column[row]!) ?? 0) + 1);
  }
  return counts;
}

const beforeAll: Position = { value: Number.NEGATIVE_INFINITY, number: Number.NEGATIVE_INFINITY };

function applySign({ value, number }: Position, sign: 1 | -1): Position {
  // Subtract, because a product would turn 0 into -0.
  return sign === 1 ? { value, number } : { value: 0 - value, number: 0 - number };
}

function select(chunk: Chunk, filters: readonly Filter[]): number {
  let count = selectLive(chunk);
  for (const filter of filters) {
    if (count === 0) return 0;
    count = filter(chunk, count);
  }
  return count;
}

/** Undefined when no row can pass. Cheap and selective filters come first, words last. */
function buildFilters(replica: Replica, query: ListQuery, text: string | undefined): Filter[] | undefined {
  const filters: Filter[] = [];
  if (query.ids !== undefined) filters.push(buildIdsFilter(replica, query.ids));
  for (const [name, text] of Object.entries(query.strings)) {
    const column = findColumn(replica.spec.strings, name);
    const code = replica.dictionaries[column]!.findCode(text);
    if (code === undefined) return undefined;
    filters.push((chunk, count) => keepEqual(chunk.strings[column]!, count, code));
  }
  for (const [name, { afterMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY }] of Object.entries(
    query.times,
  )) {
    const column = findColumn(timeColumns(replica.spec), name);
    filters.push((chunk, count) => {
      if (chunk.latest[column]! <= afterMs || chunk.earliest[column]! >= beforeMs) return 0;
      return keepBetween(chunk.times[column]!, count, afterMs, beforeMs);
    });
  }
  for (const [name, values] of Object.entries(query.enums)) {
    const column = findColumn(Object.keys(replica.spec.enums), name);
    const wanted = new Uint8Array(256);
    for (const value of values) wanted[findColumn(replica.spec.enums[name]!, value) + 1] = 1;
    filters.push((chunk, count) => keepWanted(chunk.enums[column]!, count, wanted));
  }
  for (const [name, members] of Object.entries(query.sets ?? {})) {
    findColumn(replica.spec.sets ?? [], name);
    const hashes = members.map((member) => hashMember(name, member));
    filters.push((chunk, count) => chunk.words.narrow(selection, count, hashes));
  }
  if (text !== undefined) filters.push(...buildWordFilters(replica, text));
  return filters;
}

/** Keeps only the requested ids present in this chunk. */
function buildIdsFilter(replica: Replica, ids: readonly string[]): Filter {
  const rows = new Set(ids.map((id) => replica.findRow(id)));
  return (chunk, count) => {
    const first = replica.chunks.indexOf(chunk) * chunkRows;
    const here = selection.slice(0, count).filter((row) => rows.has(first + row));
    selection.set(here);
    return here.length;
  };
}

/** A word that is an id finds that record as well as records that mention it, so it needs its own filter. */
function buildWordFilters(replica: Replica, text: string): Filter[] {
  const words = [...splitWords([text])].map((word) => ({
    hash: hashWord(word),
    row: replica.findRow(word.toUpperCase()),
  }));
  const plain = words.filter(({ row }) => row === undefined).map(({ hash }) => hash);
  const ids = words.flatMap(({ hash, row }) => (row === undefined ? [] : [{ hash, row }]));
  const all: Filter = (chunk, count) => chunk.words.narrow(selection, count, plain);
  return [...(plain.length > 0 ? [all] : []), ...ids.map(({ hash, row }) => buildIdFilter(replica, row, hash))];
}

function buildIdFilter(replica: Replica, row: number, hash: number): Filter {
  return (chunk, count) => {
    const isHere = replica.chunks[Math.floor(row / chunkRows)] === chunk;
    return isHere ? keepWithWordOr(row % chunkRows, chunk, count, hash) : chunk.words.narrow(selection, count, [hash]);
  };
}

function keepWithWordOr(row: number, { words }: Chunk, count: number, hash: number): number {
  const isSelected = selection.subarray(0, count).includes(row);
  const kept = words.narrow(selection, count, [hash]);
  if (!isSelected || selection.subarray(0, kept).includes(row)) return kept;
  selection[kept] = row;
  return kept + 1;
}

interface Bounds {
  min: number;
  max: number;
}

/** The range of plain values between two values in list order. */
function toRange(first: number, last: number, sign: 1 | -1): Bounds {
  return sign === 1 ? { min: first, max: last } : { min: -last, max: -first };
}

/** The column to sort by, and how many selected rows may be within the bounds. */
type Sorting = (
  chunk: Chunk,
  count: number,
  bounds: Bounds,
) => { column: Float64Array | Uint8Array; candidates: number };

function buildSorting({ spec }: Replica, name: string): Sorting {
  const time = timeColumns(spec).indexOf(name);
  if (time >= 0) {
    return ({ times, earliest, latest }, count, { min, max }) => {
      const isOutside = latest[time]! < min || earliest[time]! > max;
      return { column: times[time]!, candidates: isOutside ? 0 : count };
    };
  }
  const index = findColumn(Object.keys(spec.enums), name);
  const wanted = new Uint8Array(256);
  return ({ enums }, count, { min, max }) => {
    for (let value = 0; value < wanted.length; value++) wanted[value] = value >= min && value <= max ? 1 : 0;
    return { column: enums[index]!, candidates: keepWanted(enums[index]!, count, wanted) };
  };
}

function findColumn(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index < 0) throw new Error(`lists know ${names.join(', ')}, not ${name}`);
  return index;
}

function keepEqual(column: StringColumn, count: number, code: number): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = selection[index]!;
    selection[kept] = row;
    kept += column[row] === code ? 1 : 0;
  }
  return kept;
}

function keepBetween(column: Float64Array, count: number, after: number, before: number): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = selection[index]!;
    const time = column[row]!;
    selection[kept] = row;
    kept += time > after && time < before && time !== 0 ? 1 : 0;
  }
  return kept;
}

function keepWanted(column: Uint8Array, count: number, wanted: Uint8Array): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = selection[index]!;
    selection[kept] = row;
    kept += wanted[column[row]!]!;
  }
  return kept;
}
