import { selection } from './chunk.ts';
import { buildFilters, findColumn, type ListQuery, select } from './filters.ts';
import { timeColumns } from './listing.ts';
import type { Replica } from './replica.ts';

// Counts the rows of a query in one scan: in total, by the values of columns, and by day.

const dayMs = 86_400_000;

export interface Tally {
  /** Rows, or rows created on a day. */
  count: number;
  resolved: number;
  breached: number;
  resolutionMs: number;
}

export interface StatisticsRequest {
  /** Enum or string columns. */
  groupBy: readonly string[];
  /** The first day as milliseconds since the epoch, and the number of days; 0 for none. */
  firstDayMs: number;
  days: number;
}

export interface RowStatistics {
  total: Tally;
  groups: { values: (string | null)[]; tally: Tally }[];
  days: Tally[];
}

/** The time columns that measure a resolution. A resolved row with a time of breach was breached. */
export interface ResolutionColumns {
  resolved: string;
  breached: string;
}

export function measureRows(
  replica: Replica,
  query: ListQuery,
  columns: ResolutionColumns,
  { groupBy, firstDayMs, days }: StatisticsRequest,
): RowStatistics {
  const { spec } = replica;
  const filters = buildFilters(replica, query, query.text);
  const times = timeColumns(spec);
  const [resolvedAt, breachedAt] = [findColumn(times, columns.resolved), findColumn(times, columns.breached)];
  const grouping = groupBy.map((name) => buildGrouping(replica, name));
  const total = newTally();
  const byDay = Array.from({ length: days }, newTally);
  const groups = new Map<number, Tally>();
  const unused = newTally();
  // The codes of a row form one number, small enough for a fast key of the map in most cases.
  const bases = grouping.map(({ values }) => values.length + 1);
  for (const chunk of filters === undefined ? [] : replica.chunks) {
    const count = select(chunk, filters ?? []);
    const created = chunk.times[0] ?? none;
    const resolved = chunk.times[resolvedAt] ?? none;
    const breached = chunk.times[breachedAt] ?? none;
    const keys = grouping.map(({ column }) => column(chunk));
    for (let index = 0; index < count; index++) {
      const row = selection[index] ?? 0;
      let key = 0;
      for (let part = 0; part < keys.length; part++) key = key * (bases[part] ?? 1) + (keys[part]?.[row] ?? 0);
      const group = keys.length === 0 ? unused : getOrAdd(groups, key);
      total.count++;
      group.count++;
      const createdMs = created[row] ?? 0;
      const resolvedMs = resolved[row] ?? 0;
      if (days > 0) addCreation(byDay[Math.floor((createdMs - firstDayMs) / dayMs)]);
      if (resolvedMs === 0) continue;
      const isBreached = breached[row] !== 0;
      addResolution(total, isBreached, resolvedMs - createdMs);
      addResolution(group, isBreached, resolvedMs - createdMs);
      if (days > 0)
        addResolution(byDay[Math.floor((resolvedMs - firstDayMs) / dayMs)], isBreached, resolvedMs - createdMs);
    }
  }
  return {
    total,
    groups: [...groups].map(([key, tally]) => ({ values: parseKey(key, grouping), tally })),
    days: byDay,
  };
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

function newTally(): Tally {
  return { count: 0, resolved: 0, breached: 0, resolutionMs: 0 };
}

function getOrAdd(groups: Map<number, Tally>, key: number): Tally {
  const known = groups.get(key);
  if (known) return known;
  const added = newTally();
  groups.set(key, added);
  return added;
}

/** Times outside the requested days have no tally. */
function addCreation(tally: Tally | undefined): void {
  if (tally) tally.count++;
}

function addResolution(tally: Tally | undefined, isBreached: boolean, durationMs: number): void {
  if (!tally) return;
  tally.resolved++;
  tally.breached += isBreached ? 1 : 0;
  tally.resolutionMs += durationMs;
}
