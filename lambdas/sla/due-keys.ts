import { hash } from 'node:crypto';
import type { SlaPolicy } from './policy.ts';
import { nextDue, type Sla } from './sla.ts';

// In the index `due` are the incidents whose clock runs towards a mark, sorted by when that is due. Several partitions
// spread the writes; the sweep reads all of them.

export const dueShards = 4;

export type DueKeys = { due_pk: string; due_sk: string };

/** The index attributes of an incident's item; null means that the item must not have them. */
export function dueKeys(id: string, sla: Sla, policy: SlaPolicy): DueKeys | null {
  const due = nextDue(sla, policy);
  if (!due) return null;
  return { due_pk: duePartition(shardOf(id)), due_sk: `${new Date(due.at).toISOString()}#${id}` };
}

export function duePartition(shard: number): string {
  return `sla#${shard}`;
}

function shardOf(id: string): number {
  return hash('sha256', id, 'buffer')[0]! % dueShards;
}
