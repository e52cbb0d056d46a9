import type { Json } from '../platform/clients/opensearch.ts';
import { dayMs } from '../platform/clock.ts';
import {
  findColumn,
  newTally,
  type ResponseColumns,
  type RowStatistics,
  type StatisticsRequest,
  type Tally,
} from './list-engine.ts';
import type { ListingSpec } from './listing.ts';
import { type Search, toElapsedField } from './search-index.ts';

// Statistics as aggregations. Groups are read page by page with composite aggregations, which are exact; the usual
// terms aggregation estimates.

interface Group {
  values: (string | null)[];
  bucket: Json;
}

const bucketsPerPage = 1_000;

/** Far more groups than people have values; reaching it means that the pages do not end. */
const maxPages = 1_000;

export async function countGroups(
  spec: ListingSpec,
  search: Search,
  query: object,
  names: readonly string[],
  aggs: object = {},
): Promise<Group[]> {
  const sources = names.map((name, place) => {
    findColumn([...Object.keys(spec.enums), ...spec.strings], name);
    return { [place]: { terms: { field: name, missing_bucket: true } } };
  });
  const groups: Group[] = [];
  let after: Json;
  for (let page = 0; page < maxPages; page++) {
    const composite = { size: bucketsPerPage, sources, ...(after && { after }) };
    const { aggregations } = await search({ size: 0, query, aggs: { groups: { composite, aggs } } });
    const { buckets, after_key } = aggregations.groups;
    for (const bucket of buckets) {
      groups.push({ values: names.map((name, place) => toValue(spec, name, bucket.key[place])), bucket });
    }
    if (buckets.length < bucketsPerPage) return groups;
    after = after_key;
  }
  throw new Error(`the groups of ${names} do not end`);
}

function toValue({ enums }: ListingSpec, name: string, key: string | null): string | null {
  return (enums[name] ? enums[name][Number(key) - 1] : key) ?? null;
}

export async function measureGroups(
  spec: ListingSpec,
  search: Search,
  query: object,
  columns: ResponseColumns,
  { groupBy, firstDayMs, days, median = false }: StatisticsRequest,
): Promise<RowStatistics> {
  const tally = buildTally(columns, median);
  const daily = days > 0 && buildDaily(columns, buildTally(columns, false), firstDayMs, days);
  const [{ hits, aggregations }, groups] = await Promise.all([
    search({ size: 0, query, track_total_hits: true, aggs: { ...tally, ...daily } }),
    groupBy.length === 0 ? [] : countGroups(spec, search, query, groupBy, tally),
  ]);
  const perDay = Array.from({ length: days }, newTally);
  const findDay = ({ key }: Json) => perDay[Math.floor((key - firstDayMs) / dayMs)];
  for (const bucket of aggregations.created?.days.buckets ?? []) {
    const { reopened } = toTally(bucket);
    Object.assign(findDay(bucket) ?? {}, { count: bucket.doc_count, reopened });
  }
  for (const bucket of aggregations.resolved_days?.days.buckets ?? []) {
    const { resolved, met, breached, resolutionMs } = toTally(bucket);
    Object.assign(findDay(bucket) ?? {}, { resolved, met, breached, resolutionMs });
  }
  for (const bucket of aggregations.acknowledged_days?.days.buckets ?? []) {
    const { acknowledged, acknowledgementMs } = toTally(bucket);
    Object.assign(findDay(bucket) ?? {}, { acknowledged, acknowledgementMs });
  }
  return {
    total: { ...toTally(aggregations), count: hits.total.value },
    groups: groups.map(({ values, bucket }) => ({ values, tally: toTally(bucket) })),
    days: perDay,
  };
}

function buildDaily({ resolved, acknowledged }: ResponseColumns, tally: object, firstDayMs: number, days: number) {
  const inDays = (field: string) => ({ range: { [field]: { gte: firstDayMs, lt: firstDayMs + days * dayMs } } });
  const byDay = (field: string) => ({
    filter: inDays(field),
    aggs: { days: { histogram: { field, interval: dayMs, offset: 0, min_doc_count: 1 }, aggs: tally } },
  });
  return {
    created: byDay('created_at'),
    ...(resolved && { resolved_days: byDay(resolved) }),
    ...(acknowledged && { acknowledged_days: byDay(acknowledged) }),
  };
}

/** With more values than this, a median is an estimate within a per mille. */
const medianCentroids = 1_000;

function buildTally({ resolved, breached, met, acknowledged, reopened }: ResponseColumns, median: boolean) {
  const exists = (field: string) => ({ filter: { exists: { field } } });
  const measure = (column: string, more: object = {}) => {
    const field = toElapsedField(column);
    const percentiles = { field, percents: [50], keyed: false, tdigest: { compression: medianCentroids } };
    const aggs = { ms: { sum: { field } }, ...(median && { median: { percentiles } }), ...more };
    return { filter: { exists: { field: column } }, aggs };
  };
  return {
    ...(resolved && {
      resolved: measure(resolved, {
        ...(breached && { breached: exists(breached) }),
        ...(met && { met: exists(met) }),
      }),
    }),
    ...(acknowledged && { acknowledged: measure(acknowledged) }),
    ...(reopened && { reopened: exists(reopened) }),
  };
}

function toTally({ doc_count, resolved, acknowledged, reopened }: Json): Tally {
  const breached = resolved?.breached?.doc_count ?? 0;
  const readMedian = (measured: Json) => (measured?.doc_count ? measured.median.values[0].value : null);
  return {
    count: doc_count,
    resolved: resolved?.doc_count ?? 0,
    met: resolved?.met?.doc_count ?? (resolved?.doc_count ?? 0) - breached,
    breached,
    resolutionMs: resolved?.ms.value ?? 0,
    acknowledged: acknowledged?.doc_count ?? 0,
    acknowledgementMs: acknowledged?.ms.value ?? 0,
    reopened: reopened?.doc_count ?? 0,
    ...(resolved?.median && { medians: { resolved: readMedian(resolved), acknowledged: readMedian(acknowledged) } }),
  };
}
