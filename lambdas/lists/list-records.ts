import type { Clock } from '../platform/clock.ts';
import { requireValue } from '../platform/require-value.ts';
import { type CursorSeal, fitRows } from '../records/page.ts';
import type { Resource, StoredRecord } from '../records/record.ts';
import type { ListEngine, ListQuery, PageStart, Position } from './list-engine.ts';
import { formatRecordId, type ListingSpec, parseRecordNumber } from './listing.ts';
import type { ReadRecords } from './record-store.ts';

/** The query parameters of a list: filters named after columns, plus paging and sorting. */
export type ListParameters = PageRequest & FilterParameters;

type FilterParameters = Pick<ListQuery, 'order' | 'sort'> & Readonly<Record<string, unknown>>;

/** A query parameter that is the lower or upper bound of a time. */
export type TimeBound = { after: string } | { before: string };

/** Applies query parameters that are not columns. */
export type RefineQuery = (
  query: ListQuery,
  parameters: Readonly<Record<string, unknown>>,
  context: { nowMs: number; engine: ListEngine },
) => ListQuery | Promise<ListQuery>;

/** The bounds of every list. */
export const recordBounds: Readonly<Record<string, TimeBound>> = {
  created_after: { after: 'created_at' },
  created_before: { before: 'created_at' },
  updated_after: { after: 'updated_at' },
  updated_before: { before: 'updated_at' },
};

/**
 * Lists records of any type. `bounds` names the query parameters for times that only this type has; `refine` applies
 * parameters that are not columns.
 */
export function listResource<Document, View>(
  source: ListSource,
  spec: ListingSpec,
  { toResponse }: Pick<Resource<Document, View>, 'toResponse'>,
  bounds: Readonly<Record<string, TimeBound>> = {},
  refine: RefineQuery = (query) => query,
) {
  const toCachedResponse = memoize(toResponse);
  return async ({ query }: { query: ListParameters }, { clock }: { clock: Clock }) => {
    const context = { nowMs: clock.now(), engine: source.engine };
    const listQuery = await refine(toListQuery(spec, query, { ...recordBounds, ...bounds }), query, context);
    return {
      status: 200 as const,
      body: await listRecords<Document, View>(source, listQuery, query, toCachedResponse),
    };
  };
}

/** Cached records are immutable, so build each response once. */
function memoize<From extends object, To>(compute: (from: From) => To): (from: From) => To {
  const results = new WeakMap<From, To>();
  return (from) => {
    const known = results.get(from);
    if (known !== undefined) return known;
    const result = compute(from);
    results.set(from, result);
    return result;
  };
}

export function toListQuery(
  spec: ListingSpec,
  parameters: FilterParameters,
  bounds: Readonly<Record<string, TimeBound>>,
): ListQuery {
  const missing = (parameters.missing as readonly string[] | undefined) ?? [];
  const pickMissing = (columns: readonly string[]) =>
    Object.fromEntries(missing.filter((name) => columns.includes(name)).map((name) => [name, null]));
  return {
    ids: parameters.id as ListQuery['ids'],
    enums: pickColumns(Object.keys(spec.enums), parameters) as ListQuery['enums'],
    strings: { ...pickStrings(spec, parameters), ...pickMissing(spec.strings) } as ListQuery['strings'],
    sets: pickColumns(spec.sets ?? [], parameters) as ListQuery['enums'],
    references: pickColumns(spec.references ?? [], parameters) as ListQuery['enums'],
    ...(parameters.not !== undefined && { not: parameters.not as NonNullable<ListQuery['not']> }),
    times: { ...toTimes(parameters, bounds), ...pickMissing(spec.times) },
    text: parameters.q as string | undefined,
    sort: parameters.sort,
    order: parameters.order,
  };
}

function pickColumns(
  columns: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
  );
}

/** A column with references has its own filter. Several values are separated by commas, which a value may contain, too. */
function pickStrings({ strings, references = [] }: ListingSpec, parameters: Readonly<Record<string, unknown>>) {
  const picked = pickColumns(
    strings.filter((name) => !references.includes(name)),
    parameters,
  );
  return Object.fromEntries(
    Object.entries(picked).map(([name, value]) => {
      const parts = String(value)
        .split(',')
        .map((part) => part.trim());
      return [name, parts.length > 1 ? [String(value), ...parts] : value];
    }),
  );
}

