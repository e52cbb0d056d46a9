import type { CalendarEntry } from '../../contract/change-calendar.ts';
import type { CiGraph } from '../cmdb/ci-graph.ts';
import { walk } from '../cmdb/walk.ts';
import type { Dependencies } from './collisions.ts';

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
