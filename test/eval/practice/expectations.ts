import { any, type Check, count, type Expected, isWarned, never, ranks, records } from '../desk/judge.ts';
import { createdAt, isOpen, type Records, rank, toIds, toPeriod, within } from '../desk/truth.ts';

export const unanswerable: Expected = { check: never, isRefusable: true };
export const list = (found: readonly { id: string }[]): Expected => records(toIds(found));
export const open = ({ incidents }: Records) => incidents.filter(isOpen);
export const ofTeam = (team: string) => (each: { assignment_group: string | null }) => each.assignment_group === team;
export const rankBy = <Item>(items: readonly Item[], key: (item: Item) => string | null, top = 1) =>
  ranks(rank(items, key), top);
export const resolvedAt = (each: { resolved_at: string | null }) => each.resolved_at;

/** The answer may count those that breached in the month or those that were created in it. */
export function isWarnedOr({ incidents, breached, nowMs }: Records): Check {
  const some = within(
    incidents.filter((each) => each.priority === 'P1'),
    toPeriod('month', -1, nowMs),
    createdAt,
  );
  return any(isWarned, count(some.filter(({ id }) => breached.has(id)).length));
}

export function reaches(found: object): Check {
  const ids: readonly string[] = JSON.stringify(found).match(/CI\d{7}/g) ?? [];
  return ({ records: shown }) => shown.length > 0 && shown.every(({ id }) => ids.includes(id));
}