function toTimes(
  parameters: Readonly<Record<string, unknown>>,
  bounds: Readonly<Record<string, TimeBound>>,
): ListQuery['times'] {
  const times: Record<string, { afterMs?: number; beforeMs?: number }> = {};
  for (const [parameter, bound] of Object.entries(bounds)) {
    const time = parameters[parameter];
    if (time === undefined) continue;
    const ms = Date.parse(time as string);
    if ('after' in bound) times[bound.after] = { ...times[bound.after], afterMs: ms };
    else times[bound.before] = { ...times[bound.before], beforeMs: ms };
  }
  return times;
}

// Finds a page with the engine and reads its records from the table. A record that changed in between is returned in its
// new form at its old position; a record that was deleted in between is omitted. The cursor contains the position of the
// last row found, so the next page is correct even if that row changes.

export interface PageRequest {
  limit: number;
  page?: number | undefined;
  cursor?: string | undefined;
}

export interface Page<View> {
  data: View[];
  next_cursor?: string;
  total: number;
}

export interface ListSource {
  engine: ListEngine;
  read: ReadRecords;
  seal: CursorSeal;
}

export async function listRecords<Document, View>(
  { engine, read, seal }: ListSource,
  query: ListQuery,
  request: PageRequest,
  toResponse: (record: StoredRecord<Document>) => View,
): Promise<Page<View>> {
  const { type, idPrefix } = engine.spec;
  const list = toListIdentity(type, query);
  const start = toPageStart(request, (cursor) => parsePosition(seal.open(list, cursor), idPrefix));
  const { total, rows, more, ranking } = await engine.findPage(query, start, request.limit);
  const ids = rows.map(({ number }) => formatRecordId(number, idPrefix));
  const records = await read<Document>(ids);
  const kept = fitRows(records, request.limit, ({ bytes }) => bytes + addedBytes);
  const data = kept.map(({ record }) => toResponse(record));
  const isCut = kept.length < records.length;
  if (!more && !isCut) return { data, total };
  const last = requireValue(isCut ? rows[ids.indexOf(kept.at(-1)?.record.id ?? '')] : rows.at(-1), 'last row');
  return { data, next_cursor: seal.seal(list, formatPosition(last, idPrefix, ranking)), total };
}

/** Reads the first records of a list and counts all of them. */
export async function findRecords<Document>(
  { engine, read }: Pick<ListSource, 'engine' | 'read'>,
  query: ListQuery,
  limit: number,
): Promise<{ total: number; records: StoredRecord<Document>[] }> {
  const { total, rows } = await engine.findPage(query, { skip: 0 }, limit);
  const found = await read<Document>(rows.map(({ number }) => formatRecordId(number, engine.spec.idPrefix)));
  return { total, records: found.map(({ record }) => record) };
}

/** Size of the fields that the service adds to a document: id, times and counts. */
const addedBytes = 400;

function toPageStart({ page, cursor, limit }: PageRequest, open: (cursor: string) => PageStart): PageStart {
  if (cursor !== undefined) return open(cursor);
  return { skip: ((page ?? 1) - 1) * limit };
}

/** Two queries have the same identity if and only if they return the same rows in the same order. */
function toListIdentity(type: string, query: ListQuery): string {
  const { ids, enums, strings, not = {}, sets = {}, references = {}, times, text, sort, order } = query;
  const sorted = <Value>(record: Readonly<Record<string, Value>>) => Object.entries(record).sort(compareNames);
  const values = sorted({ ...(ids && { id: ids }), ...enums, ...sets, ...references }).map(([name, names]) => [
    name,
    [...names].sort(),
  ]);
  const names = [...(query.conditions ?? []), ...(query.related ?? [])].map(({ name }) => name).sort();
  const denied = Object.keys(not).length > 0 ? [sorted(not)] : [];
  return JSON.stringify([type, sort, order, values, sorted(strings), sorted(times), text ?? null, ...names, ...denied]);
}

function compareNames([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function formatPosition({ value, number }: Position, idPrefix: string, ranking: string | undefined): string {
  const position = `${value}:${formatRecordId(number, idPrefix)}`;
  return ranking === undefined ? position : `${position}:${ranking}`;
}

/** The cursor's signature is verified, so its format is known. */
function parsePosition(text: string, idPrefix: string): PageStart {
  const [value, id = '', ranking] = text.split(':');
  return { after: { value: Number(value), number: requireValue(parseRecordNumber(id, idPrefix)) }, ranking };
}
