import { type IncidentStatistics, maxGroups } from '../../contract/incident-statistics.ts';
import type { routes } from '../../contract/routes.ts';
import { creation, type ListSource, toListQuery } from '../lists/list-records.ts';
import { measureRows, type Tally } from '../lists/row-statistics.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { incidentListing } from './incident.ts';
import { refineIncidentQuery, resolutionBounds } from './incident-query.ts';

const dayMs = 86_400_000;

export function getIncidentStatistics({
  replica: live,
}: Pick<ListSource, 'replica'>): UseCase<typeof routes.getIncidentStatistics> {
  return async ({ query: { group_by: groupBy = [], interval, days: dayCount, ...filters } }, { clock }) => {
    const nowMs = clock.now();
    const bounds = { ...creation, ...resolutionBounds };
    const query = toListQuery(incidentListing, { ...filters, sort: 'created_at', order: 'desc' }, bounds);
    const days = interval === undefined ? 0 : dayCount;
    const firstDayMs = (Math.floor(nowMs / dayMs) - days + 1) * dayMs;
    const measured = measureRows(
      await live.refresh(),
      refineIncidentQuery(query, filters, nowMs),
      { resolved: 'resolved_at', breached: 'sla_breach_at' },
      { groupBy, firstDayMs, days },
    );
    const groups = measured.groups.sort((a, b) => b.tally.count - a.tally.count || compareValues(a.values, b.values));
    const shown = groups.slice(0, maxGroups).map(({ values, tally }) => ({
      values: Object.fromEntries(groupBy.map((field, index) => [field, values[index] ?? null])),
      count: tally.count,
      ...toResolutions(tally),
    }));
    return {
      status: 200,
      body: {
        count: measured.total.count,
        ...toResolutions(measured.total),
        ...(groupBy.length > 0 && {
          groups: shown,
          other: groups.slice(maxGroups).reduce((sum, { tally }) => sum + tally.count, 0),
        }),
        ...(interval && {
          days: measured.days.map((tally, index) => ({
            date: new Date(firstDayMs + index * dayMs).toISOString().slice(0, 10),
            created: tally.count,
            ...toResolutions(tally),
          })),
        }),
      },
    };
  };
}

/** Groups of the same size have a stable order. */
function compareValues(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

type Resolutions = Pick<
  IncidentStatistics,
  'resolved' | 'sla_met' | 'sla_breached' | 'sla_attainment' | 'mean_time_to_resolve_minutes'
>;

function toResolutions({ resolved, breached, resolutionMs }: Tally): Resolutions {
  return {
    resolved,
    sla_met: resolved - breached,
    sla_breached: breached,
    sla_attainment: resolved === 0 ? null : (resolved - breached) / resolved,
    mean_time_to_resolve_minutes: resolved === 0 ? null : resolutionMs / resolved / 60_000,
  };
}
