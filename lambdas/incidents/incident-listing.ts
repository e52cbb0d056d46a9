import { idFormats } from '../../contract/ids.ts';
import { incidentStates, priorities } from '../../contract/states.ts';
import type { ListingSpec } from '../lists/listing.ts';

export const incidentListing: ListingSpec = {
  type: 'incident',
  idPrefix: idFormats.incident.prefix,
  times: ['resolved_at', 'sla_breach_at', 'sla_warning_at', 'acknowledged_at'],
  added: [{ times: 3 }, { times: 1 }, { strings: 3 }, { strings: 1 }, { strings: 1 }],
  nullsLast: ['sla_breach_at'],
  within: { priority: 'sla_breach_at' },
  enums: {
    priority: priorities,
    state: incidentStates,
  },
  // `was_reopened` is `yes` after the first reopening.
  strings: [
    'assignment_group',
    'assigned_to',
    'category',
    'opened_by',
    'ci_id',
    'was_reopened',
    'external_id',
    'parent_problem_id',
  ],
  words: ['short_description', 'category', 'external_id', 'description'],
  references: ['ci_id', 'opened_by', 'parent_problem_id'],
};
