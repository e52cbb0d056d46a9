// Says what a tool was asked for: "open P1 incidents assigned to ann.lee@example.com".
import { toKind } from './choose-kind.ts';

type Input = Readonly<Record<string, unknown>>;

const finalStates = /^(resolved|closed|cancelled|completed|rejected|fulfilled|draft)$/;

/** `meant` holds the values behind names. */
export function describe(name: string, input: Input, total?: number, meant: Input = {}): string {
  const given: Input = { ...input, ...meant };
  const plural = toKind(name).replaceAll('_', ' ');
  const noun = total === 1 ? plural.replace(/s$/, '') : plural;
  const before = [
    input.assigned_to === null && 'unassigned',
    given.state && describeStates(given.state as string[]),
    given.priority && or(given.priority),
    given.risk && `${or(given.risk)}-risk`,
    given.type && or(given.type),
    given.status && or(given.status),
    given.environment,
    given.category,
    given.class,
  ].filter(Boolean);
  const after = Object.entries(given).flatMap(([field, value]) => describeFilter(field, value, input[field]) ?? []);
  const said = [...before, noun, ...after, ...describeTimes(given)].join(' ');
  return total === 1 ? said.replace('that depend on', 'that depends on').replace('their SLA', 'its SLA') : said;
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

function describeStates(states: readonly string[]): string {
  const isOpen = states.length > 1 && !states.some((state) => finalStates.test(state));
  return isOpen ? 'open' : or(states);
}

function describeFilter(field: string, value: unknown, said: unknown): string | undefined {
  const who = value === 'me' || said === 'me' ? 'you' : String(value);
  switch (field) {
    case 'assigned_to':
      return value === null ? undefined : `assigned to ${who}`;
    case 'requested_by':
      return `requested by ${value === null ? 'nobody' : who}`;
    case 'opened_by':
      return `reported by ${who}`;
    case 'requested_for':
      return `for ${value === null ? 'nobody' : who}`;
    case 'assignment_group':
      return value === null
        ? 'without a team'
        : `of ${said === 'my_team' ? `your team (${value === said ? 'unknown' : value})` : `the ${value} team`}`;
    case 'owner':
      return value === null ? 'without an owner' : `owned by ${who}`;
    case 'location':
      return value === null ? 'without a location' : `in ${value}`;
    case 'category':
    case 'class':
    case 'environment':
      return value === null ? `without ${field === 'environment' ? 'an' : 'a'} ${field}` : undefined;
    case 'sla':
      return (
        { breached: 'that breached their SLA', at_risk: 'at risk of breaching their SLA' }[String(value)] ??
        'within their SLA'
      );
    case 'sla_due_within_minutes':
      return `that breach their SLA within ${describeMinutes(Number(value))}`;
    case 'ci':
      return `about ${value}`;
    case 'depends_on':
      return `that depend on ${value}`;
    case 'needed_by':
      return `that ${value} depends on`;
    case 'name':
      return `called ${value}`;
    case 'item':
      return value === null ? 'without an item' : `for the item "${value}"`;
    case 'text':
      return `mentioning "${value}"`;
  }
  return undefined;
}

/** "created since 2026-11-09", "planned from 2026-11-23 to 2026-11-29". */
function describeTimes(given: Input): string[] {
  const verbs = Object.keys(given).flatMap((field) => /^(.+)_(?:after|before)$/.exec(field)?.[1] ?? []);
  return [...new Set(verbs)].map((verb) => {
    const [from, until] = [given[`${verb}_after`], given[`${verb}_before`]].map((at) => at && Date.parse(String(at)));
    const said = verb !== 'sla_breach' ? verb : given.sla === 'breached' ? '' : 'that breach their SLA';
    // The lower bound is the moment before the first, the upper one the moment after the last.
    const first = typeof from === 'number' ? describeMoment(from + (from % 1_000 === 999 ? 1 : 0)) : undefined;
    if (first === undefined) return `${said} before ${describeMoment(Number(until))}`.trim();
    if (typeof until !== 'number') return `${said} since ${first}`.trim();
    const last = describeMoment(until % dayMs === 0 ? until - dayMs : until);
    return `${said} ${first === last ? `on ${first}` : `from ${first} to ${last}`}`.trim();
  });
}

const dayMs = 86_400_000;

function describeMoment(ms: number): string {
  const iso = new Date(ms).toISOString();
  return ms % dayMs === 0 ? iso.slice(0, 10) : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
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

function or(values: unknown): string {
  return [values].flat().join(' or ').replaceAll('_', ' ');
}
