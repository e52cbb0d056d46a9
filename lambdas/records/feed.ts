import { hash } from 'node:crypto';
import { newId } from '../platform/ids.ts';

// The index `feed` holds every record of a kind in the order of its last change. Its partitions are chosen by the id
// alone, so a record stays in one of them for life and its latest entry replaces the one before.

export const feedIndex = 'feed';

export const feedShards = 4;

export function feedPartition(type: string, shard: number): string {
  return `${type}#${shard}`;
}

export function feedKeys(type: string, id: string, updatedAt: string): { feed_pk: string; feed_sk: string } {
  const shard = hash('sha256', id, 'buffer')[0]! % feedShards;
  return { feed_pk: feedPartition(type, shard), feed_sk: `${updatedAt}#${id}` };
}

/** The key after a write that makes no new version, such as the count of a note; no other write has the same. */
export function touchedKey(id: string, at: string): string {
  return `${at}#${id}#${newId('note')}`;
}
