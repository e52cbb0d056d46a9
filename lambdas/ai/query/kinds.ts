import { type KindName, type SearchedKind, searchedKinds } from '../../../contract/searched-kinds.ts';
import { changeColumns, changeListing, plannedBounds } from '../../changes/change-listing.ts';
import { ciListing } from '../../cmdb/ci.ts';
import { refineCiQuery } from '../../cmdb/ci-graph.ts';
import { incidentListing } from '../../incidents/incident-listing.ts';
import { incidentBounds, incidentColumns, refineIncidentQuery } from '../../incidents/incident-query.ts';
import { articleListing } from '../../knowledge/article.ts';
import type { ResponseColumns } from '../../lists/list-engine.ts';
import { type ListSource, type RefineQuery, recordBounds, type TimeBound } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import { problemBounds, problemListing, refineProblemQuery } from '../../problems/problem.ts';
import { requestColumns, requestListing } from '../../requests/request-listing.ts';

// The kinds of records that the copilot finds and measures, with the filters of their lists.

export interface Kind extends SearchedKind {
  spec: ListingSpec;
  source: ListSource;
  /** incidents, changes, … */
  plural: string;
  /** The path of the list. */
  path: string;
  /** The path of its statistics; a kind without one is only counted. */
  statistics?: string;
  columns: ResponseColumns;
  /** The fields in the result of a search. */
  shown: readonly string[];
  /** The parameter of the list for the configuration item. */
  ciParameter?: string;
  bounds: Readonly<Record<string, TimeBound>>;
  /** Applies query parameters that are not columns. */
  refine?: RefineQuery;
  /** The ids of records that mean the same in other words. */
  findSimilar?(text: string): Promise<readonly string[]>;
}

export function createKinds(
  list: (spec: ListingSpec) => ListSource,
  findSimilar: NonNullable<Kind['findSimilar']>,
): Record<KindName, Kind> {
  const create = (name: KindName, path: string, spec: ListingSpec, shown: string, more: Partial<Kind> = {}): Kind => ({
    ...searchedKinds[name],
    spec,
    source: list(spec),
    plural: name.replaceAll('_', ' '),
    path,
    columns: {},
    shown: shown.split(' '),
    bounds: recordBounds,
    ...more,
  });
  return {
    incidents: create(
      'incidents',
      '/incidents',
      incidentListing,
      'short_description state priority assignment_group assigned_to category opened_by ci_id sla_breach_at resolved_at',
      {
        statistics: '/incidents/statistics',
        columns: incidentColumns,
        ciParameter: 'ci_id',
        bounds: { ...recordBounds, ...incidentBounds },
        refine: refineIncidentQuery,
        findSimilar,
      },
    ),
    changes: create(
      'changes',
      '/changes',
      changeListing,
      'short_description state risk type planned_start planned_end assignment_group assigned_to requested_by decision_by decision_note',
      {
        statistics: '/changes/statistics',
        columns: changeColumns,
        ciParameter: 'ci_ids',
        bounds: { ...recordBounds, ...plannedBounds },
      },
    ),
    requests: create(
      'requests',
      '/requests',
      requestListing,
      'short_description state item requested_for requested_by decision_by decision_note',
      { statistics: '/requests/statistics', columns: requestColumns },
    ),
    problems: create(
      'problems',
      '/problems',
      problemListing,
      'short_description state priority known_error workaround root_cause assignment_group assigned_to ci_id',
      { ciParameter: 'ci_id', bounds: { ...recordBounds, ...problemBounds }, refine: refineProblemQuery },
    ),
    configuration_items: create(
      'configuration_items',
      '/cmdb/cis',
      ciListing,
      'name class status environment owner location',
      { refine: refineCiQuery },
    ),
    articles: create('articles', '/knowledge/articles', articleListing, 'title state category created_by updated_at'),
  };
}
