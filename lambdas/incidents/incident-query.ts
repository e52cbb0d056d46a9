import { type IncidentStatistics, maxGroups } from '../../contract/incident-statistics.ts';
import type { SlaStatus } from '../../contract/incidents.ts';
import type { routes } from '../../contract/routes.ts';
import type { Condition, ListEngine, ListQuery, Tally, TimeRanges } from '../lists/list-engine.ts';
import { recordBounds, type TimeBound, toListQuery } from '../lists/list-records.ts';
import { dayMs, toUtcDate } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { incidentListing } from './incident.ts';

// The filters of incidents that are not plain columns: no assignee, SLA status and age.

export const incidentBounds: Readonly<Record<string, TimeBound>> = {
  resolved_after: { after: 'resolved_at' },
  resolved_before: { before: 'resolved_at' },
  acknowledged_after: { after: 'acknowledged_at' },
  acknowledged_before: { before: 'acknowledged_at' },
  sla_breach_after: { after: 'sla_breach_at' },
  sla_breach_before: { before: 'sla_breach_at' },
};

export function refineIncidentQuery(
  query: ListQuery,
  given: Readonly<Record<string, unknown>>,
  { nowMs }: { nowMs: number },
): ListQuery {
  const { unassigned, sla, min_age_hours, max_age_hours } = given as IncidentFilters;
  const conditions: Condition[] = [
    ...(sla === undefined
      ? []
      : [{ name: `sla ${sla.toSorted()}`, anyOf: sla.map((status) => toRanges(status, nowMs)) }]),
    ...(min_age_hours === undefined
      ? []
      : [{ name: `min ${min_age_hours}`, anyOf: [{ created_at: { beforeMs: nowMs - min_age_hours * hourMs + 1 } }] }]),
    ...(max_age_hours === undefined
      ? []
      : [{ name: `max ${max_age_hours}`, anyOf: [{ created_at: { afterMs: nowMs - max_age_hours * hourMs - 1 } }] }]),
  ];
  return { ...query, strings: { ...query.strings, ...(unassigned && { assigned_to: null }) }, conditions };
}

interface IncidentFilters {
  unassigned?: boolean;
  sla?: readonly SlaStatus[];
  min_age_hours?: number;
  max_age_hours?: number;
}

const hourMs = 3_600_000;

function toRanges(status: SlaStatus, nowMs: number): TimeRanges {
  if (status === 'breached') return { sla_breach_at: { beforeMs: nowMs + 1 } };
  if (status === 'due_soon') return { sla_breach_at: { afterMs: nowMs, beforeMs: nowMs + hourMs + 1 } };
  if (status === 'on_track') return { sla_breach_at: { afterMs: nowMs }, sla_warning_at: { afterMs: nowMs } };
  return { sla_breach_at: { afterMs: nowMs }, sla_warning_at: { beforeMs: nowMs + 1 } };
}

export function getIncidentStatistics(engine: ListEngine): UseCase<typeof routes.getIncidentStatistics> {
  return async ({ query: { group_by: groupBy = [], interval, days: dayCount, ...filters } }, { clock }) => {
    const nowMs = clock.now();
    const bounds = { ...recordBounds, ...incidentBounds };
    const query = toListQuery(incidentListing, { ...filters, sort: 'created_at', order: 'desc' }, bounds);
    const days = interval === undefined ? 0 : dayCount;
    const firstDayMs = (Math.floor(nowMs / dayMs) - days + 1) * dayMs;
    const measured = await engine.measureRows(
      refineIncidentQuery(query, filters, { nowMs }),
      { resolved: 'resolved_at', breached: 'sla_breach_at', acknowledged: 'acknowledged_at' },
      { groupBy, firstDayMs, days },
    );
    const groups = measured.groups.sort((a, b) => b.tally.count - a.tally.count || compareValues(a.values, b.values));
    const visible = groups.slice(0, maxGroups).map(({ values, tally }) => ({
      values: Object.fromEntries(groupBy.map((field, index) => [field, values[index] ?? null])),
      count: tally.count,
      ...toResponses(tally),
    }));
    return {
      status: 200,
      body: {
        count: measured.total.count,
        ...toResponses(measured.total),
        ...(groupBy.length > 0 && {
          groups: visible,
          other: groups.slice(maxGroups).reduce((sum, { tally }) => sum + tally.count, 0),
        }),
        ...(interval && {
          days: measured.days.map((tally, index) => ({
            date: toUtcDate(firstDayMs + index * dayMs),
            created: tally.count,
            ...toResponses(tally),
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

type Responses = Pick<
  IncidentStatistics,
  | 'resolved'
  | 'sla_met'
  | 'sla_breached'
  | 'sla_attainment'
  | 'mean_time_to_resolve_minutes'
  | 'acknowledged'
  | 'mean_time_to_acknowledge_minutes'
>;

function toResponses({ resolved, breached, resolutionMs, acknowledged, acknowledgementMs }: Tally): Responses {
  return {
    resolved,
    sla_met: resolved - breached,
    sla_breached: breached,
    sla_attainment: resolved === 0 ? null : (resolved - breached) / resolved,
    mean_time_to_resolve_minutes: resolved === 0 ? null : resolutionMs / resolved / 60_000,
    acknowledged,
    mean_time_to_acknowledge_minutes: acknowledged === 0 ? null : acknowledgementMs / acknowledged / 60_000,
  };
}
