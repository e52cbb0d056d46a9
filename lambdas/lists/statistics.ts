import { type Interval, maxGroups } from '../../contract/statistics.ts';
import type { Clock } from '../platform/clock.ts';
import { dayMs, toUtcDate } from '../platform/clock.ts';
import { type ListEngine, newTally, type ResponseColumns, type RowStatistics, type Tally } from './list-engine.ts';
import { type RefineQuery, recordBounds, type TimeBound, toListQuery } from './list-records.ts';

// Figures of the records in a list: in total, per group, per period, and next to those of other filters.

export interface StatisticsSource {
  engine: ListEngine;
  columns: ResponseColumns;
  bounds?: Readonly<Record<string, TimeBound>>;
  refine?: RefineQuery;
}

/** The query parameters of the operation. All others are filters of the list. */
export interface StatisticsParameters extends Readonly<Record<string, unknown>> {
  group_by?: readonly string[] | undefined;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  top?: number | undefined;
  median?: boolean | undefined;
  interval?: Interval | undefined;
  days?: number | undefined;
  compare?: Readonly<Record<string, unknown>> | undefined;
}

/** Those that the kind of record has. */
export interface Figures {
  resolved: number;
  mean_time_to_resolve_minutes: number | null;
  sla_met?: number;
  sla_breached?: number;
  sla_attainment?: number | null;
  acknowledged?: number;
  mean_time_to_acknowledge_minutes?: number | null;
  reopened?: number;
  median_time_to_resolve_minutes?: number | null;
  median_time_to_acknowledge_minutes?: number | null;
}

export type Total = Figures & { count: number };

export type Period = Figures & { date: string; created: number };

export interface Statistics extends Total {
  groups?: (Total & { values: Record<string, string | null> })[];
  other?: number;
  days?: Period[];
  periods?: Period[];
  compared?: Total;
  difference?: Record<string, number | null>;
}

/** `Body` has the figures that the columns of the source measure. */
export function getStatistics<Body = Statistics>(source: StatisticsSource) {
  return async ({ query }: { query: StatisticsParameters }, { clock }: { clock: Clock }) => ({
    status: 200 as const,
    body: (await computeStatistics(source, query, clock.now())) as Body,
  });
}

export async function computeStatistics(
  source: StatisticsSource,
  parameters: StatisticsParameters,
  nowMs: number,
): Promise<Statistics> {
  const {
    group_by = [],
    sort = 'count',
    order = 'desc',
    top = maxGroups,
    median,
    interval,
    days,
    compare,
    ...filters
  } = parameters;
  const firstDayMs = findFirstDay(nowMs, days ?? 30, interval);
  const dayCount = interval === undefined ? 0 : Math.floor(nowMs / dayMs) - firstDayMs / dayMs + 1;
  const request = { groupBy: group_by, firstDayMs, days: dayCount, median: median === true };
  const measure = async (given: Readonly<Record<string, unknown>>, asked = request) => {
    const { engine, columns, bounds = {}, refine = (query) => query } = source;
    const query = toListQuery(
      engine.spec,
      { ...given, sort: 'created_at', order: 'desc' },
      { ...recordBounds, ...bounds },
    );
    return engine.measureRows(await refine(query, given, { nowMs, engine }), columns, asked);
  };
  const toTotal = (tally: Tally): Total => ({ count: tally.count, ...toFigures(tally, source.columns) });
  const [measured, other] = await Promise.all([
    measure(filters),
    compare && measure({ ...filters, ...compare }, { ...request, groupBy: [], days: 0 }),
  ]);
  const total = toTotal(measured.total);
  const compared = other && toTotal(other.total);
  const groups = toGroups(measured, group_by, toTotal, sort as keyof Total, order === 'asc' ? 1 : -1);
  const periods = interval && toPeriods(measured.days, firstDayMs, interval, source.columns);
  return {
    ...total,
    ...(group_by.length > 0 && {
      groups: groups.slice(0, top),
      other: groups.slice(top).reduce((sum, group) => sum + group.count, 0),
    }),
    ...(periods && (interval === 'day' ? { days: periods } : { periods })),
    ...(compared && { compared, difference: toDifference(total, compared) }),
  };
}

