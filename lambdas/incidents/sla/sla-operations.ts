import pMap from 'p-map';
import type { routes } from '../../../contract/routes.ts';
import type { SlaView } from '../../../contract/sla.ts';
import type { Priority } from '../../../contract/states.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { requireValue } from '../../platform/require-value.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { type Changer, findRecord } from '../../records/change-record.ts';
import type { FindDueIds } from '../../records/index-store.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { Author } from '../../records/record.ts';
import type { IncidentDocument, IncidentRecord, IncidentRules } from '../incident.ts';
import {
  dueShards,
  getBreachAt,
  getClock,
  getTargetMs,
  getWarningAt,
  measurePhases,
  type Sla,
  type SlaPolicy,
  toDuePartition,
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

/** Time after the end does not count, so the last phase of an ended clock is omitted. */
function toIntervals(sla: Sla, nowMs: number): SlaView['intervals'] {
  const phases = measurePhases(sla, nowMs);
  const visible = getClock(sla) === 'ended' ? phases.slice(0, -1) : phases;
  return visible.map(({ clock, from, lengthMs }, index) => ({
    clock: clock === 'running' ? 'running' : 'paused',
    from: toIso(from),
    to: index === phases.length - 1 ? null : toIso(from + lengthMs),
    duration_ms: lengthMs,
  }));
}

// Runs every minute and marks all incidents whose warning or breach is due. A mark is a conditional change that is
// skipped where it already exists, so overlapping sweeps and a lagging index mark nothing twice. Every key that the sweep
// visits moves, so no number of keys can starve later ones.

export interface SweepTools {
  due: FindDueIds;
  /** Moves an overdue key that remains after the visit. */
  postpone(id: string, nowMs: number): Promise<unknown>;
  /** Applies changed SLA minutes to open incidents. */
  applyPolicy(mark: (id: string) => Promise<SweepResult>): Promise<SweepResult>;
  change: Changer<IncidentDocument>;
  rules: Pick<IncidentRules, 'markDue'>;
  clock: Clock;
  log: Log;
}

export interface SweepResult {
  checked: number;
  failed: number;
}

const author: Author = { actor: 'sla', origin: { kind: 'sla', id: null } };

export async function sweepSla(tools: SweepTools): Promise<SweepResult> {
  const shards = Array.from({ length: dueShards }, (_, shard) => sweepPartition(toDuePartition(shard), tools));
  const due = (await Promise.all(shards)).reduce(addCounts, none);
  const swept = addCounts(due, await tools.applyPolicy((id) => markIncident(id, tools)));
  if (swept.checked > 0) tools.log('info', 'SLA sweep finished', { ...swept });
  // All other incidents are already marked; the error raises the alarm.
  if (swept.failed > 0) throw new Error(`${swept.failed} of ${swept.checked} incidents could not be marked`);
  return swept;
}

export const none: SweepResult = { checked: 0, failed: 0 };

/** Low enough that API callers do not notice a sweep after a long outage. */
const concurrency = 4;

async function sweepPartition(partition: string, tools: SweepTools): Promise<SweepResult> {
  let swept = none;
  for await (const ids of tools.due(partition, tools.clock.now())) {
    swept = (await pMap(ids, (id) => markDueIncident(id, tools), { concurrency })).reduce(addCounts, swept);
  }
  return swept;
}

async function markDueIncident(id: string, tools: SweepTools): Promise<SweepResult> {
  const { isChanged, ...result } = await markIncident(id, tools);
  if (!isChanged) {
    await tools.postpone(id, tools.clock.now()).catch((error: unknown) => {
      tools.log('warn', 'failed to postpone the SLA check of an incident', { incident: id, ...toErrorFields(error) });
    });
  }
  return result;
}

async function markIncident(id: string, tools: SweepTools): Promise<SweepResult & { isChanged: boolean }> {
  let version: number | undefined;
  const apply = (record: IncidentRecord, nowMs: number) => {
    version = record.version;
    return { document: tools.rules.markDue(record.document, nowMs) };
  };
  try {
    const after = await tools.change({ id, author, apply });
    return { checked: 1, failed: 0, isChanged: after.version !== version };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return { checked: 1, failed: 0, isChanged: false };
    tools.log('error', 'failed to record an SLA warning or breach', { incident: id, ...toErrorFields(error) });
    return { checked: 1, failed: 1, isChanged: false };
  }
}

export function addCounts(one: SweepResult, other: SweepResult): SweepResult {
  return { checked: one.checked + other.checked, failed: one.failed + other.failed };
}
