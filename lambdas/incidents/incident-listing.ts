import type { ListingSpec } from '../lists/listing.ts';

/** What lists of incidents filter, sort and search by. */
export const incidentListing: ListingSpec = {
  type: 'incident',
  idPrefix: 'INC',
  times: [],
  enums: {
    priority: ['P1', 'P2', 'P3', 'P4'],
    state: ['new', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled', 'reopened'],
  },
  strings: ['assignment_group', 'assigned_to', 'category'],
  words: ['short_description', 'category', 'description'],
};
