import type { SlaStatus } from '../../contract/sla.ts';
import type { Condition, ListQuery, ResponseColumns } from '../lists/list-engine.ts';
import type { TimeBound } from '../lists/list-records.ts';
import { listSlaConditions } from '../sla/sla-query.ts';

// The filters of incidents that are not plain columns (no assignee, reopenings, SLA status and age), and the columns of
// their statistics.

export const incidentColumns: ResponseColumns = {
  resolved: 'resolved_at',
  breached: 'sla_breach_at',
  acknowledged: 'acknowledged_at',
  reopened: 'was_reopened',
};

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
  const { unassigned, reopened, missing, sla, min_age_hours, max_age_hours } = given as IncidentFilters;
  const conditions: Condition[] = [
    ...listSlaConditions(sla, nowMs),
    ...(min_age_hours === undefined
      ? []
      : [{ name: `min ${min_age_hours}`, anyOf: [{ created_at: { beforeMs: nowMs - min_age_hours * hourMs + 1 } }] }]),
    ...(max_age_hours === undefined
      ? []
      : [{ name: `max ${max_age_hours}`, anyOf: [{ created_at: { afterMs: nowMs - max_age_hours * hourMs - 1 } }] }]),
  ];
  const strings = {
    ...query.strings,
    ...(unassigned && { assigned_to: null }),
    ...(reopened && { was_reopened: 'yes' }),
    // An incident that was never reopened.
    ...(missing?.includes('reopen_count') && { was_reopened: null }),
  };
  return { ...query, strings, conditions };
}

interface IncidentFilters {
  unassigned?: boolean;
  reopened?: boolean;
  missing?: readonly string[];
  sla?: readonly SlaStatus[];
  min_age_hours?: number;
  max_age_hours?: number;
}

const hourMs = 3_600_000;
