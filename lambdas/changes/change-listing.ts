import { changeRisks, changeStates, changeTypes } from '../../contract/change-fields.ts';
import type { TimeBound } from '../lists/list-resource.ts';
import type { ListingSpec } from '../lists/listing.ts';

/** What lists of changes filter, sort and search by. `ci_words` are the ids of the items that a change touches. */
export const changeListing: ListingSpec = {
  type: 'change',
  idPrefix: 'CHG',
  times: ['planned_start', 'planned_end'],
  enums: { risk: changeRisks, state: changeStates, type: changeTypes },
  strings: ['assignment_group', 'assigned_to', 'requested_by'],
  words: ['short_description', 'ci_words', 'description'],
};

/** A window touches a time that it neither ends before nor begins after. */
export const plannedBounds: Readonly<Record<string, TimeBound>> = {
  planned_after: { after: 'planned_end' },
  planned_before: { before: 'planned_start' },
};
