import {
  type CalendarEntry,
  type Collision,
  maxCalendarChanges,
  maxCollisions,
} from '../../contract/change-calendar.ts';
import type { CollidingChange } from '../../contract/change-collisions.ts';
import type { routes } from '../../contract/routes.ts';
import type { ChangeState } from '../../contract/states.ts';
import { type ReadCiGraph, walkGraph } from '../cmdb/ci-graph.ts';
import type { ListQuery } from '../lists/list-engine.ts';
import { findRecords, type ListSource } from '../lists/list-records.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import type { StoredRecord } from '../records/record.ts';
import type { ChangeDocument } from './change.ts';

export function getChangeCalendar(
  source: Pick<ListSource, 'engine' | 'read'>,
  readGraph: ReadCiGraph,
): UseCase<typeof routes.getChangeCalendar> {
  return async ({ query: { from, to } }) => {
    const query = buildCalendarQuery(from, to);
    const { total, records } = await findRecords<ChangeDocument>(source, query, maxCalendarChanges);
    const data = records.flatMap(toCalendarEntries);
    const { dependencies, truncated } = await findDependencies(selectOpenChanges(data), readGraph);
    const collisions = findCollisions(data, dependencies, maxCollisions);
    return {
      status: 200,
      body: {
        data,
        collisions: collisions.first,
        total,
        collisions_total: collisions.total,
        truncated: {
          changes: total > maxCalendarChanges,
          collisions: collisions.total > maxCollisions,
          dependencies: truncated,
        },
      },
    };
  };
}

/** Compares one window with all pending changes that overlap it. */
export function getChangeCollisions(
  source: Pick<ListSource, 'engine' | 'read'>,
  readGraph: ReadCiGraph,
): UseCase<typeof routes.getChangeCollisions> {
  return async ({ query: { from, to, ci_ids, change_id } }) => {
    const query = buildCalendarQuery(from, to);
    const { total, records } = await findRecords<ChangeDocument>(source, query, maxCalendarChanges);
    const others = selectOpenChanges(records.flatMap(toCalendarEntries)).filter(({ id }) => id !== change_id);
    const { dependencies, truncated } = await findDependencies([{ ci_ids }, ...others], readGraph);
    const data = others.flatMap((change): CollidingChange[] => {
      const cause = findReason({ ci_ids }, change, dependencies);
      if (cause.ci_ids.length === 0) return [];
      const overlap = {
        from: toIso(Math.max(Date.parse(from), Date.parse(change.planned_start))),
        to: toIso(Math.min(Date.parse(to), Date.parse(change.planned_end))),
      };
      return [{ change, ...overlap, ...cause }];
    });
    return {
      status: 200,
      body: { data, truncated: { changes: total > maxCalendarChanges, dependencies: truncated } },
    };
  };
}

function buildCalendarQuery(from: string, to: string): ListQuery {
  return {
    enums: { state: ['draft', 'submitted', 'approved', 'implementing', 'completed'] },
    strings: {},
    times: { planned_end: { afterMs: Date.parse(from) }, planned_start: { beforeMs: Date.parse(to) } },
    text: undefined,
    sort: 'planned_start',
    order: 'asc',
  };
}

/** Skips a change whose plan was removed after the search found it. */
export function toCalendarEntries({ id, document }: StoredRecord<ChangeDocument>): CalendarEntry[] {
  const { short_description, type, risk, state, ci_ids, planned_start, planned_end } = document;
  const { assignment_group, assigned_to } = document;
  if (planned_start === null || planned_end === null) return [];
  const facts = { id, short_description, type, risk, state, ci_ids };
  return [{ ...facts, planned_start, planned_end, assignment_group, assigned_to }];
}

/** On longer paths almost all items depend on each other, so the warnings would be useless. */
const bounds = { depth: 5, maxNodes: 200 };

type WithItems = Pick<CalendarEntry, 'ci_ids'>;

/** Limits the search for the whole calendar: starting from 25,000 items would take seconds. */
const maxVisits = 100_000;

/**
 * Finds the direct and indirect dependencies of the changes' items. `truncated` is true if a limit ended the search.
 */
