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
  { groupBy, firstDayMs, days }: StatisticsRequest,
): Promise<RowStatistics> {
  const tally = buildTally(columns);
  const inDays = (field: string) => ({ range: { [field]: { gte: firstDayMs, lt: firstDayMs + days * dayMs } } });
  const byDay = (field: string) => ({ histogram: { field, interval: dayMs, offset: 0, min_doc_count: 1 } });
  const daily = days > 0 && {
    created: { filter: inDays('created_at'), aggs: { days: byDay('created_at') } },
    resolved_days: { filter: inDays(columns.resolved), aggs: { days: { ...byDay(columns.resolved), aggs: tally } } },
    acknowledged_days: {
      filter: inDays(columns.acknowledged),
      aggs: { days: { ...byDay(columns.acknowledged), aggs: tally } },
    },
  };
  const [{ hits, aggregations }, groups] = await Promise.all([
    search({ size: 0, query, track_total_hits: true, aggs: { ...tally, ...daily } }),
    groupBy.length === 0 ? [] : countGroups(spec, search, query, groupBy, tally),
  ]);
  const perDay = Array.from({ length: days }, newTally);
  const findDay = ({ key }: Json) => perDay[Math.floor((key - firstDayMs) / dayMs)];
  for (const bucket of aggregations.created?.days.buckets ?? []) {
    const day = findDay(bucket);
    if (day) day.count = bucket.doc_count;
  }
  for (const bucket of aggregations.resolved_days?.days.buckets ?? []) {
    const day = findDay(bucket);
    const { resolved, breached, resolutionMs } = toTally(bucket);
    if (day) Object.assign(day, { resolved, breached, resolutionMs });
  }
  for (const bucket of aggregations.acknowledged_days?.days.buckets ?? []) {
    const day = findDay(bucket);
    const { acknowledged, acknowledgementMs } = toTally(bucket);
    if (day) Object.assign(day, { acknowledged, acknowledgementMs });
  }
  return {
    total: { ...toTally(aggregations), count: hits.total.value },
    groups: groups.map(({ values, bucket }) => ({ values, tally: toTally(bucket) })),
    days: perDay,
  };
}

function buildTally({ resolved, breached, acknowledged }: ResponseColumns): Record<string, object> {
  return {
    resolved: {
      filter: { exists: { field: resolved } },
      aggs: {
        breached: { filter: { exists: { field: breached } } },
        ms: { sum: { field: toElapsedField(resolved) } },
      },
    },
    acknowledged: {
      filter: { exists: { field: acknowledged } },
      aggs: { ms: { sum: { field: toElapsedField(acknowledged) } } },
    },
  };
}

function toTally({ doc_count, resolved, acknowledged }: Json): Tally {
  return {
    count: doc_count,
    resolved: resolved.doc_count,
    breached: resolved.breached.doc_count,
    resolutionMs: resolved.ms.value,
    acknowledged: acknowledged.doc_count,
    acknowledgementMs: acknowledged.ms.value,
  };
}
