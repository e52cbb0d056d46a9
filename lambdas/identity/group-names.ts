import { dayMs } from '../platform/clock.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { RecordChange } from '../records/record-change.ts';
import { toItemKey } from '../records/record-item.ts';
import type { Write } from '../records/write-items.ts';

// The names of assignment groups in records. The emitter stores each name at most once a day. Names expire 90 days after
// their last use, so that a misspelled name does not stay in the directory.
//
// | Access pattern     | Call    | Key                                     |
// |--------------------|---------|-----------------------------------------|
// | all names          | Query   | pk = directory, sk begins with group#   |
// | whether one exists | GetItem | pk = directory, sk = group#<name>       |

export type ListGroupNames = (nowMs: number) => Promise<readonly string[]>;

const partition = 'directory';
const prefix = 'group#';
const retentionDays = 90;

/** More groups than this are not offered. */
const maxGroups = 2_000;

export function createGroupNameList(store: Pick<ItemStore, 'range'>): ListGroupNames {
  return async (nowMs) => {
    const items = await store.range({ pk: partition, prefix }, maxGroups);
    return items
      .filter((item) => isCurrent(item.expires_at?.N, nowMs))
      .map(({ sk }) => (sk?.S ?? '').slice(prefix.length));
  };
}

export async function isGroupNameUsed(store: Pick<ItemStore, 'get'>, name: string, nowMs: number): Promise<boolean> {
  const item = await store.get(partition, `${prefix}${name}`);
  return isCurrent(item?.expires_at?.N, nowMs);
}

/** Returns the writes that record the group of a change. */
export type RecordGroupName = (change: RecordChange) => Write[];

export function createGroupNameRecorder(): RecordGroupName {
  const writtenMs = new Map<string, number>();
  return ({ after, at }) => {
    const { assignment_group: name } = after.document as { assignment_group?: unknown };
    if (typeof name !== 'string' || after.deleted) return [];
    const nowMs = Date.parse(at);
    const lastMs = writtenMs.get(name);
    // The stream repeats a change whose write failed.
    if (lastMs !== undefined && lastMs !== nowMs && nowMs - lastMs < dayMs) return [];
    if (writtenMs.size >= maxGroups) writtenMs.clear();
    writtenMs.set(name, nowMs);
    const expires_at = { N: String(Math.ceil(nowMs / 1_000) + retentionDays * 86_400) };
    return [{ name: 'group name', put: { Item: { ...toItemKey(partition, `${prefix}${name}`), expires_at } } }];
  };
}

function isCurrent(expiresAt: string | undefined, nowMs: number): boolean {
  return Number(expiresAt) * 1_000 > nowMs;
}
