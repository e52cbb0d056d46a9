import type { SlaPolicy } from './policy.ts';
import { breachAt, type Sla } from './sla.ts';

export type SlaChange = { from: null; to: string };

/** The incident's field `sla_breach_at`. */
export function slaBreachAt(sla: Sla, policy: SlaPolicy): string | null {
  const at = breachAt(sla, policy);
  return at === null ? null : new Date(at).toISOString();
}

/**
 * The marks that a write sets, as its history tells them: `sla_warned_at` and `sla_breached_at`. A mark is set once per
 * target, so events can be derived from these; a write that marks two targets at once says so once.
 */
export function slaChanges(before: Sla, after: Sla): Record<string, SlaChange> {
  const changes: Record<string, SlaChange> = {};
  for (const [priority, marks] of Object.entries(after.marks)) {
    const known = before.marks[priority as keyof Sla['marks']] ?? {};
    if (marks.warned_at !== undefined && known.warned_at === undefined) changes.sla_warned_at = to(marks.warned_at);
    if (marks.breached_at !== undefined && known.breached_at === undefined)
      changes.sla_breached_at = to(marks.breached_at);
  }
  return changes;
}

function to(atMs: number): SlaChange {
  return { from: null, to: new Date(atMs).toISOString() };
}
