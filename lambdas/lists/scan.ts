import { requireValue } from '../platform/require-value.ts';
import { BestRows, type Position } from './best-rows.ts';
import { type Chunk, chunkRows, type Filter, selection } from './chunk.ts';
import { buildFilters, findColumn, keepWanted, type ListQuery, select } from './filters.ts';
import { timeColumns } from './listing.ts';
import { parseWeights, Ranking, toTerms, weigh } from './ranking.ts';
import type { Replica } from './replica.ts';

export type { Condition, ListQuery, TimeRanges } from './filters.ts';

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
  return scan(replica, query, buildFilters(replica, query, query.text), buildSorting(replica, query), start, limit);
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
  for (const chunk of filters ? chunks : []) {
    const count = select(chunk, filters ?? []);
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
  for (const chunk of filters ? replica.chunks : []) {
    const column =
      enums >= 0
        ? requireValue(chunk.enums[enums])
        : requireValue(chunk.strings[findColumn(replica.spec.strings, name)]);
    const count = select(chunk, filters ?? []);
    for (const row of selection.subarray(0, count)) {
      const code = column[row] ?? 0;
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  return counts;
}

const beforeAll: Position = { value: Number.NEGATIVE_INFINITY, number: Number.NEGATIVE_INFINITY };

function applySign({ value, number }: Position, sign: 1 | -1): Position {
  // Subtract, because a product would turn 0 into -0.
  return sign === 1 ? { value, number } : { value: 0 - value, number: 0 - number };
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

/** Sorts after every time. */
const noTime = 8.64e15;

const times = new Float64Array(chunkRows);

/** Rows without a time come last in both orders; in descending order 0 does that by itself. */
function buildNullsLastSorting(time: number): Sorting {
  return (chunk, count) => {
    const column = chunk.times[time] ?? times;
    for (let index = 0; index < count; index++) {
      const row = selection[index] ?? 0;
      times[row] = column[row] || noTime;
    }
    return { column: times, candidates: count };
  };
}

function buildSorting({ spec }: Replica, { sort: name, order }: Pick<ListQuery, 'sort' | 'order'>): Sorting {
  const time = timeColumns(spec).indexOf(name);
  if (spec.nullsLast?.includes(name) && order === 'asc') return buildNullsLastSorting(time);
  if (time >= 0) {
    return ({ times, earliest, latest }, count, { min, max }) => {
      const isOutside = (latest[time] ?? 0) < min || (earliest[time] ?? 0) > max;
      return { column: requireValue(times[time]), candidates: isOutside ? 0 : count };
    };
  }
  const index = findColumn(Object.keys(spec.enums), name);
  const wanted = new Uint8Array(256);
  return ({ enums }, count, { min, max }) => {
    for (let value = 0; value < wanted.length; value++) wanted[value] = value >= min && value <= max ? 1 : 0;
    return { column: requireValue(enums[index]), candidates: keepWanted(requireValue(enums[index]), count, wanted) };
  };
}
