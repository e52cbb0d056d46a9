import { dayMs } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { type Chunk, chunkRows, type Filter, selection } from './chunk.ts';
import { buildFilters, keepMatching, select } from './filters.ts';
import {
  type FoundPage,
  findColumn,
  findMedian,
  type ListQuery,
  newTally,
  type PageStart,
  type Position,
  type ResponseColumns,
  type RowStatistics,
  relevance,
  type StatisticsRequest,
  type Tally,
} from './list-engine.ts';
import { listTimeColumns, toRank } from './listing.ts';
import { BestRows, computeWeights, parseWeights, Ranking, toTerms } from './ranking.ts';
import type { Replica } from './replica.ts';

// Runs a query on a replica. Each filter scans one column of a chunk and passes on the remaining rows; rows that pass
// all filters are counted and offered for the page.

export function findPage(replica: Replica, query: ListQuery, start: PageStart, limit: number): FoundPage {
  if (query.sort === relevance) return findBest(replica, query, start, limit);
  return scan(replica, query, buildFilters(replica, query, query.text), buildSorting(replica, query), start, limit);
}

/** Finds the best matches for a text. */
function findBest(replica: Replica, query: ListQuery, start: PageStart, limit: number): FoundPage {
  const terms = toTerms(replica, query.text ?? '');
  const known = 'after' in start && start.ranking !== undefined ? parseWeights(start.ranking) : undefined;
  const weights = known ?? { terms: computeWeights(replica, terms), required: 'all' as const };
  const find = (ranking: Ranking): FoundPage => {
    const filters =
      ranking.weights.required === 'all'
        ? buildFilters(replica, query, query.text)
        : buildFilters(replica, query, undefined)?.concat(ranking.half);
    const sorting: Sorting = (chunk, count) => ({ column: ranking.score(chunk, count), candidates: count });
    return { ...scan(replica, query, filters, sorting, start, limit), ranking: String(ranking) };
  };
  const page = find(new Ranking(terms, weights));
  return page.total > 0 || known ? page : find(new Ranking(terms, { ...weights, required: 'half' }));
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
  const after = 'after' in start ? applySign(start.after, sign) : beforeAll;
  const best = new BestRows(Math.min(skip + limit + 1, replica.liveRows + 1), replica.liveRows);
  // The last chunk contains the newest rows, and most lists start with the newest.
  const chunks = sign === 1 ? replica.chunks : replica.chunks.toReversed();
  let total = 0;
  for (const chunk of filters ? chunks : []) {
    const count = select(chunk, filters ?? []);
    total += count;
    const { numberLow, numberHigh } = chunk;
    const { column, candidates } = sorting(chunk, count, toRange(after.value, best.lastValue, sign));
    best.offer({ selection, count: candidates, column, numberLow, numberHigh }, after, sign);
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

/** Rows without a time come last in both orders. In descending order they do so already, because their value is 0. */
function buildNullsLastSorting(time: number): Sorting {
  return (chunk, count) => {
    const column = chunk.times[time] ?? times;
    const sorted = times;
    for (const row of selection.subarray(0, count)) sorted[row] = column[row] || noTime;
    return { column: sorted, candidates: count };
  };
}

function buildRankSorting(code: number, time: number): Sorting {
  return (chunk, count) => {
    const [codes, column] = [requireValue(chunk.enums[code]), requireValue(chunk.times[time])];
    for (const row of selection.subarray(0, count)) times[row] = toRank(codes[row] ?? 0, column[row] ?? 0);
    return { column: times, candidates: count };
  };
}

function buildSorting({ spec }: Replica, { sort: name, order }: Pick<ListQuery, 'sort' | 'order'>): Sorting {
  const time = listTimeColumns(spec).indexOf(name);
  if (spec.nullsLast?.includes(name) && order === 'asc') return buildNullsLastSorting(time);
  if (time >= 0) {
    return ({ times, earliest, latest }, count, { min, max }) => {
      const isOutside = (latest[time] ?? 0) < min || (earliest[time] ?? 0) > max;
      return { column: requireValue(times[time]), candidates: isOutside ? 0 : count };
    };
  }
  const index = findColumn(Object.keys(spec.enums), name);
  const within = spec.within?.[name];
  if (within !== undefined) return buildRankSorting(index, findColumn(listTimeColumns(spec), within));
  const mask = new Uint8Array(256);
  return ({ enums }, count, { min, max }) => {
    for (let value = 0; value < mask.length; value++) mask[value] = value >= min && value <= max ? 1 : 0;
    return { column: requireValue(enums[index]), candidates: keepMatching(requireValue(enums[index]), count, mask) };
  };
}

// Counts the rows of a query in one scan: in total, by the values of columns, and by day.

export function measureRows(
  replica: Replica,
  query: ListQuery,
  columns: ResponseColumns,
  { groupBy, firstDayMs, days, median = false }: StatisticsRequest,
): RowStatistics {
  const { spec } = replica;
  const filters = buildFilters(replica, query, query.text);
  const times = listTimeColumns(spec);
  const findTime = (name: string | undefined) => (name === undefined ? -1 : findColumn(times, name));
  const { resolved: resolvedName, breached: breachedName, met: metName, acknowledged: acknowledgedName } = columns;
  const [resolvedAt, breachedAt, metAt, acknowledgedAt] = [resolvedName, breachedName, metName, acknowledgedName].map(
    findTime,
  );
  const reopenedAt = columns.reopened === undefined ? -1 : findColumn(spec.strings, columns.reopened);
  const grouping = groupBy.map((name) => buildGrouping(replica, name));
  const total = new Tallied(median);
  const byDay = Array.from({ length: days }, () => new Tallied(false));
  const groups = new Map<number, Tallied>();
  const unused = new Tallied(false);
  // The codes of a row form one number, small enough for a fast key of the map in most cases.
  const bases = grouping.map(({ values }) => values.length + 1);
  const findDay = (ms: number) => byDay[Math.floor((ms - firstDayMs) / dayMs)];
  for (const chunk of filters === undefined ? [] : replica.chunks) {
    const count = select(chunk, filters ?? []);
    const created = chunk.times[0] ?? none;
    const resolved = chunk.times[resolvedAt ?? -1] ?? none;
    const breached = chunk.times[breachedAt ?? -1] ?? none;
    const met = chunk.times[metAt ?? -1] ?? none;
    const acknowledged = chunk.times[acknowledgedAt ?? -1] ?? none;
    const reopened = chunk.strings[reopenedAt] ?? none;
    const keys = grouping.map(({ column }) => column(chunk));
    for (const row of selection.subarray(0, count)) {
      let key = 0;
      for (let part = 0; part < keys.length; part++) key = key * (bases[part] ?? 1) + (keys[part]?.[row] ?? 0);
      const group = keys.length === 0 ? unused : getOrAdd(groups, key, median);
      const createdMs = created[row] ?? 0;
      const isReopened = (reopened[row] ?? 0) !== 0;
      total.addCreation(isReopened);
      group.addCreation(isReopened);
      // Times outside the requested days have no tally.
      if (days > 0) findDay(createdMs)?.addCreation(isReopened);
      const acknowledgedMs = acknowledged[row] ?? 0;
      if (acknowledgedMs !== 0) {
        for (const tally of [total, group, days > 0 ? findDay(acknowledgedMs) : undefined])
          tally?.addAcknowledgement(acknowledgedMs - createdMs);
      }
      const resolvedMs = resolved[row] ?? 0;
      if (resolvedMs === 0) continue;
      const isBreached = (breached[row] ?? 0) !== 0;
      const isMet = metName === undefined ? !isBreached : (met[row] ?? 0) !== 0;
      for (const tally of [total, group, days > 0 ? findDay(resolvedMs) : undefined])
        tally?.addResolution(isBreached, isMet, resolvedMs - createdMs);
    }
  }
  return {
    total: total.finish(),
    groups: [...groups].map(([key, tally]) => ({ values: parseKey(key, grouping), tally: tally.finish() })),
    days: byDay.map((tally) => tally.finish()),
  };
}

/** Adds up rows; collects durations only for medians. */
class Tallied {
  private readonly tally = newTally();
  private readonly durations: Record<'resolved' | 'acknowledged', number[]> | undefined;

  constructor(median: boolean) {
    this.durations = median ? { resolved: [], acknowledged: [] } : undefined;
  }

  addCreation(isReopened: boolean): void {
    this.tally.count++;
    this.tally.reopened += isReopened ? 1 : 0;
  }

  addResolution(isBreached: boolean, isMet: boolean, durationMs: number): void {
    this.tally.resolved++;
    this.tally.met += isMet ? 1 : 0;
    this.tally.breached += isBreached ? 1 : 0;
    this.tally.resolutionMs += durationMs;
    this.durations?.resolved.push(durationMs);
  }

  addAcknowledgement(durationMs: number): void {
    this.tally.acknowledged++;
    this.tally.acknowledgementMs += durationMs;
    this.durations?.acknowledged.push(durationMs);
  }

  finish(): Tally {
    const { durations } = this;
    if (!durations) return this.tally;
    const medians = { resolved: findMedian(durations.resolved), acknowledged: findMedian(durations.acknowledged) };
    return { ...this.tally, medians };
  }
}

const none = new Float64Array();

interface Grouping {
  column(chunk: Replica['chunks'][number]): ArrayLike<number>;
  values: readonly string[];
}

function buildGrouping({ spec, dictionaries }: Replica, name: string): Grouping {
  const index = Object.keys(spec.enums).indexOf(name);
  const values = spec.enums[name];
  if (values) return { column: (chunk) => chunk.enums[index] ?? none, values };
  const string = findColumn(spec.strings, name);
  return { column: (chunk) => chunk.strings[string] ?? none, values: dictionaries[string]?.values() ?? [] };
}

function parseKey(key: number, grouping: readonly Grouping[]): (string | null)[] {
  let rest = key;
  const values: (string | null)[] = [];
  for (const { values: known } of grouping.toReversed()) {
    const base = known.length + 1;
    values.unshift(known[(rest % base) - 1] ?? null);
    rest = Math.floor(rest / base);
  }
  return values;
}

function getOrAdd(groups: Map<number, Tallied>, key: number, median: boolean): Tallied {
  const known = groups.get(key);
  if (known) return known;
  const added = new Tallied(median);
  groups.set(key, added);
  return added;
}
