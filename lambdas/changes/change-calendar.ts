import {
  type CalendarEntry,
  type Collision,
  mostCalendarChanges,
  mostCollisions,
} from '../../contract/change-calendar.ts';
import type { ChangeState } from '../../contract/change-fields.ts';
import type { routes } from '../../contract/routes.ts';
import { type CiGraph, walk } from '../cmdb/ci-graph.ts';
import { findRecords, type ListSource } from '../lists/list-records.ts';
import type { ListQuery } from '../lists/scan.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { StoredRecord } from '../records/record.ts';
import type { ChangeDocument } from './change.ts';

export function getChangeCalendar(
  source: Pick<ListSource, 'replica' | 'read'>,
  graphOfCis: () => Promise<CiGraph>,
): UseCase<typeof routes.getChangeCalendar> {
  return async ({ query: { from, to } }) => {
    const [{ total, records }, graph] = await Promise.all([
      findRecords<ChangeDocument>(source, touching(from, to), mostCalendarChanges),
      graphOfCis(),
    ]);
    const data = records.flatMap(entryOf);
    const { dependencies, truncated } = dependenciesOf(stillAhead(data), graph);
    const collisions = findCollisions(data, dependencies, mostCollisions);
    return {
      status: 200,
      body: {
        data,
        collisions: collisions.first,
        total,
        collisions_total: collisions.total,
        truncated: {
          changes: total > mostCalendarChanges,
          collisions: collisions.total > mostCollisions,
          dependencies: truncated,
        },
      },
    };
  };
}

function touching(from: string, to: string): ListQuery {
  return {
    enums: { state: ['draft', 'submitted', 'approved', 'implementing', 'completed'] },
    strings: {},
    times: { planned_end: { afterMs: Date.parse(from) }, planned_start: { beforeMs: Date.parse(to) } },
    text: undefined,
    sort: 'planned_start',
    order: 'asc',
  };
}

/** A change that lost its plan since it was found is no longer in the calendar. */
function entryOf({ id, document }: StoredRecord<ChangeDocument>): CalendarEntry[] {
  const { short_description, type, risk, state, ci_ids, planned_start, planned_end } = document;
  const { assignment_group, assigned_to } = document;
  if (planned_start === null || planned_end === null) return [];
  const facts = { id, short_description, type, risk, state, ci_ids };
  return [{ ...facts, planned_start, planned_end, assignment_group, assigned_to }];
}

/** Further away, everything depends on everything, and a calendar full of collisions warns nobody. */
const bounds = { depth: 5, most: 200 };

/** For all items of a calendar together: 25,000 of them would take seconds. */
const maxVisits = 100_000;

/** What the items of the changes depend on, directly and through others, and whether a bound left something out. */
export function dependenciesOf(
  entries: readonly CalendarEntry[],
  graph: Pick<CiGraph, 'dependenciesOf'>,
): { dependencies: Dependencies; truncated: boolean } {
  const items = new Set(entries.flatMap(({ ci_ids }) => ci_ids));
  const dependencies = new Map<string, Set<string>>();
  let visitsLeft = maxVisits;
  let isTruncated = false;
  for (const item of items) {
    if (visitsLeft === 0) return { dependencies, truncated: true };
    const most = Math.min(bounds.most, visitsLeft);
    const { visits, truncated } = walk([item], graph.dependenciesOf, { ...bounds, most });
    visitsLeft -= visits.length;
    isTruncated ||= truncated;
    // What no change touches cannot be where two of them meet.
    dependencies.set(item, new Set(visits.map(({ node }) => node).filter((node) => items.has(node))));
  }
  return { dependencies, truncated: isTruncated };
}

// Two changes collide when both are still to be carried out, their windows overlap, and they touch the same item or one
// touches what an item of the other depends on.

/** The items that an item depends on, itself not included. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

const ahead: ReadonlySet<ChangeState> = new Set(['draft', 'submitted', 'approved', 'implementing']);

/** Those that can still collide. */
export function stillAhead(entries: readonly CalendarEntry[]): CalendarEntry[] {
  return entries.filter(({ state }) => ahead.has(state));
}

export interface Collisions {
  /** In the order in which the overlaps begin. */
  first: Collision[];
  total: number;
}

/**
 * Counts all collisions and describes the first `limit` of them. Entries must be in the order of their start. Which
 * changes touch an item is known by the item, so a pair costs two lookups, however many items its changes touch.
 */
export function findCollisions(
  entries: readonly CalendarEntry[],
  dependencies: Dependencies,
  limit: number,
): Collisions {
  const changes = stillAhead(entries);
  const reach = reachOf(changes, dependencies);
  const first: Collision[] = [];
  let total = 0;
  let running: number[] = [];
  for (const [later, entry] of changes.entries()) {
    running = running.filter((earlier) => changes[earlier]!.planned_end > entry.planned_start);
    for (const earlier of running) {
      if (!has(reach[later]!, earlier) && !has(reach[earlier]!, later)) continue;
      total++;
      if (total <= limit) first.push(describe(changes[earlier]!, entry, dependencies));
    }
    running.push(later);
  }
  return { first, total };
}

/** A set of changes by their places, one bit each. */
type Bits = Uint32Array;

/** For each change, the changes that touch one of its items or something that its items depend on. */
function reachOf(changes: readonly CalendarEntry[], dependencies: Dependencies): Bits[] {
  const none = () => new Uint32Array(Math.ceil(changes.length / 32));
  const touching = new Map<string, Bits>();
  for (const [place, { ci_ids }] of changes.entries()) {
    for (const id of ci_ids) {
      if (!touching.has(id)) touching.set(id, none());
      touching.get(id)![place >>> 5]! |= 1 << (place & 31);
    }
  }
  const reached = new Map<string, Bits>();
  for (const [id, own] of touching) {
    const bits = own.slice();
    for (const dependency of dependencies.get(id) ?? []) merge(bits, touching.get(dependency));
    reached.set(id, bits);
  }
  return changes.map(({ ci_ids }) => {
    const bits = none();
    for (const id of ci_ids) merge(bits, reached.get(id));
    return bits;
  });
}

function merge(into: Bits, from: Bits | undefined): void {
  if (from) for (let word = 0; word < into.length; word++) into[word]! |= from[word]!;
}

function has(bits: Bits, place: number): boolean {
  return (bits[place >>> 5]! & (1 << (place & 31))) !== 0;
}

function describe(earlier: CalendarEntry, later: CalendarEntry, dependencies: Dependencies): Collision {
  const ids: [string, string] = [earlier.id, later.id];
  return { change_ids: ids, ...overlap(earlier, later), ...meetingOf(earlier, later, dependencies) };
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
): Pick<Collision, 'reason' | 'ci_ids'> {
  const touched = new Set(other.ci_ids);
  const shared = one.ci_ids.filter((id) => touched.has(id));
  if (shared.length > 0) return { reason: 'same_ci', ci_ids: shared };
  const reached = [...dependedOn(one, other, dependencies), ...dependedOn(other, one, dependencies)];
  return { reason: 'dependency', ci_ids: [...new Set(reached)] };
}

/** What one change touches that something of the other depends on. */
function dependedOn(one: CalendarEntry, other: CalendarEntry, dependencies: Dependencies): string[] {
  return one.ci_ids.filter((id) => other.ci_ids.some((dependent) => dependencies.get(dependent)?.has(id)));
}
