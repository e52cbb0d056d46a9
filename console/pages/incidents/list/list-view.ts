import type { IncidentSort } from '../../../../contract/incidents.ts';
import type { IncidentState, Priority } from '../../../../contract/states.ts';
import { priorities, states } from '../incident-words.ts';

// What the list shows, as the address tells it. The names are those of the API, except for `created_within`: a length
// of time up to now, which stays true when the address is opened tomorrow.

export interface ListFilters {
  state: readonly IncidentState[];
  priority: readonly Priority[];
  assignment_group?: string;
  assigned_to?: string;
  category?: string;
  q?: string;
}

export type CreatedRange = { within: string } | { after?: string; before?: string };

export interface ListView {
  filters: ListFilters;
  created: CreatedRange | undefined;
  sort: IncidentSort;
  order: 'asc' | 'desc';
  page: number;
  limit: number;
}

export const textFilters = ['assignment_group', 'assigned_to', 'category', 'q'] as const;

export const pageSizes = [25, 50, 100, 200] as const;

const sorts: readonly IncidentSort[] = ['created_at', 'priority', 'updated_at'];
const defaultSort: IncidentSort = 'created_at';
const defaultLimit = 25;

/** Anything an address can hold becomes a view: what is not understood is left out. */
export function viewFrom(query: string, preferredLimit: number = defaultLimit): ListView {
  const given = new URLSearchParams(query);
  const filters: ListFilters = {
    state: knownIn(states, given.get('state')),
    priority: knownIn(priorities, given.get('priority')),
  };
  for (const name of textFilters) {
    const value = given.get(name)?.trim();
    if (value) filters[name] = value;
  }
  const page = Number(given.get('page'));
  return {
    filters,
    created: createdFrom(given),
    sort: sorts.find((name) => name === given.get('sort')) ?? defaultSort,
    order: given.get('order') === 'asc' ? 'asc' : 'desc',
    page: Number.isInteger(page) && page >= 1 ? page : 1,
    limit: pageSizes.find((size) => String(size) === given.get('limit')) ?? preferredLimit,
  };
}

/** The shortest address that says the same. */
export function queryOf({ filters, created, sort, order, page, limit }: ListView): string {
  const query = new URLSearchParams();
  if (filters.state.length > 0) query.set('state', filters.state.join(','));
  if (filters.priority.length > 0) query.set('priority', filters.priority.join(','));
  for (const name of textFilters) if (filters[name]) query.set(name, filters[name]);
  if (created && 'within' in created) query.set('created_within', created.within);
  else if (created) {
    if (created.after) query.set('created_after', created.after);
    if (created.before) query.set('created_before', created.before);
  }
  if (sort !== defaultSort) query.set('sort', sort);
  if (order !== 'desc') query.set('order', order);
  if (limit !== defaultLimit) query.set('limit', String(limit));
  if (page !== 1) query.set('page', String(page));
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** The arguments of `listIncidents`. */
export function requestOf({ filters, created, sort, order, page, limit }: ListView, nowMs: number) {
  const { state, priority, ...texts } = filters;
  return {
    ...texts,
    ...(state.length > 0 ? { state: [...state] } : {}),
    ...(priority.length > 0 ? { priority: [...priority] } : {}),
    ...createdBounds(created, nowMs),
    sort,
    order,
    page,
    limit,
  };
}

export function isFiltered({ filters, created }: ListView): boolean {
  return queryOf({ filters, created, sort: defaultSort, order: 'desc', page: 1, limit: defaultLimit }) !== '';
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m`, `24h` and `7d`; undefined for anything else. */
export function withinMs(within: string): number | undefined {
  const match = /^([1-9]\d{0,3})([mhd])$/.exec(within);
  return match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : undefined;
}

function createdBounds(created: CreatedRange | undefined, nowMs: number) {
  if (!created) return {};
  if ('within' in created) return { created_after: new Date(nowMs - (withinMs(created.within) ?? 0)).toISOString() };
  return {
    ...(created.after ? { created_after: created.after } : {}),
    ...(created.before ? { created_before: created.before } : {}),
  };
}

function createdFrom(given: URLSearchParams): CreatedRange | undefined {
  const within = given.get('created_within');
  if (within && withinMs(within) !== undefined) return { within };
  const [after, before] = [momentIn(given.get('created_after')), momentIn(given.get('created_before'))];
  if (!after && !before) return undefined;
  return { ...(after ? { after } : {}), ...(before ? { before } : {}) };
}

function momentIn(text: string | null): string | undefined {
  return text && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

function knownIn<Value extends string>(values: readonly Value[], list: string | null): Value[] {
  const names = list?.split(',') ?? [];
  return values.filter((value) => names.includes(value));
}
