import type { EventType, FeedEntry } from '../../contract/events.ts';
import type { orders } from '../../contract/list-query.ts';
import { maxPageSize } from '../../contract/records.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { type FindHidden, withheldAsDeleted } from '../records/change-record.ts';
import { maxPageBytes, measureJson } from '../records/page.ts';
import type { EventLog } from './event-log.ts';

/** Events of deleted records remain in the feed. Only callers who may read the record see its fields. */
export function listEvents(events: Readers, findHidden: FindHidden): UseCase<typeof routes.listEvents> {
  return async ({ query }, { caller }) => {
    const { data: entries, ...rest } = await search(events, query);
    const hidden = await findHidden(
      entries.map(({ data }) => data.id),
      caller,
    );
    const data = entries.map((entry) => (hidden.has(entry.data.id) ? removeFields(entry) : entry));
    return { status: 200, body: { data, ...rest } };
  };
}

type Readers = Pick<EventLog, 'after' | 'listByRecord'>;

interface FeedQuery {
  after: number;
  before?: number | undefined;
  limit: number;
  order: (typeof orders)[number];
  type?: readonly EventType[] | undefined;
  record_id?: string | undefined;
}

interface FeedPage {
  data: FeedEntry[];
  next_after: number;
  next_before?: number;
  latest: number;
}

/** Reads until the page is full, no events are left or the request reaches its read limit. */
async function search(events: Readers, { type, record_id, order, limit, after, before }: FeedQuery): Promise<FeedPage> {
  const batch = type ? maxPageSize : limit;
  const isDescending = order === 'desc';
  let position = isDescending ? (before ?? Number.MAX_SAFE_INTEGER) : after;
  const read = () =>
    record_id === undefined ? events.after(position, batch) : events.listByRecord(record_id, order, position, batch);
  const found: FeedEntry[] = [];
  let bytes = 0;
  for (let reads = 1; ; reads++) {
    const { entries, latest, isEnd } = await read();
    for (const entry of entries) {
      if (!type || type.includes(entry.event)) {
        bytes += measureJson(entry);
        if (found.length > 0 && bytes > maxPageBytes) return toPage(order, found, position, latest);
        found.push(entry);
      }
      position = entry.sequence;
      if (found.length === limit) return toPage(order, found, position, latest);
    }
    if (isEnd)
      return { data: found, next_after: Math.max(isDescending ? (found[0]?.sequence ?? 0) : position, latest), latest };
    if (!type || reads === maxReads) return toPage(order, found, position, latest);
  }
}

/** A page with a next one. After the newest events, a caller follows the feed from its end. */
function toPage(order: FeedQuery['order'], data: FeedEntry[], position: number, latest: number): FeedPage {
  if (order === 'asc') return { data, next_after: position, latest };
  return { data, next_after: Math.max(data[0]?.sequence ?? 0, latest), next_before: position, latest };
}
/** Reading 2,000 events of the usual size takes a few hundred milliseconds. */
const maxReads = 10;

function removeFields(entry: FeedEntry): FeedEntry {
  const { id, url, api_url } = entry.data;
  return { ...entry, data: { id, url, ...(api_url && { api_url }), ...withheldAsDeleted } };
}
