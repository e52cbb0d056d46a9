import { createHash } from 'node:crypto';
import type { SlaPolicy } from './policy.ts';
import { nextDue, type Sla } from './sla.ts';

// The sparse index `due`: only items whose clock runs towards a mark carry its keys, sorted by when that mark is due.
// The partitions spread the writes; the sweep reads all of them.

export const dueIndex = 'due';
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
  return createHash('sha256').update(id).digest()[0]! % dueShards;
}
