import type { routes } from '../../contract/routes.ts';
import type { SlaView } from '../../contract/sla.ts';
import type { Priority } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import { findRecord } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import {
  getBreachAt,
  getClock,
  getTargetMs,
  getWarningAt,
  measurePhases,
  type Sla,
  type SlaPolicy,
  toIsoOrNull,
} from './sla.ts';

export function getIncidentSla(
  store: Pick<ItemStore, 'get'>,
  policy: SlaPolicy,
): UseCase<typeof routes.getIncidentSla> {
  return async ({ params, query }, { clock }) => {
    const { id, document } = await findRecord<IncidentDocument>(store, params.id);
    const simulated = query.simulate?.slice('priority:'.length) as Priority | undefined;
    return { status: 200, body: toSlaResponse(id, document.sla, clock.now(), policy, simulated) };
  };
}

/**
 * Describes the SLA clock for the incident's own target or, when simulated, for another priority. The time between
 * resolution and reopening counts as paused.
 */
export function toSlaResponse(
  incidentId: string,
  sla: Sla,
  nowMs: number,
  policy: SlaPolicy,
  simulate?: Priority,
): SlaView {
  const priority = simulate ?? sla.priority;
  const target = { ...sla, priority };
  const clock = getClock(sla);
  const intervals = toIntervals(sla, nowMs);
  const sum = (kind: 'running' | 'paused') =>
    intervals.reduce((total, each) => total + (each.clock === kind ? each.duration_ms : 0), 0);
  const [running, paused, allowed] = [sum('running'), sum('paused'), getTargetMs(policy, priority)];
  const marks = sla.marks[priority];
  return {
    incident_id: incidentId,
    priority,
    simulated: priority !== sla.priority,
    at: toIso(nowMs),
    clock,
    target_minutes: policy[priority],
    started_at: toIso(requireValue(sla.phases[0]).from),
    ended_at: clock === 'ended' ? toIso(requireValue(sla.phases.at(-1)).from) : null,
    elapsed_ms: running + paused,
    running_ms: running,
    paused_ms: paused,
    remaining_ms: allowed - running,
    used_percent: Math.round((running / allowed) * 10_000) / 100,
    breached: running >= allowed,
    warning_at: toIsoOrNull(getWarningAt(target, policy)),
    breach_at: toIsoOrNull(getBreachAt(target, policy)),
    warned_at: toIsoOrNull(marks?.warned_at),
    breached_at: toIsoOrNull(marks?.breached_at),
    intervals,
  };
}

/** Time after the end does not count, so an ended clock omits its last phase. */
function toIntervals(sla: Sla, nowMs: number): SlaView['intervals'] {
  const phases = measurePhases(sla, nowMs);
  const shown = getClock(sla) === 'ended' ? phases.slice(0, -1) : phases;
  return shown.map(({ clock, from, lengthMs }, index) => ({
    clock: clock === 'running' ? 'running' : 'paused',
    from: toIso(from),
    to: index === phases.length - 1 ? null : toIso(from + lengthMs),
    duration_ms: lengthMs,
  }));
}
