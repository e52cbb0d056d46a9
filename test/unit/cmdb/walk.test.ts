import * as fc from 'fast-check';
import { walkGraph } from '../../../lambdas/cmdb/ci-graph.ts';

type Edges = Readonly<Record<number, readonly number[]>>;

const bounds = { depth: 10, maxNodes: 1_000 };

const stepsIn = (edges: Edges) => (node: number) => (edges[node] ?? []).map((to) => ({ node: to, label: `${node}` }));

const walked = (edges: Edges, starts: readonly number[], given = bounds) => walkGraph(starts, stepsIn(edges), given);

describe('walk', () => {
  it('goes from near to far and says by which way', () => {
    const { visits, truncated } = walked({ 1: [2, 3], 2: [4], 3: [4] }, [1]);
    expect(visits.map(({ node, distance, from }) => [node, distance, from])).toEqual([
      [2, 1, 1],
      [3, 1, 1],
      [4, 2, 2],
    ]);
    expect(truncated).toBe(false);
  });

  it('visits what is in a circle once, and never the start', () => {
    expect(walked({ 1: [2], 2: [3], 3: [1, 2, 3] }, [1]).visits.map(({ node }) => node)).toEqual([2, 3]);
  });

  it('says when the depth or the number cut it short, and only then', () => {
    const chain = { 1: [2], 2: [3], 3: [1] };
    expect(walked(chain, [1], { depth: 1, maxNodes: 10 })).toMatchObject({ truncated: true, visits: [{ node: 2 }] });
    expect(walked(chain, [1], { depth: 2, maxNodes: 10 })).toMatchObject({ truncated: false });
    expect(walked(chain, [1], { depth: 9, maxNodes: 1 })).toMatchObject({ truncated: true, visits: [{ node: 2 }] });
    expect(walked(chain, [1], { depth: 9, maxNodes: 2 })).toMatchObject({ truncated: false });
  });

  it('finds exactly what can be reached, each by a shortest way', () => {
    const arbitraryEdges = fc.array(fc.tuple(fc.nat(15), fc.nat(15)), { maxLength: 60 });
    fc.assert(
      fc.property(arbitraryEdges, fc.uniqueArray(fc.nat(15), { minLength: 1, maxLength: 3 }), (pairs, starts) => {
        const edges: Record<number, number[]> = {};
        for (const [from, to] of pairs) edges[from] = [...(edges[from] ?? []), to];
        const distances = shortest(edges, starts);
        const { visits } = walked(edges, starts, { depth: 100, maxNodes: 100 });
        const found = new Map(visits.map(({ node, distance }) => [node, distance]));
        expect(visits).toHaveLength(found.size);
        expect([...found].sort()).toEqual([...distances].filter(([, distance]) => distance > 0).sort());
      }),
    );
  });
});

/** By relaxing every edge until nothing changes. */
function shortest(edges: Edges, starts: readonly number[]): Map<number, number> {
  const distances = new Map(starts.map((start) => [start, 0]));
  for (let round = 0; round < 20; round++) {
    for (const [from, tos] of Object.entries(edges)) {
      const here = distances.get(Number(from));
      if (here === undefined) continue;
      for (const to of tos) distances.set(to, Math.min(distances.get(to) ?? 1_000, here + 1));
    }
  }
  return distances;
}
