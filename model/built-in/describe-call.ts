// Describes the filters of a tool call in words: "open P1 incidents assigned to ann.lee@example.com".

export type Fields = Readonly<Record<string, unknown>>;

export const finalStates = /^(resolved|closed|cancelled|completed|rejected|fulfilled|draft|retired)$/;

/** Filters before the noun. */
const adjectives = ['state', 'priority', 'risk', 'type', 'status', 'environment', 'category', 'class'];

/** Filters after the noun; `$` is the value. */
const phrases: Readonly<Record<string, string>> = {
  assigned_to: 'assigned to $',
  requested_by: 'requested by $',
  opened_by: 'reported by $',
  requested_for: 'for $',
  created_by: 'written by $',
  assignment_group: 'of the $ team',
  owner: 'owned by $',
  location: 'in $',
  ci: 'about $',
  depends_on: 'that depend on $',
  needed_by: 'that $ depends on',
  name: 'called $',
  item: 'for the item "$"',
  text: 'mentioning "$"',
  similar_to: 'similar to "$"',
  known_error: 'that are known errors',
  reopened: 'that were reopened at least once',
  breached: 'that breached their SLA',
  at_risk: 'at risk of breaching their SLA',
  ok: 'that did not breach their SLA',
  acknowledged: 'that somebody acknowledged',
  unacknowledged: 'that nobody acknowledged',
  unreopened: 'that were never reopened',
};

const fieldNames: Readonly<Record<string, string>> = {
  assigned_to: 'assignee',
  opened_by: 'reporter',
  requested_by: 'requester',
  requested_for: 'recipient',
  created_by: 'author',
  assignment_group: 'team',
  text: 'words',
  ci: 'item',
  sla: 'SLA',
  not: 'denial',
  missing: 'missing field',
};

export function describeField(field: string): string {
  return fieldNames[field] ?? field.replace('sla_breach', 'SLA').replaceAll('_', ' ');
}

/** `names` holds the values that the tool found for names. */
export function describeFilters(kind: string, input: Fields, total?: number, names: Fields = {}): string {
  const { not = {}, missing = [], transitive: _, ...given } = input;
  const plural = kind.replaceAll('_', ' ');
  const value = (field: string) => describeValue(field, given[field], names[field]);
  const before = adjectives.filter((field) => given[field]).map(value);
  const after = Object.keys(given).flatMap((field) => {
    const status = field === 'sla' ? [given[field]].flat().at(-1) : `${given[field] === false ? 'un' : ''}${field}`;
    const phrase = phrases[String(status)];
    if (field === 'assignment_group' && /^(my_team|our)$/.test(String(given[field])))
      return names[field] ? `of your team (${names[field]})` : String(given[field]) === 'our' ? [] : 'of your team';
    return phrase?.replace('$', () => value(field)) ?? [];
  });
  const denied = Object.entries(not as Fields).map(
    ([field, values]) => `except ${describeField(field)} ${describeValue(field, values, undefined)}`,
  );
  const empty = (missing as string[])
    .filter((field) => field !== 'assigned_to')
    .map((field) => `without ${/^[aeio]/.test(describeField(field)) ? 'an' : 'a'} ${describeField(field)}`);
  // "incidents of the network team that breached their SLA": clauses come last, and times belong to them.
  const isClause = (phrase: string) => Number(/^(that|at risk)\b/.test(phrase));
  after.sort((a, b) => isClause(a) - isClause(b));
  const unassigned = (missing as string[]).includes('assigned_to') ? ['unassigned'] : [];
  const text = [...unassigned, ...before, plural, ...empty, ...after, ...denied, ...describeTimes(given)].join(' ');
  if (total !== 1) return text;
  const singular = text.replace(plural, plural.replace(/s$/, '')).replace('that depend on', 'that depends on');
  return singular.replace('their SLA', 'its SLA').replace('that were reopened', 'that was reopened');
}

function describeValue(field: string, value: unknown, name: unknown): string {
  const values = [value].flat().map(String);
  if (values.includes('me')) return 'you';
  const isOpen = field === 'state' && values.length > 1 && !values.some((state) => finalStates.test(state));
  const words = String(name ?? values.join(' or ')).replaceAll('_', ' ');
  return isOpen ? 'open' : `${words}${field === 'risk' ? '-risk' : ''}`;
}

const dayMs = 86_400_000;

/** "created since 2026-11-09", "planned from 2026-11-23 to 2026-11-29". */
function describeTimes(filters: Fields): string[] {
  const verbs = Object.keys(filters).flatMap((field) => /^(.+)_(?:after|before)$/.exec(field)?.[1] ?? []);
  return [...new Set(verbs)].map((verb) => {
    const breach = String(filters.sla) === 'breached' ? '' : 'that breach their SLA ';
    return (verb === 'sla_breach' ? breach : `${verb} `) + describePeriod(filters, verb);
  });
}

function describePeriod(filters: Fields, verb: string): string {
  const [after, untilMs] = [filters[`${verb}_after`], filters[`${verb}_before`]].map(
    (time) => time && Date.parse(String(time)),
  );
  // The time before the first one that counts.
  const fromMs = typeof after === 'number' && after % 1_000 === 999 ? after + 1 : after;
  if (typeof fromMs !== 'number') return `before ${formatTime(Number(untilMs))}`;
  if (typeof untilMs !== 'number') return `since ${formatTime(fromMs)}`;
  const isDays = fromMs % dayMs === 0 && untilMs % dayMs === 0;
  const [first, last] = [formatTime(fromMs, isDays), formatTime(isDays ? untilMs - dayMs : untilMs, isDays)];
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}

/** The filters of one side of a comparison: "network", "from 2026-11-01 to 2026-11-30". */
export function describeSide(filters: Fields, compared: Fields): string {
  const fields = Object.keys(compared).map((field) => field.replace(/_(after|before)$/, ''));
  return [...new Set(fields)]
    .map((field) =>
      filters[field] === undefined ? describePeriod(filters, field) : describeValue(field, filters[field], undefined),
    )
    .join(', ');
}

export function formatTime(ms: number, isDay = ms % dayMs === 0): string {
  const iso = new Date(ms).toISOString();
  return isDay ? iso.slice(0, 10) : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

const orders: Readonly<Record<string, readonly [asc: string, desc: string]>> = {
  updated_at: ['least recently updated', 'recently updated'],
  priority: ['highest priority', 'lowest priority'],
  sla_breach_at: ['next breach', 'latest breach'],
  risk: ['lowest risk', 'highest risk'],
  planned_start: ['earliest start', 'latest start'],
};

/** ", oldest first"; empty for the default order. */
export function describeOrder({ sort, order }: Fields): string {
  const [asc, desc] = orders[String(sort)] ?? ['oldest', ''];
  const name = order === 'asc' ? asc : desc;
  return name && `, ${name} first`;
}
