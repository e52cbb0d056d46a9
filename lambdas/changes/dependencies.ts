import type { CalendarEntry } from '../../contract/change-calendar.ts';
import type { CiGraph } from '../cmdb/ci-graph.ts';
import { walk } from '../cmdb/walk.ts';
import type { Dependencies } from './collisions.ts';

/** Further away, everything depends on everything, and a calendar full of collisions warns nobody. */
const bounds = { depth: 5, most: 200 };

/** What the items of the changes depend on, directly and through others, and whether a bound left something out. */
export function dependenciesOf(
  entries: readonly CalendarEntry[],
  graph: Pick<CiGraph, 'dependenciesOf'>,
): { dependencies: Dependencies; truncated: boolean } {
  const items = new Set(entries.flatMap(({ ci_ids }) => ci_ids));
  const walks = [...items].map((item) => ({ item, ...walk([item], graph.dependenciesOf, bounds) }));
  return {
    dependencies: new Map(walks.map(({ item, visits }) => [item, new Set(visits.map(({ node }) => node))])),
    truncated: walks.some(({ truncated }) => truncated),
  };
}
