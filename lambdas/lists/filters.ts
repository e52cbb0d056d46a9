import { requireValue } from '../platform/require-value.ts';
import { type Chunk, chunkRows, type Filter, type StringColumn, selection, selectLive } from './chunk.ts';
import { findColumn, type ListQuery, type TimeRanges } from './list-engine.ts';
import { listTimeColumns } from './listing.ts';
import type { Replica } from './replica.ts';
import { hashMember, hashWord, splitWords } from './words.ts';

// The filters of a query. Each one scans one column of a chunk and keeps the selected rows that pass.

export function select(chunk: Chunk, filters: readonly Filter[]): number {
  let count = selectLive(chunk);
  for (const filter of filters) {
    if (count === 0) return 0;
    count = filter(chunk, count);
  }
  return count;
}

/** Undefined when no row can pass. Cheap and selective filters come first, words last. */
export function buildFilters(replica: Replica, query: ListQuery, text: string | undefined): Filter[] | undefined {
  const filters: Filter[] = [];
  if (query.ids !== undefined) filters.push(buildIdsFilter(replica, query.ids));
  for (const { ids } of query.related ?? []) filters.push(buildIdsFilter(replica, ids));
  for (const [name, text] of Object.entries(query.strings)) {
    const column = findColumn(replica.spec.strings, name);
    const codes = [text].flat().flatMap((each) => requireValue(replica.dictionaries[column]).findCode(each) ?? []);
    if (codes.length === 0) return undefined;
    filters.push((chunk, count) => keepCodes(requireValue(chunk.strings[column]), count, codes));
  }
  for (const [name, values] of Object.entries(query.not ?? {})) filters.push(buildDenial(replica, name, values));
  filters.push(...buildTimeFilters(replica, query.times));
  for (const { anyOf } of query.conditions ?? [])
    filters.push(keepAny(anyOf.map((ranges) => buildTimeFilters(replica, ranges))));
  for (const [name, values] of Object.entries(query.enums)) {
    const column = findColumn(Object.keys(replica.spec.enums), name);
    const mask = new Uint8Array(256);
    for (const value of values) mask[findColumn(requireValue(replica.spec.enums[name]), value) + 1] = 1;
    filters.push((chunk, count) => keepMatching(requireValue(chunk.enums[column]), count, mask));
  }
  for (const [name, members] of Object.entries(query.sets ?? {})) {
    findColumn(replica.spec.sets ?? [], name);
    const hashes = members.map((member) => hashMember(name, member));
    filters.push((chunk, count) => keepWithWords(chunk, count, hashes));
  }
  for (const [name, ids] of Object.entries(query.references ?? {})) {
    findColumn(replica.spec.references ?? [], name);
    filters.push(keepAny(ids.map((id) => [keepWithMember(hashMember(name, id))])));
  }
  if (text !== undefined) filters.push(...buildWordFilters(replica, text));
  return filters;
}

/** Keeps the rows that have none of the values. */
function buildDenial(replica: Replica, name: string, values: readonly string[]): Filter {
  if (replica.spec.references?.includes(name)) {
    const any = keepAny(values.map((value) => [keepWithMember(hashMember(name, value))]));
    return (chunk, count) => {
      const given = selection.slice(0, count);
      const matching = new Set(selection.slice(0, any(chunk, count)));
      const kept = given.filter((row) => !matching.has(row));
      selection.set(kept);
      return kept.length;
    };
  }
  const column = findColumn(replica.spec.strings, name);
  const codes = values.flatMap((value) => requireValue(replica.dictionaries[column]).findCode(value) ?? []);
  return (chunk, count) => keepCodes(requireValue(chunk.strings[column]), count, codes, false);
}

