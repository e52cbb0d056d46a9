import type { ListingSpec } from './listing.ts';

// What lists need from a search engine. Everything above works with any engine; two engines return the same results for
// the same records (docs/decisions/0114-list-engines.md).

export interface ListEngine {
  readonly spec: ListingSpec;
  /** The rows of one page, and the exact number of all rows. */
  findPage(query: ListQuery, start: PageStart, limit: number): Promise<FoundPage>;
  /** The number of records per value of an enum or string column, highest count first; null means no value. */
  countValues(query: ListQuery, name: string): Promise<ValueCount[]>;
  /** The values of each of these string columns. May include values that no record has any more. */
  listValues(names: readonly string[]): Promise<(readonly string[])[]>;
  measureRows(query: ListQuery, columns: ResponseColumns, request: StatisticsRequest): Promise<RowStatistics>;
  /** For a walk over edges, which needs one state of the records. Requires `spec.edges`. */
  openGraph(): Promise<FindAdjacent>;
}

/** The records with these ids and the records whose edges lead to one of them, each once. */
export type FindAdjacent = (ids: readonly string[]) => Promise<readonly ListedRow[]> | readonly ListedRow[];

/** A list query. Names are columns of the record type's listing. */
export interface ListQuery {
  ids?: readonly string[] | undefined;
  /** Any of these enum values. */
  enums: Readonly<Record<string, readonly string[]>>;
  /** Exactly this string, or any of these; null for no value. */
  strings: Readonly<Record<string, string | null | readonly string[]>>;
  /** None of these strings or references. */
  not?: Readonly<Record<string, readonly string[]>>;
  /** All of these members of a list. */
  sets?: Readonly<Record<string, readonly string[]>>;
  /** Any of these ids. */
  references?: Readonly<Record<string, readonly string[]>>;
  /** Between two times, exclusive. */
  times: TimeRanges;
  /** Relative to the current time. Cursors contain the names, because the times differ from page to page. */
  conditions?: readonly Condition[];
  /** Rows with one of these ids. Cursors contain the names, because the ids may differ from page to page. */
  related?: readonly { name: string; ids: readonly string[] }[];
  /** All words of the text. */
  text: string | undefined;
  /** A time, an enum or `relevance`, which requires a text. Ties are sorted by id in the same direction. */
  sort: string;
  order: 'asc' | 'desc';
}

/** Sorts by how well records match the text; `desc` returns the best first. */
export const relevance = 'relevance';

/** Null for no time. */
export type TimeRanges = Readonly<Record<string, { afterMs?: number; beforeMs?: number } | null>>;

export interface Condition {
  name: string;
  /** A row must be within all ranges of at least one alternative. */
  anyOf: readonly TimeRanges[];
}

/** The sort position of a row: its sort value, then its number. */
export interface Position {
  value: number;
  number: number;
}

/** After a row of a previous page, with the ranking that found it, or after a number of rows. */
export type PageStart = { after: Position; ranking?: string | undefined } | { skip: number };

export interface FoundPage {
  total: number;
  /** In order, at most `limit`. */
  rows: Position[];
  more: boolean;
  /** Lets the next page rank exactly like this one. */
  ranking?: string;
}

export interface ValueCount {
  value: string | null;
  count: number;
}

/** A record as its listing describes it. */
export interface ListedRow {
  id: string;
  /** The value of an enum or string column. */
  getValue(name: string): string | null;
}

export interface Tally {
  /** Rows, or rows created on a day. */
  count: number;
  resolved: number;
  /** Of the resolved ones; all others if there is no column for it. */
  met: number;
  breached: number;
  resolutionMs: number;
  acknowledged: number;
  acknowledgementMs: number;
  reopened: number;
  /** With `median`: the times to resolve and to acknowledge. */
  medians?: Record<'resolved' | 'acknowledged', number | null>;
}

export function newTally(): Tally {
  const times = { resolutionMs: 0, acknowledged: 0, acknowledgementMs: 0 };
  return { count: 0, resolved: 0, met: 0, breached: 0, reopened: 0, ...times };
}

export interface StatisticsRequest {
  /** Enum or string columns. */
  groupBy: readonly string[];
  /** The first day as milliseconds since the epoch, and the number of days; 0 for none. */
  firstDayMs: number;
  days: number;
  /** Whether to compute medians in total and per group. */
  median?: boolean;
}

export interface RowStatistics {
  total: Tally;
  groups: { values: (string | null)[]; tally: Tally }[];
  days: Tally[];
}

/** The columns that measure a response. A resolved row with a time of breach was breached, and one with a time of success met it. */
export interface ResponseColumns {
  resolved?: string;
  breached?: string;
  /** Absent if every record has a target. */
  met?: string;
  acknowledged?: string;
  /** A string column with a value after a reopening. */
  reopened?: string;
}

/** The mean of the two middle values of an even number of values; null without values. */
export function findMedian(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function findColumn(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index < 0) throw new Error(`unknown column ${name}; known columns are ${names.join(', ')}`);
  return index;
}

/** Values with the same count are in the order of the values, null first: an empty text is a value, too. */
export function sortCounts(counts: readonly ValueCount[]): ValueCount[] {
  return counts.toSorted((a, b) => b.count - a.count || compareValues(a.value, b.value));
}

function compareValues(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}
