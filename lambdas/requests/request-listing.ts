import { requestStates } from '../../contract/requests.ts';
import type { ListingSpec } from '../lists/listing.ts';

/** What lists of service requests filter, sort and search by. */
export const requestListing: ListingSpec = {
  type: 'request',
  idPrefix: 'REQ',
  times: [],
  enums: { state: requestStates },
  strings: ['item', 'requested_for', 'requested_by'],
  words: ['short_description', 'item', 'description'],
};
