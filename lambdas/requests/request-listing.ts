import { idFormats } from '../../contract/ids.ts';
import { requestStates } from '../../contract/states.ts';
import type { ListingSpec } from '../lists/listing.ts';

export const requestListing: ListingSpec = {
  type: 'request',
  idPrefix: idFormats.request.prefix,
  // The last update of a fulfilled request.
  times: ['finished_at', 'sla_breach_at', 'sla_warning_at', 'sla_met_at'],
  added: [{ times: 1 }, { times: 2 }, { times: 1 }],
  nullsLast: ['sla_breach_at'],
  enums: { state: requestStates },
  strings: ['item', 'requested_for', 'requested_by'],
  words: ['short_description', 'item', 'description'],
};

export const requestColumns = { resolved: 'finished_at', breached: 'sla_breach_at', met: 'sla_met_at' };
