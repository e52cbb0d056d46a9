import type { CalendarEntry, Collision } from '../../contract/change-calendar.ts';
import type { ChangeState } from '../../contract/change-fields.ts';

// Two changes collide when both are still to be carried out, their windows overlap, and they touch the same item or one
// touches what an item of the other depends on.

/** The items that an item depends on, itself not included. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

const ahead: ReadonlySet<ChangeState> = new Set(['draft', 'submitted', 'approved', 'implementing']);

/** Those that can still collide. */
export function stillAhead(entries: readonly CalendarEntry[]): CalendarEntry[] {
  return entries.filter(({ state }) => ahead.has(state));
}

/** In the order in which the overlaps begin. Entries must be in the order of their start. */
export function collisionsOf(entries: readonly CalendarEntry[], dependencies: Dependencies): Collision[] {
  const found: Collision[] = [];
  let running: CalendarEntry[] = [];
  for (const entry of stillAhead(entries)) {
    running = running.filter(({ planned_end }) => planned_end > entry.planned_start);
    for (const other of running) {
      const meeting = meetingOf(other, entry, dependencies);
      if (meeting) found.push({ change_ids: [other.id, entry.id], ...overlap(other, entry), ...meeting });
    }
    running.push(entry);
  }
  return found;
}

/** The later one starts while the earlier one runs, so the overlap begins with it. */
function overlap(earlier: CalendarEntry, later: CalendarEntry): Pick<Collision, 'from' | 'to'> {
  const to = earlier.planned_end < later.planned_end ? earlier.planned_end : later.planned_end;
  return { from: later.planned_start, to };
}

function meetingOf(
  one: CalendarEntry,
  other: CalendarEntry,
  dependencies: Dependencies,
): Pick<Collision, 'reason' | 'ci_ids'> | undefined {
  const shared = one.ci_ids.filter((id) => other.ci_ids.includes(id));
  if (shared.length > 0) return { reason: 'same_ci', ci_ids: shared };
  const reached = [...dependedOn(one, other, dependencies), ...dependedOn(other, one, dependencies)];
  return reached.length > 0 ? { reason: 'dependency', ci_ids: [...new Set(reached)] } : undefined;
}

/** What one change touches that something of the other depends on. */
function dependedOn(one: CalendarEntry, other: CalendarEntry, dependencies: Dependencies): string[] {
  return one.ci_ids.filter((id) => other.ci_ids.some((dependent) => dependencies.get(dependent)?.has(id)));
}
