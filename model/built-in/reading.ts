// What the labelled words of a question mean.
import { type KindName, type SearchedKind, searchedKinds } from '../../contract/searched-kinds.ts';
import type { Span } from './tag-question.ts';

export type Filters = Record<string, unknown>;

/** What the labelled words mean. */
export interface Reading {
  filters: Filters;
  /** The second of two groups or periods to compare. */
  other?: Filters;
  /** Fields of records. */
  fields: string[];
  /** resolve, acknowledge, sla, reopened. */
  measures: string[];
  groupBy: string[];
  interval?: string;
  flags: ReadonlySet<string>;
  sort?: string;
  order?: 'asc' | 'desc';
  limit?: number;
  /** The filters of the records that a share is a part of: "of open incidents", "among open incidents". */
  whole?: readonly string[];
  /** Words that no filter can express. */
  unsupported: readonly string[];
}

/** A value of a filter, with the words that say it. */
export interface Value {
  span: Span;
  field: string;
  value: unknown;
  isDenied: boolean;
}

export type Found = Pick<Value, 'field' | 'value'>[];

/** The planner calls configuration items `items`. */
export const toToolKind = (kind: string) => (kind === 'items' ? 'configuration_items' : kind);

export const none: SearchedKind = {
  enums: {},
  names: [],
  people: [],
  ungrouped: [],
  flags: [],
  times: [],
  sorts: [],
  optional: [],
  open: [],
};

export const others: Readonly<Record<string, SearchedKind>> = {
  oncall: { ...none, names: ['assignment_group', 'assigned_to'] },
  webhooks: { ...none, names: ['name', 'event'], enums: { active: ['true', 'false'] } },
};

export function findKind(kind: string): SearchedKind {
  return others[kind] ?? searchedKinds[toToolKind(kind) as KindName] ?? none;
}

export const flagLabels = new Set(['count', 'share', 'median', 'trend', 'vs', 'failing', 'previous', 'not', 'action']);

export const timeLabel = /^(created|updated|resolved|planned|sla_breach)$/;

export const toIso = (ms: number) => new Date(ms).toISOString();
