// Describes a tool call in words: "open P1 incidents assigned to ann.lee@example.com".

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
  sla_due_within_minutes: 'that breach their SLA within $',
  breached: 'that breached their SLA',
  at_risk: 'at risk of breaching their SLA',
  ok: 'within their SLA',
};

const fieldNames: Readonly<Record<string, string>> = {
  assigned_to: 'assignee',
  opened_by: 'creator',
  requested_by: 'requester',
  requested_for: 'recipient',
  assignment_group: 'team',
  text: 'words',
  ci: 'item',
  sla_due_within_minutes: 'SLA',
  sla: 'SLA',
};

export function describeField(field: string): string {
  return fieldNames[field] ?? field.replace('sla_breach', 'SLA').replaceAll('_', ' ');
}

/** The kind of record that a tool finds. */
export function toKind(name: string): string {
  return name.replace(/^[a-z]+_/, '');
}

/** `resolved` holds the values that the tool found for names. */
export function describeCall(name: string, input: Fields, total?: number, resolved: Fields = {}): string {
  const filters: Fields = { ...input, ...resolved };
  const plural = toKind(name).replaceAll('_', ' ');
  const before = adjectives.filter((field) => filters[field]).map((field) => describeValue(field, filters[field]));
  const after = Object.entries(filters).flatMap(([field, value]) => {
    if (value === null) return field === 'assigned_to' ? [] : describeMissing(field);
    if (input[field] === 'my_team') return value === 'my_team' ? 'of your team' : `of your team (${value})`;
    const phrase = phrases[field === 'sla' ? String(value) : field];
    return phrase?.replace('$', () => describeValue(field, input[field] === 'me' ? 'me' : value)) ?? [];
  });
  // "incidents of the network team that breached their SLA": clauses come last, and times belong to them.
  const isClause = (phrase: string) => Number(/^(that|at risk)\b/.test(phrase));
  after.sort((a, b) => isClause(a) - isClause(b));
  const unassigned = input.assigned_to === null ? ['unassigned'] : [];
  const text = [...unassigned, ...before, plural, ...after, ...describeTimes(filters)].join(' ');
  if (total !== 1) return text;
  const singular = text.replace(plural, plural.replace(/s$/, '')).replace('that depend on', 'that depends on');
  return singular.replace('that breach their', 'that breaches their').replace('their SLA', 'its SLA');
}

function describeMissing(field: string): string {
  const noun = describeField(field);
  return `without ${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function describeValue(field: string, value: unknown): string {
  if (value === 'me') return 'you';
  if (field === 'sla_due_within_minutes') return describeMinutes(Number(value));
  const values = [value].flat().map(String);
  const isOpen = field === 'state' && values.length > 1 && !values.some((state) => finalStates.test(state));
  return isOpen ? 'open' : `${values.join(' or ').replaceAll('_', ' ')}${field === 'risk' ? '-risk' : ''}`;
}

function describeMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [
    hours === 1 ? 'an hour' : hours > 0 && `${hours} hours`,
    (rest > 0 || hours === 0) && `${rest} minutes`,
  ];
  return parts.filter(Boolean).join(' and ');
}

const dayMs = 86_400_000;

/** "created since 2026-11-09", "planned from 2026-11-23 to 2026-11-29". */
function describeTimes(filters: Fields): string[] {
  const verbs = Object.keys(filters).flatMap((field) => /^(.+)_(?:after|before)$/.exec(field)?.[1] ?? []);
  return [...new Set(verbs)].map((verb) => {
    const [after, untilMs] = [filters[`${verb}_after`], filters[`${verb}_before`]].map(
      (time) => time && Date.parse(String(time)),
    );
    const breach = filters.sla === 'breached' ? '' : 'that breach their SLA ';
    const phrase = verb === 'sla_breach' ? breach : `${verb} `;
    // The time before the first one that counts.
    const fromMs = typeof after === 'number' && after % 1_000 === 999 ? after + 1 : after;
    if (typeof fromMs !== 'number') return `${phrase}before ${formatTime(Number(untilMs))}`;
    if (typeof untilMs !== 'number') return `${phrase}since ${formatTime(fromMs)}`;
    const isDays = fromMs % dayMs === 0 && untilMs % dayMs === 0;
    const [first, last] = [formatTime(fromMs, isDays), formatTime(isDays ? untilMs - dayMs : untilMs, isDays)];
    return phrase + (first === last ? `on ${first}` : `from ${first} to ${last}`);
  });
}

function formatTime(ms: number, isDay = ms % dayMs === 0): string {
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
