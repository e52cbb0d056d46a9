import { idFormats } from '../../contract/ids.ts';
import { changeRisks, changeStates, changeTypes } from '../../contract/states.ts';
import type { TimeBound } from '../lists/list-records.ts';
import type { ListingSpec } from '../lists/listing.ts';

/**
 * `ci_words` contains the ids of the changed items, so that a search finds changes by item. `finished_at` is the last update
 * of a completed change.
 */
export const changeListing: ListingSpec = {
  type: 'change',
  idPrefix: idFormats.change.prefix,
  times: ['planned_start', 'planned_end', 'finished_at', 'sla_breach_at', 'sla_warning_at', 'sla_met_at'],
  added: [{ times: 1 }, { times: 2 }, { times: 1 }],
  nullsLast: ['sla_breach_at'],
  enums: { risk: changeRisks, state: changeStates, type: changeTypes },
  strings: ['assignment_group', 'assigned_to', 'requested_by'],
  words: ['short_description', 'ci_words', 'description'],
  references: ['ci_ids'],
};

/** A window overlaps a period unless it ends before the period or starts after it. */
export const plannedBounds: Readonly<Record<string, TimeBound>> = {
  planned_after: { after: 'planned_end' },
  planned_before: { before: 'planned_start' },
};

export const changeColumns = { resolved: 'finished_at', breached: 'sla_breach_at', met: 'sla_met_at' };
