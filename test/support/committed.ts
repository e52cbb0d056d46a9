// Reads all committed records through the API and checks that events and histories agree.
import type { Api } from './incidents.ts';
import { until } from './until.ts';

export interface CommittedRecord {
  id: string;
  entries: { version: number; changes: Record<string, { from: unknown; to: unknown }> }[];
}

export interface FeedEvent {
  sequence: number;
  id: string;
  version: number;
  event: string;
  data: { id: string; priority: string; changes?: object };
}

const maxPages = 10_000;

/** The whole feed, page by page. */
export async function readFeed(api: Api): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let after = 0, pages = 0; pages < maxPages; pages++) {
    const { status, body } = await waitOutRateLimit(() => api.get(`/events?limit=200&after=${after}`));
    expect(status).toBe(200);
    events.push(...body.data);
    if (body.next_after === body.latest) return events;
    after = body.next_after;
  }
  throw new Error('the feed does not end');
}

/** All committed writes, including those whose response was lost. */
export async function readCommitted(api: Api): Promise<CommittedRecord[]> {
  const ids: string[] = [];
  for (let cursor = '', pages = 0; pages < maxPages; pages++) {
    const { body } = await waitOutRateLimit(() => api.get(`/incidents?limit=200&sort=created_at&order=asc${cursor}`));
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.next_cursor) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  const records: CommittedRecord[] = [];
  for (const id of ids) records.push({ id, entries: await readHistory(api, id) });
  return records;
}

export async function readHistory(api: Api, id: string): Promise<CommittedRecord['entries']> {
  return (await waitOutRateLimit(() => api.get(`/incidents/${id}/history?limit=200`))).body.data;
}

export async function waitOutRateLimit<Result extends { status: number }>(
  request: () => Promise<Result>,
): Promise<Result> {
  return until(request, ({ status }) => status !== 429);
}

/** Events are numbered without gaps, and there is exactly one for each name of each committed change. */
export function expectEveryChange(events: readonly FeedEvent[], records: readonly CommittedRecord[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place + 1));
  const expected = records.flatMap(({ id, entries }) =>
    entries.flatMap(({ version, changes }) => eventNames(version, changes).map((event) => `${id} ${version} ${event}`)),
  );
  const found = events.map(({ data, version, event }) => `${data.id} ${version} ${event}`);
  expect([...found].sort()).toEqual([...expected].sort());
  for (const { id, entries } of records) {
    const versions = events.filter(({ data }) => data.id === id).map(({ version }) => version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(entries.map(({ version }) => version)).toEqual(entries.map((_, place) => place + 1));
  }
}

/** The events that a change emits according to docs/interface.md. */
function eventNames(version: number, changes: CommittedRecord['entries'][number]['changes']): string[] {
  if (version === 1) return ['incident.created'];
  return [
    'incident.updated',
    ...(changes.state?.to === 'resolved' ? ['incident.resolved'] : []),
    ...(changes.priority ? ['incident.priority_changed'] : []),
  ];
}
