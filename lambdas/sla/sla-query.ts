import type { SlaStatus } from '../../contract/sla.ts';
import type { Condition, ListQuery, TimeRanges } from '../lists/list-engine.ts';

// The filter `sla` of lists, on the times that trackers list.

export function refineSlaQuery(
  query: ListQuery,
  { sla }: Readonly<Record<string, unknown>>,
  { nowMs }: { nowMs: number },
): ListQuery {
  const conditions = listSlaConditions(sla as readonly SlaStatus[] | undefined, nowMs);
  return conditions.length === 0 ? query : { ...query, conditions };
}

export function listSlaConditions(statuses: readonly SlaStatus[] | undefined, nowMs: number): Condition[] {
  if (statuses === undefined) return [];
  return [{ name: `sla ${statuses.toSorted()}`, anyOf: statuses.flatMap((status) => toRanges(status, nowMs)) }];
}

const hourMs = 3_600_000;

function toRanges(status: SlaStatus, nowMs: number): TimeRanges[] {
  if (status === 'kept') return [{ sla_breach_at: null }, { sla_breach_at: { afterMs: nowMs } }];
  if (status === 'breached') return [{ sla_breach_at: { beforeMs: nowMs + 1 } }];
  if (status === 'due_soon') return [{ sla_breach_at: { afterMs: nowMs, beforeMs: nowMs + hourMs + 1 } }];
  if (status === 'on_track') return [{ sla_breach_at: { afterMs: nowMs }, sla_warning_at: { afterMs: nowMs } }];
  return [{ sla_breach_at: { afterMs: nowMs }, sla_warning_at: { beforeMs: nowMs + 1 } }];
}
