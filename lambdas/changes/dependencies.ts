import type { CalendarEntry } from '../../contract/change-calendar.ts';
import type { CiGraph } from '../cmdb/ci-graph.ts';
import { walk } from '../cmdb/walk.ts';
import type { Dependencies } from './collisions.ts';

/** Further away, everything depends on everything, and a calendar full of collisions warns nobody. */
const bounds = { depth: 5, most: 200 };

/** What the items of the changes depend on, directly and through others. */
export function dependenciesOf(
  entries: readonly CalendarEntry[],
  graph: Pick<CiGraph, 'dependenciesOf'>,
): Dependencies {
  const items = new Set(entries.flatMap(({ ci_ids }) => ci_ids));
  return new Map(
    [...items].map((item) => {
      const { visits } = walk([item], graph.dependenciesOf, bounds);
      return [item, new Set(visits.map(({ node }) => node))] as const;
    }),
  );
}
