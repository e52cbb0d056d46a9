import pMap from 'p-map';
import type { SlaKind } from '../../contract/states.ts';
import type { Clock } from '../platform/clock.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import type { FindDue } from '../records/index-store.ts';
import { type Item, readString } from '../records/items.ts';
import type { Author } from '../records/record.ts';
import type { SlaTracker, Tracked } from '../sla/track-sla.ts';

// Runs every minute and marks all records whose warning or breach is due. A mark is a conditional change that is
// skipped where it already exists, so overlapping sweeps and a lagging index mark nothing twice. Every key that the sweep
// visits moves, so no number of keys can starve later ones.

/** How records of one kind are changed. */
export interface SweptKind {
  change: Changer<Tracked>;
  sla: Pick<SlaTracker<Tracked>, 'markDue' | 'recalculate'>;
}

export interface SweepTools {
  due: FindDue;
  /** Moves an overdue key that remains after the visit. */
  postpone(id: string, nowMs: number): Promise<unknown>;
  /** Applies changed policies to open records. */
  recalculate(visit: Visit): Promise<SweepResult>;
  kinds: Readonly<Record<SlaKind, SweptKind>>;
  clock: Clock;
  log: Log;
}

export interface SweepResult {
  checked: number;
  changed: number;
  failed: number;
}

export type Visit = (id: string) => Promise<SweepResult>;

const author: Author = { actor: 'sla', origin: { kind: 'sla', id: null } };

export async function sweepSla(tools: SweepTools): Promise<SweepResult> {
  const shards = tools.due(tools.clock.now()).map((pages) => sweepShard(pages, tools));
  const due = (await Promise.all(shards)).reduce(addCounts, none);
  const swept = addCounts(due, await tools.recalculate((id) => visitRecord(id, 'recalculate', tools)));
  if (swept.checked > 0) tools.log('info', 'SLA sweep finished', { ...swept });
  // All other records are already marked; the error raises the alarm.
  if (swept.failed > 0) throw new Error(`${swept.failed} of ${swept.checked} records could not be marked`);
  return swept;
}

export const none: SweepResult = { checked: 0, changed: 0, failed: 0 };

/** Low enough that API callers do not notice a sweep after a long outage. */
const concurrency = 4;

async function sweepShard(pages: AsyncIterable<Item[]>, tools: SweepTools): Promise<SweepResult> {
  let swept = none;
  for await (const items of pages) {
    const mark = (item: Item) => markDueRecord(readString(item, 'pk'), tools);
    swept = (await pMap(items, mark, { concurrency })).reduce(addCounts, swept);
  }
  return swept;
}

async function markDueRecord(id: string, tools: SweepTools): Promise<SweepResult> {
  const result = await visitRecord(id, 'markDue', tools);
  if (result.changed === 0) {
    await tools.postpone(id, tools.clock.now()).catch((error: unknown) => {
      tools.log('warn', 'failed to postpone the SLA check of a record', { record: id, ...toErrorFields(error) });
    });
  }
  return result;
}

async function visitRecord(id: string, step: 'markDue' | 'recalculate', tools: SweepTools): Promise<SweepResult> {
  const { change, sla } = tools.kinds[findKind(id)];
  let version: number | undefined;
  try {
    const after = await change({
      id,
      author,
      apply: (record, nowMs) => {
        version = record.version;
        return {
          document: step === 'markDue' ? sla.markDue(record.document, nowMs) : sla.recalculate(record, nowMs),
        };
      },
    });
    return { checked: 1, changed: after.version === version ? 0 : 1, failed: 0 };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return { ...none, checked: 1 };
    tools.log('error', 'failed to record an SLA warning or breach', { record: id, ...toErrorFields(error) });
    return { checked: 1, changed: 0, failed: 1 };
  }
}

function findKind(id: string): SlaKind {
  if (id.startsWith('CHG')) return 'change';
  return id.startsWith('REQ') ? 'request' : 'incident';
}

export function addCounts(one: SweepResult, other: SweepResult): SweepResult {
  return {
    checked: one.checked + other.checked,
    changed: one.changed + other.changed,
    failed: one.failed + other.failed,
  };
}
