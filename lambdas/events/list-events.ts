import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { EventLog } from './event-log.ts';

export function listEvents(events: Pick<EventLog, 'after'>): UseCase<typeof routes.listEvents> {
  return async ({ query: { after, limit } }) => {
    const { entries, latest } = await events.after(after, limit);
    return { status: 200, body: { data: entries, next_after: entries.at(-1)?.sequence ?? after, latest } };
  };
}