function buildTimeFilters(replica: Replica, ranges: TimeRanges): Filter[] {
  return Object.entries(ranges).map(([name, range]): Filter => {
    const column = findColumn(listTimeColumns(replica.spec), name);
    if (range === null) return (chunk, count) => keepCodes(requireValue(chunk.times[column]), count, [0]);
    const { afterMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY } = range;
    return (chunk, count) => {
      if ((chunk.latest[column] ?? 0) <= afterMs || (chunk.earliest[column] ?? 0) >= beforeMs) return 0;
      return keepBetween(requireValue(chunk.times[column]), count, afterMs, beforeMs);
    };
  });
}

/** Keeps the rows that pass all filters of at least one alternative. */
function keepAny(alternatives: readonly (readonly Filter[])[]): Filter {
  const [only] = alternatives;
  if (only && alternatives.length === 1) return (chunk, count) => only.reduce((left, keep) => keep(chunk, left), count);
  return (chunk, count) => {
    const given = selection.slice(0, count);
    passed.fill(0);
    for (const filters of alternatives) {
      selection.set(given);
      const left = filters.reduce((rest, keep) => keep(chunk, rest), count);
      for (const row of selection.subarray(0, left)) passed[row] = 1;
    }
    selection.set(given);
    return keepMatching(passed, count, isPassed);
  };
}

function keepWithMember(hash: number): Filter {
  return (chunk, count) => keepWithWords(chunk, count, [hash]);
}

const passed = new Uint8Array(chunkRows);
const isPassed = Uint8Array.of(0, 1);

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

/** A word that is an id finds that record and the records that mention it, so it needs its own filter. */
function buildWordFilters(replica: Replica, text: string): Filter[] {
  const words = [...splitWords([text])].map((word) => ({
    hash: hashWord(word),
    row: replica.findRow(word.toUpperCase()),
  }));
  const plain = words.filter(({ row }) => row === undefined).map(({ hash }) => hash);
  const ids = words.flatMap(({ hash, row }) => (row === undefined ? [] : [{ hash, row }]));
  const all: Filter = (chunk, count) => keepWithWords(chunk, count, plain);
  return [...(plain.length > 0 ? [all] : []), ...ids.map(({ hash, row }) => buildIdFilter(replica, row, hash))];
}

function buildIdFilter(replica: Replica, row: number, hash: number): Filter {
  return (chunk, count) => {
    const isHere = replica.chunks[Math.floor(row / chunkRows)] === chunk;
    return isHere ? keepWithWordOr(row % chunkRows, chunk, count, hash) : keepWithWords(chunk, count, [hash]);
  };
}

function keepWithWordOr(row: number, chunk: Chunk, count: number, hash: number): number {
  const isSelected = selection.subarray(0, count).includes(row);
  const kept = keepWithWords(chunk, count, [hash]);
  if (!isSelected || selection.subarray(0, kept).includes(row)) return kept;
  selection[kept] = row;
  return kept + 1;
}

// Each loop reads the selection from a local variable: in CommonJS an import is a property with a getter, and the loop
// would call it for every row.

function keepCodes(
  column: StringColumn | Float64Array,
  count: number,
  codes: readonly number[],
  isWanted = true,
): number {
  const rows = selection;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    rows[kept] = row;
    kept += codes.includes(column[row] ?? 0) === isWanted ? 1 : 0;
  }
  return kept;
}

function keepBetween(column: Float64Array, count: number, after: number, before: number): number {
  const rows = selection;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    const time = column[row] ?? 0;
    rows[kept] = row;
    kept += time > after && time < before && time !== 0 ? 1 : 0;
  }
  return kept;
}

/** Keeps the selected rows that have all words and returns their number. */
export function keepWithWords({ words }: Chunk, count: number, hashes: readonly number[]): number {
  let left = count;
  for (const hash of hashes) {
    if (left === 0) return 0;
    words.mark(hash, rowsWithWord);
    left = keepMatching(rowsWithWord, left, isPassed);
  }
  return left;
}

const rowsWithWord = new Uint8Array(chunkRows);

export function keepMatching(column: Uint8Array, count: number, mask: Uint8Array): number {
  const rows = selection;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] ?? 0;
    rows[kept] = row;
    kept += mask[column[row] ?? 0] ?? 0;
  }
  return kept;
}
