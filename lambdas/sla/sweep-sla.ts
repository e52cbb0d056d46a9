import type { IncidentDocument } from '../incidents/incident.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Log } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import type { DueIds } from '../records/index-store.ts';
import type { Author } from '../records/record.ts';
import { duePartition, dueShards, markDue, type SlaPolicy } from './sla.ts';

// Runs every minute and marks all incidents whose warning or breach is due. A mark is a conditional change that is
// skipped where it already exists, so overlapping sweeps and a lagging index mark nothing twice.

export interface SweepTools {
  due: DueIds;
  change: Changer<IncidentDocument>;
  policy: SlaPolicy;
  clock: Clock;
  log: Log;
}

export interface Swept {
  checked: number;
  failed: number;
}

const author: Author = { actor: 'sla', origin: { kind: 'sla', id: null } };

export async function sweepSla(tools: SweepTools): Promise<Swept> {
  const shards = Array.from({ length: dueShards }, (_, shard) => sweepPartition(duePartition(shard), tools));
  const swept = (await Promise.all(shards)).reduce(plus, none);
  if (swept.checked > 0) tools.log('info', 'service levels swept', { ...swept });
  // All other incidents are marked by now; the error raises the alarm.
  if (swept.failed > 0) throw new Error(`${swept.failed} of ${swept.checked} due incidents could not be marked`);
  return swept;
}

const none: Swept = { checked: 0, failed: 0 };

/** Low enough that API callers do not notice a sweep after a long outage. */
const sideBySide = 4;

async function sweepPartition(partition: string, tools: SweepTools): Promise<Swept> {
  let swept = none;
  for await (const ids of tools.due(partition, tools.clock.now())) {
    for (let first = 0; first < ids.length; first += sideBySide) {
      const some = ids.slice(first, first + sideBySide);
      swept = (await Promise.all(some.map((id) => mark(id, tools)))).reduce(plus, swept);
    }
  }
  return swept;
}

async function mark(id: string, { change, policy, log }: SweepTools): Promise<Swept> {
  try {
    await change({
      id,
      author,
      apply: ({ document }, nowMs) => ({ document: { ...document, sla: markDue(document.sla, nowMs, policy) } }),
    });
    return { checked: 1, failed: 0 };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return { checked: 1, failed: 0 };
    log('error', 'a service level could not be marked', { incident: id, ...errorFields(error) });
    return { checked: 1, failed: 1 };
  }
}

function plus(one: Swept, other: Swept): Swept {
  return { checked: one.checked + other.checked, failed: one.failed + other.failed };
}
