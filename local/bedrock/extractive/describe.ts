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
  return [...before, noun, ...after].join(' ');
}

/** The name of a filter in "without …". */
export function describeField(field: string): string {
  const names: Readonly<Record<string, string>> = {
    assigned_to: 'assignee',
    opened_by: 'creator',
    assignment_group: 'team',
    text: 'words',
    ci: 'item',
    sla_due_within_minutes: 'SLA',
    sla: 'SLA',
  };
  return names[field] ?? field.replace(/_(after|before)$/, ' time').replaceAll('_', ' ');
}

function describeStates(states: readonly string[]): string {
  const isOpen = states.length > 1 && !states.some((state) => finalStates.test(state));
  return isOpen ? 'open' : or(states);
}

function describeFilter(field: string, value: unknown, said: unknown): string | undefined {
  const who = value === 'me' || said === 'me' ? 'you' : String(value);
  const when = String(value)
    .replace(/T00:00:00\.000Z$|T23:59:59\.999Z$/, '')
    .replace(/:\d\d\.\d{3}Z$/, ' UTC')
    .replace('T', ' ');
  const [, verb, side] = /^(.+)_(after|before)$/.exec(field) ?? [];
  if (verb !== undefined) return `${verb === 'sla_breach' ? 'that breach their SLA' : verb} ${side} ${when}`;
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

function describeMinutes(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`;
  return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
}

function or(values: unknown): string {
  return [values].flat().join(' or ').replaceAll('_', ' ');
}
