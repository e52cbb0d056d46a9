import type { FeedEntry } from '../../contract/events.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { type FindHidden, withheldAsDeleted } from '../records/find-record.ts';
import type { EventLog } from './event-log.ts';

/** A deleted record stays in the feed, which has no gaps; who may not read the record does not read its fields there. */
export function listEvents(events: Pick<EventLog, 'after'>, findHidden: FindHidden): UseCase<typeof routes.listEvents> {
  return async ({ query: { after, limit } }, { caller }) => {
    const { entries, latest } = await events.after(after, limit);
    const hidden = await findHidden(
      entries.map(({ data }) => data.id),
      caller,
    );
    const data = entries.map((entry) => (hidden.has(entry.data.id) ? withoutFields(entry) : entry));
    return { status: 200, body: { data, next_after: entries.at(-1)?.sequence ?? after, latest } };
  };
}

function withoutFields(entry: FeedEntry): FeedEntry {
  const { id, url } = entry.data;
  return { ...entry, data: { id, url, ...withheldAsDeleted } };
}
