// Says what a tool was asked for: "open P1 incidents assigned to ann.lee@example.com".

type Input = Readonly<Record<string, unknown>>;

const finalStates = /^(resolved|closed|cancelled|completed|rejected|fulfilled|draft)$/;

/** Stand before the noun. */
const adjectives = ['state', 'priority', 'risk', 'type', 'status', 'environment', 'category', 'class'];

/** What a filter says behind the noun, `$` being its value, and what it says without one. */
const endings: Readonly<Record<string, readonly [value: string, none?: string]>> = {
  assigned_to: ['assigned to $', ''],
  requested_by: ['requested by $', 'requested by nobody'],
  opened_by: ['reported by $'],
  requested_for: ['for $', 'for nobody'],
  assignment_group: ['of the $ team', 'without a team'],
  owner: ['owned by $', 'without an owner'],
  location: ['in $', 'without a location'],
  category: ['', 'without a category'],
  class: ['', 'without a class'],
  environment: ['', 'without an environment'],
  ci: ['about $'],
  depends_on: ['that depend on $'],
  needed_by: ['that $ depends on'],
  name: ['called $'],
  item: ['for the item "$"', 'without an item'],
  text: ['mentioning "$"'],
  sla_due_within_minutes: ['that breach their SLA within $'],
  breached: ['that breached their SLA'],
  at_risk: ['at risk of breaching their SLA'],
  ok: ['within their SLA'],
};

/** The kind of record that a tool is for. */
export function toKind(name: string): string {
  return name.replace(/^[a-z]+_/, '');
}

/** `meant` holds the values behind names. */
export function describe(name: string, input: Input, total?: number, meant: Input = {}): string {
  const given: Input = { ...input, ...meant };
  const plural = toKind(name).replaceAll('_', ' ');
  const before = adjectives.filter((field) => given[field]).map((field) => describeValue(field, given[field]));
  const after = Object.entries(given).flatMap(([field, value]) => {
    const [ending, none] = endings[field === 'sla' ? String(value) : field] ?? [];
    if (value === null) return none || [];
    if (input[field] === 'my_team') return `of your team (${value === 'my_team' ? 'unknown' : value})`;
    return ending?.replace('$', () => describeValue(field, input[field] === 'me' ? 'me' : value)) || [];
  });
  const isUnassigned = input.assigned_to === null;
  const said = [isUnassigned ? 'unassigned' : [], ...before, plural, ...after, ...describeTimes(given)]
    .flat()
    .join(' ');
  if (total !== 1) return said;
  const one = said.replace(plural, plural.replace(/s$/, ''));
  return one
    .replace('that depend on', 'that depends on')
    .replace('that breach ', 'that breaches ')
    .replace('their SLA', 'its SLA');
}

function describeValue(field: string, value: unknown): string {
  if (value === 'me') return 'you';
  if (field === 'sla_due_within_minutes') return describeMinutes(Number(value));
  const values = [value].flat().map(String);
  const isOpen = field === 'state' && values.length > 1 && !values.some((state) => finalStates.test(state));
  return isOpen ? 'open' : `${values.join(' or ').replaceAll('_', ' ')}${field === 'risk' ? '-risk' : ''}`;
}

/** The name of a filter in "without …". */
export function describeField(field: string): string {
  const names: Readonly<Record<string, string>> = {
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
  return names[field] ?? field.replace('sla_breach', 'SLA').replaceAll('_', ' ');
}

/** "created since 2026-11-09", "planned from 2026-11-23 to 2026-11-29". */
function describeTimes(given: Input): string[] {
  const verbs = Object.keys(given).flatMap((field) => /^(.+)_(?:after|before)$/.exec(field)?.[1] ?? []);
  return [...new Set(verbs)].map((verb) => {
    const [from, until] = [given[`${verb}_after`], given[`${verb}_before`]].map((at) => at && Date.parse(String(at)));
    const said = verb !== 'sla_breach' ? verb : given.sla === 'breached' ? '' : 'that breach their SLA';
    // The lower bound is the moment before the first, the upper one the moment after the last.
    const start = typeof from === 'number' ? from + (from % 1_000 === 999 ? 1 : 0) : undefined;
    if (start === undefined) return `${said} before ${describeMoment(Number(until))}`.trim();
    if (typeof until !== 'number') return `${said} since ${describeMoment(start)}`.trim();
    const isDays = start % dayMs === 0 && until % dayMs === 0;
    const [first, last] = [describeMoment(start, isDays), describeMoment(isDays ? until - dayMs : until, isDays)];
    return `${said} ${first === last ? `on ${first}` : `from ${first} to ${last}`}`.trim();
  });
}

const dayMs = 86_400_000;

function describeMoment(ms: number, isDay = ms % dayMs === 0): string {
  const iso = new Date(ms).toISOString();
  return isDay ? iso.slice(0, 10) : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** ", oldest first"; empty for the order that lists have anyway. */
export function describeOrder({ sort, order }: Input): string {
  const names: Readonly<Record<string, string>> = {
    updated_at: order === 'asc' ? 'least recently updated' : 'recently updated',
    priority: order === 'desc' ? 'lowest priority' : 'highest priority',
    sla_breach_at: order === 'desc' ? 'latest breach' : 'next breach',
    risk: order === 'asc' ? 'lowest risk' : 'highest risk',
    planned_start: order === 'desc' ? 'latest start' : 'earliest start',
  };
  const name = names[String(sort)] ?? (order === 'asc' ? 'oldest' : undefined);
  return name === undefined ? '' : `, ${name} first`;
}

function describeMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const said = hours === 1 ? 'an hour' : `${hours} hours`;
  if (hours === 0) return `${rest} minutes`;
  return rest === 0 ? said : `${said} and ${rest} minutes`;
}
