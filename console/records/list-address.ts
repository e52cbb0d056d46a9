// What a list shows, as the address says it. The names are those of the API, except for `created_within`: a length of
// time up to now, which stays true when somebody opens the address tomorrow.

export type Filters = Readonly<Record<string, string>>;

type Names = Readonly<Record<string, string>>;

export interface ListSpec {
  /** Filters with few values, of which several may be chosen, with the names of the values. */
  choices: Readonly<Record<string, Names>>;
  /** Filters that are compared with a text. */
  texts: readonly string[];
  /** What an address without filters shows. `state=all` shows everything. */
  defaultFilters?: Filters;
  /** Fields to sort by, the default first, with the order that a list has when it is first sorted by one. */
  sorts: Readonly<Record<string, { asc: string; desc: string; first?: 'asc' }>>;
}

/** A filter as the user sees it; without a key it is words to search for. */
export interface FilterToken {
  key?: string;
  /** Several for fields with choices. */
  values: readonly string[];
}

export interface ListAddress {
  filters: Filters;
  sort: string;
  order: 'asc' | 'desc';
  page: number;
}

/** What a view of a list shows; without a sort that of the list. */
export interface ListView {
  id: string;
  text: string;
  filters: Filters;
  sort?: string;
}

export const timeSorts = {
  created_at: { desc: 'Newest first', asc: 'Oldest first' },
  updated_at: { desc: 'Recently updated first', asc: 'Least recently updated first' },
} as const;

/** A list loads pages of this size while the user scrolls. */
export const pageSize = 50;

/** Filters that only links have; they are shown and can be removed, but not chosen. */
export const linkedFilters =
  'id ci_id ci_ids opened_by depends_on needed_by missing updated_after updated_before resolved_after resolved_before sla_breach_after sla_breach_before planned_after planned_before'.split(
    ' ',
  );

/** Ignores what the address holds but the list does not know. */
export function parseAddress(query: string, spec: ListSpec): ListAddress {
  const given = new URLSearchParams(query);
  const filters: Record<string, string> = {};
  for (const [name, names] of Object.entries(spec.choices)) {
    const known = matchChoices(names, (given.get(name) ?? '').split(','));
    if (known) filters[name] = known;
  }
  for (const name of [...spec.texts, ...linkedFilters, 'q']) {
    const value = given.get(name)?.trim();
    if (value) filters[name] = value;
  }
  const chosen = { ...filters, ...parseCreated(given) };
  const isDefault = Object.keys(chosen).length === 0 && !given.has('state');
  const known = Object.keys(spec.sorts).find((name) => name === given.get('sort'));
  const sort = known ?? getDefaultSort(spec);
  const order = given.get('order');
  const page = Number(given.get('page'));
  return {
    filters: isDefault ? (spec.defaultFilters ?? {}) : chosen,
    sort,
    order: order === 'asc' || order === 'desc' ? order : getUsualOrder(sort, spec),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  };
}

const getDefaultSort = (spec: ListSpec) => Object.keys(spec.sorts)[0] ?? '';

/** The order of an address that names none. */
function getUsualOrder(sort: string, spec: ListSpec): 'asc' | 'desc' {
  return sort === getDefaultSort(spec) ? getFirstOrder(sort, spec) : 'desc';
}

export function getFirstOrder(sort: string, { sorts }: ListSpec): 'asc' | 'desc' {
  return sorts[sort]?.first ?? 'desc';
}

export function toAddress({ filters, sort }: Pick<ListView, 'filters' | 'sort'>, spec: ListSpec): ListAddress {
  const by = sort ?? getDefaultSort(spec);
  return { filters, sort: by, order: getFirstOrder(by, spec), page: 1 };
}

/** The shortest address that says the same. */
export function formatAddress({ filters, sort, order, page }: ListAddress, spec: ListSpec): string {
  const query = new URLSearchParams(filters);
  if (spec.defaultFilters && Object.keys(filters).length === 0) query.set('state', 'all');
  if (sort !== getDefaultSort(spec)) query.set('sort', sort);
  if (order !== getUsualOrder(sort, spec)) query.set('order', order);
  if (page !== 1) query.set('page', String(page));
  return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%40', '@');
}

/** The parameters of the list operation. */
export function toListRequest({ filters, ...rest }: ListAddress, nowMs: number) {
  const { created_within, ...others } = filters;
  const age = created_within === undefined ? undefined : parseAgeMs(created_within);
  return {
    ...others,
    ...(age === undefined ? {} : { created_after: new Date(nowMs - age).toISOString() }),
    ...rest,
    limit: pageSize,
  };
}

/** The view whose filters are exactly the given ones. */
export function findView<View extends { filters: Filters }>(views: readonly View[], filters: Filters) {
  const format = (some: Filters) => JSON.stringify(Object.entries(some).sort());
  return views.find((view) => format(view.filters) === format(filters));
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m`, `24h` and `7d`; undefined for anything else. */
function parseAgeMs(text: string): number | undefined {
  const match = /^([1-9]\d{0,3})([mhd])$/.exec(text);
  return match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : undefined;
}

function parseCreated(given: URLSearchParams): Filters {
  const within = given.get('created_within');
  if (within !== null && parseAgeMs(within) !== undefined) return { created_within: within };
  const bounds = ['created_after', 'created_before'].map((name) => [name, given.get(name) ?? ''] as const);
  return Object.fromEntries(bounds.filter(([, at]) => /^\d{4}-\d\d-\d\d/.test(at) && !Number.isNaN(Date.parse(at))));
}

/** The date filters, which have a picker of their own, are no tokens. */
export function toTokens(filters: Filters, { choices }: ListSpec): FilterToken[] {
  return Object.entries(filters).flatMap(([name, value]): FilterToken[] => {
    if (name.startsWith('created_')) return [];
    if (name === 'q') return [{ values: [value] }];
    return [{ key: name, values: name in choices ? value.split(',') : [value] }];
  });
}

/** Search words add up; of two values for a field that takes one, the later one wins. */
export function fromTokens(tokens: readonly FilterToken[], { choices, texts }: ListSpec): Filters {
  const values = (key: string | undefined): string[] =>
    tokens
      .filter((token) => token.key === key)
      .flatMap((token) => token.values)
      .map((value) => value.trim());
  const filters = [
    ...Object.entries(choices).map(([key, names]) => [key, matchChoices(names, values(key))]),
    ...[...texts, ...linkedFilters].map((key) => [key, values(key).at(-1) ?? '']),
    ['q', [...new Set(values(undefined))].join(' ').trim()],
  ];
  return Object.fromEntries(filters.filter(([, value]) => value !== ''));
}

/** People type `new` or `New`; both mean the value. */
function matchChoices(names: Names, given: readonly string[]): string {
  const wanted = given.map((text) => text.trim().toLowerCase());
  const matching = Object.entries(names).filter(
    ([value, name]) => wanted.includes(value.toLowerCase()) || wanted.includes(name.toLowerCase()),
  );
  return matching.map(([value]) => value).join(',');
}
