import type { Position } from './best-rows.ts';

/** What a list asks for. Names are columns of the resource's listing. */
export interface ListQuery {
  /** Any of these values of an enum. */
  enums: Readonly<Record<string, readonly string[]>>;
  /** Exactly this string. */
  strings: Readonly<Record<string, string>>;
  /** Between two moments, themselves not included. */
  times: Readonly<Record<string, { afterMs?: number; beforeMs?: number }>>;
  /** All of the words in the text. */
  text: string | undefined;
  /** A time or an enum; ties go by id, in the same direction. */
  sort: string;
  order: 'asc' | 'desc';
}

/** Behind a row that was given before, or so many rows from the start. */
export type PageStart = { behind: Position } | { skip: number };

export interface FoundPage {
  total: number;
  /** In order, at most as many as were wanted. */
  rows: Position[];
  /** Whether more rows follow. */
  more: boolean;
}
