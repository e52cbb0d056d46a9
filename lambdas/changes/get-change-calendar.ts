import { type CalendarEntry, mostCalendarChanges, mostCollisions } from '../../contract/change-calendar.ts';
import type { routes } from '../../contract/routes.ts';
import type { CiGraph } from '../cmdb/ci-graph.ts';
import type { ListQuery } from '../lists/list-query.ts';
import { findRecords, type ListSource } from '../lists/list-records.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { StoredRecord } from '../records/record.ts';
import type { ChangeDocument } from './change.ts';
import { findCollisions, stillAhead } from './collisions.ts';
import { dependenciesOf } from './dependencies.ts';

export function getChangeCalendar(
  source: Pick<ListSource, 'replica' | 'read'>,
  graphOfCis: () => Promise<CiGraph>,
): UseCase<typeof routes.getChangeCalendar> {
  return async ({ query: { from, to } }) => {
    const [{ total, records }, graph] = await Promise.all([
      findRecords<ChangeDocument>(source, touching(from, to), mostCalendarChanges),
      graphOfCis(),
    ]);
    const data = records.flatMap(entryOf);
    const { dependencies, truncated } = dependenciesOf(stillAhead(data), graph);
    const collisions = findCollisions(data, dependencies, mostCollisions);
    return {
      status: 200,
      body: {
        data,
        collisions: collisions.first,
        total,
        collisions_total: collisions.total,
        truncated: {
          changes: total > mostCalendarChanges,
          collisions: collisions.total > mostCollisions,
          dependencies: truncated,
        },
      },
    };
  };
}

function touching(from: string, to: string): ListQuery {
  return {
    enums: { state: ['draft', 'submitted', 'approved', 'implementing', 'completed'] },
    strings: {},
    times: { planned_end: { afterMs: Date.parse(from) }, planned_start: { beforeMs: Date.parse(to) } },
    text: undefined,
    sort: 'planned_start',
    order: 'asc',
  };
}

/** A change that lost its plan since it was found is no longer in the calendar. */
function entryOf({ id, document }: StoredRecord<ChangeDocument>): CalendarEntry[] {
  const { short_description, type, risk, state, ci_ids, planned_start, planned_end } = document;
  const { assignment_group, assigned_to } = document;
  if (planned_start === null || planned_end === null) return [];
  const facts = { id, short_description, type, risk, state, ci_ids };
  return [{ ...facts, planned_start, planned_end, assignment_group, assigned_to }];
}
