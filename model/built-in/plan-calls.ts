// Turns a reading into tool calls: a search, statistics, people on call or webhooks.
import type { Fields } from './describe-call.ts';
import type { Plan, Planner, ToolCall } from './plan.ts';
import type { TimeSpan } from './read-time.ts';
import type { Filters, Reading } from './reading.ts';

export function planCalls(kind: string, reading: Reading, question: string, nowMs: number): ToolCall[] {
  const { filters, other, measures, groupBy, interval, flags, sort, order, limit } = reading;
  const isMeasured =
    measures.length > 0 || groupBy.length > 0 || other || interval || flags.has('share') || flags.has('trend');
  if (!isMeasured) {
    const options = {
      ...(sort && { sort }),
      ...(order && { order }),
      ...(flags.has('count') ? { limit: 1 } : limit && { limit: Math.min(limit, 20) }),
    };
    return [{ name: 'search', input: { kind, ...filters, ...options } }];
  }
  if (flags.has('share') && !isSharePerGroup(reading)) {
    // A part of the incidents of a period is a part of those that were created in it.
    const part = Object.fromEntries(
      Object.entries(filters).map(([name, value]) => [name.replace(/^(sla_breach|resolved)_/, 'created_'), value]),
    );
    const whole = Object.fromEntries(Object.entries(part).filter(([name]) => isWhole(name, reading)));
    return [part, whole].map((each) => ({ name: 'statistics', input: { kind, filters: each } }));
  }
  const period = interval ?? (flags.has('trend') ? chooseInterval(filters, nowMs) : undefined);
  const ranking = groupBy.length > 0 ? rankGroups(measures, question, order) : {};
  const input = {
    kind,
    filters,
    ...(other && { compare: other }),
    ...(groupBy.length > 0 && { group_by: groupBy.slice(0, 2) }),
    ...(period && { interval: period }),
    ...(flags.has('median') && { median: true }),
    ...ranking,
    // "Which team has the most" shows the others as well.
    ...(groupBy.length > 0 && limit && limit > 1 && { top: Math.min(limit, 20) }),
  };
  return [{ name: 'statistics', input }];
}

const isWhole = (name: string, { whole }: Reading) => /_(after|before)$/.test(name) || whole?.includes(name);

/** "As a percentage?" after incidents per team: nothing says which part of them. */
export const isSharePerGroup = (reading: Reading) =>
  reading.flags.has('share') &&
  reading.groupBy.length > 0 &&
  Object.keys(reading.filters).every((name) => isWhole(name, reading));

const figures: Readonly<Record<string, string>> = {
  resolve: 'mean_time_to_resolve_minutes',
  acknowledge: 'mean_time_to_acknowledge_minutes',
  sla: 'sla_attainment',
  reopened: 'reopened',
};

/** Sorts groups by the figure: the slowest first, unless the question asks for the fastest. */
function rankGroups([measure]: readonly string[], question: string, order: string | undefined): Fields {
  const sort = measure && figures[measure];
  if (!sort) return order === 'asc' ? { order } : {};
  const isLowest =
    measure === 'sla' ? /\b(worst|miss\w*|lowest|poor\w*)\b/i : /\b(fast\w*|quick\w*|best|shortest|lowest)\b/i;
  return { sort, order: order ?? (isLowest.test(question) ? 'asc' : 'desc') };
}

function chooseInterval(filters: Filters, nowMs: number): string {
  const start = Object.entries(filters).find(([name]) => name.endsWith('_after'))?.[1];
  const days = start === undefined ? 90 : (nowMs - Date.parse(String(start))) / dayMs;
  return days <= 15 ? 'day' : days <= 120 ? 'week' : 'month';
}

const dayMs = 86_400_000;

/** The middle of a short period: the night, the day or the weekend. Of a longer one, its first noon, after the handoff. */
export function planOnCall({ filters }: Reading, { nowMs }: Planner): Pick<Plan, 'calls'> {
  const { fromMs, untilMs } = (filters.time ?? {}) as TimeSpan;
  const isShort = fromMs !== undefined && untilMs !== undefined && untilMs - fromMs <= 4 * dayMs;
  const isLong = fromMs !== undefined && untilMs !== undefined && fromMs % dayMs === 0;
  const noonMs = Math.max((fromMs ?? 0) + dayMs / 2, nowMs);
  const atMs = isShort ? (fromMs + untilMs) / 2 : isLong ? Math.min(noonMs, untilMs) : fromMs;
  const team = [filters.assignment_group ?? []].flat()[0];
  const input = {
    ...(team !== undefined && { team }),
    ...(atMs !== undefined && { at: new Date(atMs).toISOString() }),
  };
  return { calls: [{ name: 'on_call', input }] };
}

export function planWebhooks({ filters }: Reading, { tools, nowMs }: Planner): Pick<Plan, 'calls' | 'reply'> {
  if (!tools.some(({ name }) => name === 'list_webhooks'))
    return { calls: [], reply: 'Only managers can see webhooks and their deliveries.' };
  const { fromMs } = (filters.time ?? {}) as TimeSpan;
  const days = fromMs === undefined ? undefined : Math.min(30, Math.max(1, Math.ceil((nowMs - fromMs) / dayMs)));
  return { calls: [{ name: 'list_webhooks', input: days === undefined ? {} : { days } }] };
}
