import pMap from 'p-map';
import type { IncidentDocument, IncidentRules } from '../incidents/incident.ts';
import type { Clock } from '../platform/clock.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import type { FindDueIds } from '../records/index-store.ts';
import type { Author } from '../records/record.ts';
import { dueShards, toDuePartition } from './sla.ts';

// Runs every minute and marks all incidents whose warning or breach is due. A mark is a conditional change that is
// skipped where it already exists, so overlapping sweeps and a lagging index mark nothing twice.

export interface SweepTools {
  due: FindDueIds;
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
  const swept = (await Promise.all(shards)).reduce(addCounts, none);
  if (swept.checked > 0) tools.log('info', 'SLA sweep finished', { ...swept });
  // All other incidents are marked by now; the error raises the alarm.
  if (swept.failed > 0) throw new Error(`${swept.failed} of ${swept.checked} due incidents could not be marked`);
  return swept;
}

const none: SweepResult = { checked: 0, failed: 0 };

/** Low enough that API callers do not notice a sweep after a long outage. */
const concurrency = 4;

async function sweepPartition(partition: string, tools: SweepTools): Promise<SweepResult> {
  let swept = none;
  for await (const ids of tools.due(partition, tools.clock.now())) {
    swept = (await pMap(ids, (id) => markIncident(id, tools), { concurrency })).reduce(addCounts, swept);
  }
  return swept;
}

async function markIncident(id: string, { change, rules, log }: SweepTools): Promise<SweepResult> {
  try {
    await change({
      id,
      author,
      apply: ({ document }, nowMs) => ({ document: rules.markDue(document, nowMs) }),
    });
    return { checked: 1, failed: 0 };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return { checked: 1, failed: 0 };
    log('error', 'failed to mark an incident', { incident: id, ...toErrorFields(error) });
    return { checked: 1, failed: 1 };
  }
}

function addCounts(one: SweepResult, other: SweepResult): SweepResult {
  return { checked: one.checked + other.checked, failed: one.failed + other.failed };
}
