import type { Position } from './best-rows.ts';

/** What a list asks for. Names are columns of the resource's listing. */
export interface ListQuery {
  /** Any of these records. */
  ids?: readonly string[] | undefined;
  /** Any of these values of an enum. */
  enums: Readonly<Record<string, readonly string[]>>;
  /** Exactly this string; null for none. */
  strings: Readonly<Record<string, string | null>>;
  /** All of these members of a list. */
  sets?: Readonly<Record<string, readonly string[]>>;
  /** Between two moments, themselves not included. */
  times: Readonly<Record<string, { afterMs?: number; beforeMs?: number }>>;
  /** All of the words in the text. */
  text: string | undefined;
  /** A time, an enum or `relevance`, which wants a text; ties go by id, in the same direction. */
  sort: string;
  order: 'asc' | 'desc';
}

/** The sort by how well records answer the text; `desc` is the best first. */
export const relevance = 'relevance';

/** Behind a row that was given before, by the ranking that found it, or so many rows from the start. */
export type PageStart = { behind: Position; ranking?: string | undefined } | { skip: number };

export interface FoundPage {
  total: number;
  /** In order, at most as many as were wanted. */
  rows: Position[];
  /** Whether more rows follow. */
  more: boolean;
  /** What the next page needs in order to rank as this one did. */
  ranking?: string;
}
