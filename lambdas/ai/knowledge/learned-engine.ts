import { type Query, type Ranking, rankArticles } from './article-ranking.ts';
import {
  createFilter,
  type FoundIncident,
  type IncidentFilter,
  type IncidentSearch,
  searchIncidents,
} from './incident-search.ts';
import { getFacts } from './learned-index.ts';
import type { LiveIndex } from './live-index.ts';

// What the AI operations need from a search of everything learned. Two engines return the same for the same records
// (docs/decisions/0114-list-engines.md).

export interface LearnedEngine {
  /** Ranks published articles by their passages. */
  rankArticles(query: Query): Promise<Ranking>;
  searchIncidents(search: FilteredSearch): Promise<FoundIncident[]>;
  hasArticles(): Promise<boolean>;
  /** False if a search finds nothing in any case, so that the text need not be embedded. */
  mayHaveIncidents(filter: IncidentFilter): Promise<boolean>;
}

export interface FilteredSearch extends Omit<IncidentSearch, 'accepts'> {
  filter: IncidentFilter;
}

/** Searches in the memory of the function. */
export function createMemoryEngine(index: LiveIndex): LearnedEngine {
  let none: { filter: string; changes: number } | undefined;
  return {
    rankArticles: async (query) => rankArticles((await index()).articles, query),
    async searchIncidents({ filter, ...search }) {
      return searchIncidents((await index()).incidents, { ...search, accepts: createFilter(filter) });
    },
    hasArticles: async () => (await index()).articles.size > 0,
    async mayHaveIncidents(filter) {
      const { incidents, changes } = await index();
      const key = JSON.stringify(filter);
      // Skip the check of all incidents for every new incident of an import.
      if (none?.filter === key && none.changes === changes) return false;
      const accepts = createFilter(filter);
      if (incidents.rows.some(({ record }) => accepts(getFacts(record), record.id))) return true;
      none = { filter: key, changes };
      return false;
    },
  };
}
