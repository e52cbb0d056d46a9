import { maxCalendarChanges } from '../../contract/change-calendar.ts';
import type { CollidingChange } from '../../contract/change-collisions.ts';
import type { routes } from '../../contract/routes.ts';
import type { CiGraph } from '../cmdb/ci-graph.ts';
import { findRecords, type ListSource } from '../lists/list-records.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import type { ChangeDocument } from './change.ts';
import {
  buildCalendarQuery,
  findDependencies,
  findReason,
  selectOpenChanges,
  toCalendarEntries,
} from './change-calendar.ts';

/** Compares one window with all pending changes that overlap it. */
export function getChangeCollisions(
  source: Pick<ListSource, 'replica' | 'read'>,
  readGraph: () => Promise<CiGraph>,
): UseCase<typeof routes.getChangeCollisions> {
  return async ({ query: { from, to, ci_ids, change_id } }) => {
    const [{ total, records }, graph] = await Promise.all([
      findRecords<ChangeDocument>(source, buildCalendarQuery(from, to), maxCalendarChanges),
      readGraph(),
    ]);
    const others = selectOpenChanges(records.flatMap(toCalendarEntries)).filter(({ id }) => id !== change_id);
    const { dependencies, truncated } = findDependencies([{ ci_ids }, ...others], graph);
    const data = others.flatMap((change): CollidingChange[] => {
      const cause = findReason({ ci_ids }, change, dependencies);
      if (cause.ci_ids.length === 0) return [];
      const overlap = {
        from: toIso(Math.max(Date.parse(from), Date.parse(change.planned_start))),
        to: toIso(Math.min(Date.parse(to), Date.parse(change.planned_end))),
      };
      return [{ change, ...overlap, ...cause }];
    });
    return {
      status: 200,
      body: { data, truncated: { changes: total > maxCalendarChanges, dependencies: truncated } },
    };
  };
}
