// The records of the demo as the API returns them, and the small reference functions that compute expected answers.
import type { Change } from '../../../contract/changes.ts';
import type { Impact } from '../../../contract/ci-relations.ts';
import type { Ci } from '../../../contract/cis.ts';
import type { Incident } from '../../../contract/incidents.ts';
import type { Article } from '../../../contract/knowledge.ts';
import type { ServiceRequest } from '../../../contract/requests.ts';
import type { OnCallPerson } from '../../../contract/schedules.ts';
import { call } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';

export interface Records {
  nowMs: number;
  incidents: Incident[];
  changes: Change[];
  requests: ServiceRequest[];
  cis: Ci[];
  articles: Article[];
  onCall: OnCallPerson[];
  /** Incidents that breached their service level, open or not. */
  breached: ReadonlySet<string>;
  impact: (name: string) => Promise<Impact>;
  history: (id: string) => Promise<{ actor: string; changes: Record<string, { to: unknown }> }[]>;
  notes: (id: string) => Promise<{ body: string }[]>;
}

export async function loadRecords(service: Service, token: string, nowMs: number): Promise<Records> {
  const get = async (path: string) => {
    const { status, body } = await call(service, path, { token });
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    return body;
  };
  const list = async <Item>(path: string, query = ''): Promise<Item[]> => {
    const { data, next_cursor: cursor } = await get(`${path}?limit=200${query}`);
    return cursor
      ? [...data, ...(await list<Item>(path, `${query.replace(/&cursor=.*/, '')}&cursor=${cursor}`))]
      : data;
  };
  const cis = await list<Ci>('/cmdb/cis');
  return {
    nowMs,
    incidents: await list('/incidents'),
    changes: await list('/changes'),
    requests: await list('/requests'),
    cis,
    articles: await list('/knowledge/articles'),
    onCall: (await get('/on-call')).data,
    breached: new Set(toIds(await list('/incidents', '&sla=breached'))),
    impact: (name) => get(`/cmdb/cis/${first(cis.filter((each) => each.name === name)).id}/impact`),
    history: async (id) => (await get(`/incidents/${id}/history`)).data,
    notes: async (id) => (await get(`/incidents/${id}/notes?limit=200`)).data,
  };
}

const openStates: readonly string[] = ['new', 'in_progress', 'on_hold', 'reopened'];

export const isOpen = ({ state }: Incident): boolean => openStates.includes(state);

export const isResolved = ({ state }: Incident): boolean => state === 'resolved' || state === 'closed';

export const toIds = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** The records whose texts contain the word, ignoring case. */
export function mention<Item extends { short_description: string; description?: string | null }>(
  items: readonly Item[],
  word: string,
): Item[] {
  return items.filter((each) => new RegExp(`\\b${word}\\b`, 'i').test(`${each.short_description} ${each.description}`));
}

export function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('the demo data has no such record');
  return item;
}

/** Sorts by a time, newest first. Records without it are left out. */
export function sortByTime<Item>(items: readonly Item[], time: (item: Item) => string | null): Item[] {
  const known = items.filter((item) => time(item) !== null);
  return known.toSorted((a, b) => Date.parse(time(b) ?? '') - Date.parse(time(a) ?? ''));
}

export const newest = <Item extends { created_at: string }>(items: readonly Item[]): Item[] =>
  sortByTime(items, ({ created_at }) => created_at);

const dayMs = 86_400_000;

export interface Period {
  fromMs: number;
  untilMs: number;
}

/** Calendar periods in UTC; weeks begin on Monday. `offset` -1 is the one before the current one. */
export function toPeriod(unit: 'day' | 'week' | 'month', offset: number, nowMs: number): Period {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const date = new Date(today);
  if (unit === 'month') {
    const start = (months: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
    return { fromMs: start(offset), untilMs: start(offset + 1) };
  }
  const length = unit === 'day' ? dayMs : 7 * dayMs;
  const start = unit === 'day' ? today : today - ((date.getUTCDay() + 6) % 7) * dayMs;
  return { fromMs: start + offset * length, untilMs: start + (offset + 1) * length };
}

/** The English name of a month, -1 is the last one. */
export function monthName(offset: number, nowMs: number): string {
  const { fromMs } = toPeriod('month', offset, nowMs);
  return new Date(fromMs).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
}

/** The last `days` days up to now, or with a negative number the next ones. */
export function toRollingPeriod(days: number, nowMs: number): Period {
  const other = nowMs - days * dayMs;
  return { fromMs: Math.min(nowMs, other), untilMs: Math.max(nowMs, other) };
}

export function within<Item>(
  items: readonly Item[],
  { fromMs, untilMs }: Period,
  time: (item: Item) => unknown,
): Item[] {
  return items.filter((item) => {
    const value = time(item);
    const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return atMs >= fromMs && atMs < untilMs;
  });
}

export const createdAt = ({ created_at }: { created_at: string }): string => created_at;

export function resolveMinutes({ created_at, resolved_at }: Incident): number {
  return (Date.parse(resolved_at ?? '') - Date.parse(created_at)) / 60_000;
}

export const withResolution = (incidents: readonly Incident[]): Incident[] =>
  incidents.filter(({ resolved_at }) => resolved_at !== null);

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

export function meanMinutes(incidents: readonly Incident[]): number {
  return mean(withResolution(incidents).map(resolveMinutes));
}

export function medianMinutes(incidents: readonly Incident[]): number {
  const values = withResolution(incidents).map(resolveMinutes);
  const middle = Math.floor((values.length - 1) / 2);
  return mean(values.sort((a, b) => a - b).slice(middle, values.length - middle));
}

/** The share of resolved incidents that kept their service level. */
export function slaShare(incidents: readonly Incident[], breached: ReadonlySet<string>): number {
  const ended = withResolution(incidents);
  return ended.filter(({ id }) => !breached.has(id)).length / ended.length;
}

/** The values of a field with their counts, most frequent first; records without the value are left out. */
export function rank<Item>(
  items: readonly Item[],
  key: (item: Item) => string | null,
): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const item of items) {
    const name = key(item);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}