function toGroups(
  { groups }: RowStatistics,
  fields: readonly string[],
  toTotal: (tally: Tally) => Total,
  sort: keyof Total,
  sign: 1 | -1,
) {
  const named = groups.map(({ values, tally }) => ({
    values: Object.fromEntries(fields.map((field, index) => [field, values[index] ?? null])),
    ...toTotal(tally),
  }));
  // Groups without a figure come last, and groups with the same figure have a stable order.
  const rank = (total: Total) =>
    typeof total[sort] === 'number' ? sign * Number(total[sort]) : Number.POSITIVE_INFINITY;
  return named.sort(
    (a, b) => rank(a) - rank(b) || b.count - a.count || (JSON.stringify(a.values) < JSON.stringify(b.values) ? -1 : 1),
  );
}

/** The start of the period that contains the first of the last days. */
function findFirstDay(nowMs: number, days: number, interval: Interval | undefined): number {
  return toPeriodStart((Math.floor(nowMs / dayMs) - days + 1) * dayMs, interval ?? 'day');
}

/** Weeks begin on Monday. */
function toPeriodStart(ms: number, interval: Interval): number {
  const date = new Date(ms);
  if (interval === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return interval === 'week' ? ms - ((date.getUTCDay() + 6) % 7) * dayMs : ms;
}

function toPeriods(days: readonly Tally[], firstDayMs: number, interval: Interval, columns: ResponseColumns): Period[] {
  const tallies = new Map<number, Tally>();
  for (const [index, day] of days.entries()) {
    const startMs = toPeriodStart(firstDayMs + index * dayMs, interval);
    tallies.set(startMs, addTallies(tallies.get(startMs) ?? newTally(), day));
  }
  return [...tallies].map(([startMs, tally]) => ({
    date: toUtcDate(startMs),
    created: tally.count,
    ...toFigures(tally, columns),
  }));
}

function addTallies(a: Tally, b: Tally): Tally {
  return {
    count: a.count + b.count,
    resolved: a.resolved + b.resolved,
    met: a.met + b.met,
    breached: a.breached + b.breached,
    resolutionMs: a.resolutionMs + b.resolutionMs,
    acknowledged: a.acknowledged + b.acknowledged,
    acknowledgementMs: a.acknowledgementMs + b.acknowledgementMs,
    reopened: a.reopened + b.reopened,
  };
}

function toFigures(
  tally: Tally,
  { breached, acknowledged: acknowledgedAt, reopened: reopenedAt }: ResponseColumns,
): Figures {
  const { resolved, resolutionMs, acknowledged, acknowledgementMs, reopened, medians } = tally;
  const toMinutes = (ms: number | null) => (ms === null ? null : ms / 60_000);
  return {
    resolved,
    mean_time_to_resolve_minutes: resolved === 0 ? null : resolutionMs / resolved / 60_000,
    ...(medians && { median_time_to_resolve_minutes: toMinutes(medians.resolved) }),
    ...(breached && {
      sla_met: tally.met,
      sla_breached: tally.breached,
      sla_attainment: tally.met + tally.breached === 0 ? null : tally.met / (tally.met + tally.breached),
    }),
    ...(acknowledgedAt && {
      acknowledged,
      mean_time_to_acknowledge_minutes: acknowledged === 0 ? null : acknowledgementMs / acknowledged / 60_000,
      ...(medians && { median_time_to_acknowledge_minutes: toMinutes(medians.acknowledged) }),
    }),
    ...(reopenedAt && { reopened }),
  };
}

function toDifference(total: Total, compared: Total): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(total).map(([name, value]) => {
      const other = compared[name as keyof Total];
      return [name, typeof value === 'number' && typeof other === 'number' ? value - other : null];
    }),
  );
}
