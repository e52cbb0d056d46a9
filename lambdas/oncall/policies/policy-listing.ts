import { idFormats } from '../../../contract/ids.ts';
import type { ListingSpec } from '../../lists/listing.ts';

export const policyListing: ListingSpec = {
  type: 'escalation_policy',
  idPrefix: idFormats.escalationPolicy.prefix,
  times: [],
  enums: {},
  strings: [],
  words: ['name', 'description'],
};
