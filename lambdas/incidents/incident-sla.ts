import type { routes } from '../../contract/routes.ts';
import type { SlaView } from '../../contract/sla.ts';
import type { Priority } from '../../contract/states.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import { findRecord } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { findTerms } from '../sla/level-set.ts';
import type { Levels } from '../sla/level-store.ts';
import {
  findTimeUsed,
  getBreachAt,
  getClock,
  getWarningAt,
  measurePhases,
  type Sla,
  type Terms,
  toIsoOrNull,
} from '../sla/sla.ts';
import { type IncidentDocument, trackedIncident } from './incident.ts';

export function getIncidentSla(store: Pick<ItemStore, 'get'>, levels: Levels): UseCase<typeof routes.getIncidentSla> {
  return async ({ params, query }, { clock }) => {
    const { id, document } = await findRecord<IncidentDocument>(store, params.id);
    const sla = requireValue(document.sla);
    await levels.load(sla.revision);
    const priority = (query.simulate?.slice('priority:'.length) ?? document.priority) as Priority;
    const fields = { ...trackedIncident.fields(document), priority };
    const terms = requireValue(findTerms(levels.get(sla.revision), 'incident', fields));
    const simulated = priority !== document.priority;
    return { status: 200, body: { ...toSlaResponse(id, sla, clock.now(), terms, priority), simulated } };
  };
}

/** Describes the SLA clock step by step. The time between resolution and reopening counts as paused. */
export function toSlaResponse(incidentId: string, sla: Sla, nowMs: number, terms: Terms, priority: Priority): SlaView {
  const { resolveMs: allowed, hours, warningShare } = terms;
  const phase = getClock(sla);
  const intervals = listIntervals(sla, nowMs, terms);
  const sum = (kind: SlaView['intervals'][number]['clock']) =>
    intervals.reduce((total, each) => total + (each.clock === kind ? each.duration_ms : 0), 0);
  const [running, paused, closed] = [sum('running'), sum('paused'), sum('closed')];
  // The last interval is empty exactly at an opening or closing time.
  const isClosed = phase === 'running' && hours.sum(nowMs, nowMs + 1) === 0;
  const usedAt = (amountMs: number) => {
    const atMs = findTimeUsed(sla, amountMs, hours);
    return atMs !== null && atMs <= nowMs ? toIso(atMs) : null;
  };
  return {
    incident_id: incidentId,
    priority,
    policy: terms.policy,
    calendar: terms.calendar,
    simulated: false,
    at: toIso(nowMs),
    clock: isClosed ? 'closed' : phase,
    warning_percent: warningShare * 100,
    target_minutes: allowed / 60_000,
    started_at: toIso(requireValue(sla.phases[0]).from),
    ended_at: phase === 'ended' ? toIso(requireValue(sla.phases.at(-1)).from) : null,
    elapsed_ms: running + paused + closed,
    running_ms: running,
    paused_ms: paused,
    closed_ms: closed,
    remaining_ms: allowed - running,
    used_percent: Math.round((running / allowed) * 10_000) / 100,
    breached: running >= allowed,
    warning_at: toIsoOrNull(getWarningAt(sla, terms)),
    breach_at: toIsoOrNull(getBreachAt(sla, terms)),
    warned_at: usedAt(Math.ceil(allowed * warningShare)),
    breached_at: usedAt(allowed),
    acknowledge: describeAcknowledgement(sla, terms, nowMs),
    intervals,
  };
}

function describeAcknowledgement(sla: Sla, { acknowledgeMs, hours }: Terms, nowMs: number): SlaView['acknowledge'] {
  if (acknowledgeMs === null) return null;
  const dueAt = findTimeUsed(sla, acknowledgeMs, hours);
  const { acknowledged } = sla;
  const isBreached = dueAt !== null && dueAt < (acknowledged ?? nowMs + 1);
  return {
    target_minutes: acknowledgeMs / 60_000,
    due_at: getClock(sla) === 'running' && acknowledged === undefined ? toIsoOrNull(dueAt) : null,
    acknowledged_at: toIsoOrNull(acknowledged),
    breached_at: isBreached ? toIsoOrNull(dueAt) : null,
  };
}

/** Without gaps. Time after the end does not count, so the last phase of an ended clock is omitted. */
function listIntervals(sla: Sla, nowMs: number, { hours }: Terms): SlaView['intervals'] {
  const phases = measurePhases(sla, nowMs);
  const visible = getClock(sla) === 'ended' ? phases.slice(0, -1) : phases;
  return visible.flatMap(({ clock, from, to }, index) => {
    const parts = clock === 'running' ? splitByHours(from, to, hours) : [{ clock: 'paused' as const, from, to }];
    return parts.map((part, place) => ({
      clock: part.clock,
      from: toIso(part.from),
      to: index === phases.length - 1 && place === parts.length - 1 ? null : toIso(part.to),
      duration_ms: part.to - part.from,
    }));
  });
}

function splitByHours(from: number, to: number, hours: Terms['hours']) {
  const parts: { clock: 'running' | 'closed'; from: number; to: number }[] = [];
  let endMs = from;
  for (const open of hours.list(from, to)) {
    if (open.fromMs > endMs) parts.push({ clock: 'closed', from: endMs, to: open.fromMs });
    parts.push({ clock: 'running', from: open.fromMs, to: open.toMs });
    endMs = open.toMs;
  }
  if (endMs < to || parts.length === 0) {
    const isOpen = endMs === to && hours.sum(to, to + 1) > 0;
    parts.push({ clock: isOpen ? 'running' : 'closed', from: endMs, to });
  }
  return parts;
}
