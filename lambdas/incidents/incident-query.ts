import type { SlaStatus } from '../../contract/incidents.ts';
import type { RefineQuery, TimeBound } from '../lists/list-records.ts';
import type { Condition, TimeRanges } from '../lists/scan.ts';

// The filters of incidents that are not plain columns: no assignee, SLA status and age.

export const resolutionBounds: Readonly<Record<string, TimeBound>> = {
  resolved_after: { after: 'resolved_at' },
  resolved_before: { before: 'resolved_at' },
};

export const refineIncidentQuery: RefineQuery = (query, given, nowMs) => {
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
};

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
  return { sla_breach_at: { afterMs: nowMs }, sla_warning_at: { beforeMs: nowMs + 1 } };
}