export async function findDependencies(
  entries: readonly WithItems[],
  readGraph: ReadCiGraph,
): Promise<{ dependencies: Dependencies; truncated: boolean }> {
  const items = new Set(entries.flatMap(({ ci_ids }) => ci_ids));
  const graph = await readGraph([...items], 'dependencies', bounds.depth);
  const stepsFrom = (id: string) => graph.getSteps('dependencies', id);
  const dependencies = new Map<string, Set<string>>();
  let visitsLeft = maxVisits;
  let isTruncated = false;
  for (const item of items) {
    if (visitsLeft === 0) return { dependencies, truncated: true };
    const maxNodes = Math.min(bounds.maxNodes, visitsLeft);
    const { visits, truncated } = walkGraph([item], stepsFrom, { ...bounds, maxNodes });
    visitsLeft -= visits.length;
    isTruncated ||= truncated;
    // Only items that a change touches can cause a collision.
    dependencies.set(item, new Set(visits.map(({ node }) => node).filter((node) => items.has(node))));
  }
  return { dependencies, truncated: isTruncated };
}

// Two open changes collide when their windows overlap and they touch the same item, or one touches an item that the
// other one depends on.

/** Maps an item to the items that it depends on, without itself. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

const openChangeStates: ReadonlySet<ChangeState> = new Set(['draft', 'submitted', 'approved', 'implementing']);

/** Only changes in these states can still collide. */
export function selectOpenChanges(entries: readonly CalendarEntry[]): CalendarEntry[] {
  return entries.filter(({ state }) => openChangeStates.has(state));
}

export interface Collisions {
  /** Ordered by the start of the overlap. */
  first: Collision[];
  total: number;
}

/**
 * Counts all collisions and describes the first `limit`. Entries must be sorted by start. With bit sets, checking a pair
 * takes two lookups, regardless of the number of items.
 */
export function findCollisions(
  entries: readonly CalendarEntry[],
  dependencies: Dependencies,
  limit: number,
): Collisions {
  const changes = selectOpenChanges(entries);
  const reach = computeReach(changes, dependencies);
  const first: Collision[] = [];
  let total = 0;
  let running: number[] = [];
  for (const [later, entry] of changes.entries()) {
    running = running.filter((earlier) => requireValue(changes[earlier]).planned_end > entry.planned_start);
    for (const earlier of running) {
      if (!hasBit(requireValue(reach[later]), earlier) && !hasBit(requireValue(reach[earlier]), later)) continue;
      total++;
      if (total <= limit) first.push(describeCollision(requireValue(changes[earlier]), entry, dependencies));
    }
    running.push(later);
  }
  return { first, total };
}

/** A set of changes, one bit per index. */
type Bits = Uint32Array;

/** For each change, the changes that touch one of its items or a dependency of its items. */
function computeReach(changes: readonly CalendarEntry[], dependencies: Dependencies): Bits[] {
  const none = () => new Uint32Array(Math.ceil(changes.length / 32));
  const touching = new Map<string, Bits>();
  for (const [index, { ci_ids }] of changes.entries()) {
    for (const id of ci_ids) {
      const bits = touching.get(id) ?? none();
      touching.set(id, bits);
      bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
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
  if (from) for (let word = 0; word < into.length; word++) into[word] = (into[word] ?? 0) | (from[word] ?? 0);
}

function hasBit(bits: Bits, index: number): boolean {
  return ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}

function describeCollision(earlier: CalendarEntry, later: CalendarEntry, dependencies: Dependencies): Collision {
  const ids: [string, string] = [earlier.id, later.id];
  return { change_ids: ids, ...findOverlap(earlier, later), ...findReason(earlier, later, dependencies) };
}

/** The later change starts while the earlier one runs, so its start is the start of the overlap. */
function findOverlap(earlier: CalendarEntry, later: CalendarEntry): Pick<Collision, 'from' | 'to'> {
  const to = earlier.planned_end < later.planned_end ? earlier.planned_end : later.planned_end;
  return { from: later.planned_start, to };
}

/** Without an item in common, `ci_ids` is empty. */
export function findReason(
  one: WithItems,
  other: WithItems,
  dependencies: Dependencies,
): Pick<Collision, 'reason' | 'ci_ids'> {
  const touched = new Set(other.ci_ids);
  const shared = one.ci_ids.filter((id) => touched.has(id));
  if (shared.length > 0) return { reason: 'same_ci', ci_ids: shared };
  const reached = [...findDependedOn(one, other, dependencies), ...findDependedOn(other, one, dependencies)];
  return { reason: 'dependency', ci_ids: [...new Set(reached)] };
}

/** Returns the items of one change that an item of the other change depends on. */
function findDependedOn(one: WithItems, other: WithItems, dependencies: Dependencies): string[] {
  return one.ci_ids.filter((id) => other.ci_ids.some((dependent) => dependencies.get(dependent)?.has(id)));
}
