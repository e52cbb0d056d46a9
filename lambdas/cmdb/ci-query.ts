import type { RefineQuery } from '../lists/list-records.ts';
import { getCiGraph } from './ci-graph.ts';

// The filters of configuration items that are not columns: direct relations, in both directions.

interface CiFilters {
  depends_on?: readonly string[];
  needed_by?: readonly string[];
}

export const refineCiQuery: RefineQuery = async (query, given, { replica }) => {
  const { depends_on, needed_by } = given as CiFilters;
  if (depends_on === undefined && needed_by === undefined) return query;
  const graph = getCiGraph(await replica.refresh());
  const follow = (name: string, from: readonly string[] | undefined, steps: typeof graph.getDependents) =>
    from === undefined
      ? []
      : [{ name: `${name} ${from.toSorted()}`, ids: from.flatMap((id) => steps(id).map(({ node }) => node)) }];
  const related = [
    ...follow('depends_on', depends_on, graph.getDependents),
    ...follow('needed_by', needed_by, graph.getDependencies),
  ];
  return { ...query, related };
};
