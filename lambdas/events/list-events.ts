import type { EventType, FeedEntry } from '../../contract/events.ts';
import { maxPageSize } from '../../contract/records.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { type FindHidden, withheldAsDeleted } from '../records/change-record.ts';
import { maxPageBytes, measureJson } from '../records/page.ts';
import type { EventLog } from './event-log.ts';

/** Events of deleted records remain in the feed. Only callers who may read the record see its fields. */
export function listEvents(events: Pick<EventLog, 'after'>, findHidden: FindHidden): UseCase<typeof routes.listEvents> {
  return async ({ query }, { caller }) => {
    const { entries, next_after, latest } = await search(events, query);
    const hidden = await findHidden(
      entries.map(({ data }) => data.id),
      caller,
    );
    const data = entries.map((entry) => (hidden.has(entry.data.id) ? removeFields(entry) : entry));
    return { status: 200, body: { data, next_after, latest } };
  };
}

interface FeedQuery {
  after: number;
  limit: number;
  type?: readonly EventType[] | undefined;
  record_id?: string | undefined;
}

interface FeedPage {
  entries: FeedEntry[];
  next_after: number;
  latest: number;
}

/** Reads until the page is full, the feed ends or the request reaches its read limit. */
async function search(events: Pick<EventLog, 'after'>, query: FeedQuery): Promise<FeedPage> {
  const isFiltered = query.type !== undefined || query.record_id !== undefined;
  const found: FeedEntry[] = [];
  let bytes = 0;
  let position = query.after;
  for (let reads = 1; ; reads++) {
    const { entries, latest } = await events.after(position, isFiltered ? maxPageSize : query.limit);
    for (const entry of entries) {
      if (matches(entry, query)) {
        bytes += measureJson(entry);
        if (found.length > 0 && bytes > maxPageBytes) return { entries: found, next_after: position, latest };
        found.push(entry);
      }
      position = entry.sequence;
      if (found.length === query.limit) return { entries: found, next_after: position, latest };
    }
    // No entries are left: everything up to the latest number was read or has expired.
    if (entries.length === 0) return { entries: found, next_after: Math.max(position, latest), latest };
    if (!isFiltered || position >= latest || reads === maxReads)
      return { entries: found, next_after: position, latest };
  }
}

/** Reading 2,000 events of the usual size takes a few hundred milliseconds. */
const maxReads = 10;

function matches({ event, data }: FeedEntry, { type, record_id }: FeedQuery): boolean {
  return (type === undefined || type.includes(event)) && (record_id === undefined || data.id === record_id);
}

function removeFields(entry: FeedEntry): FeedEntry {
  const { id, url, api_url } = entry.data;
  return { ...entry, data: { id, url, ...(api_url && { api_url }), ...withheldAsDeleted } };
}
