import { idFormats } from '../../contract/ids.ts';
import { proposableOperations, proposalStates } from '../../contract/states.ts';
import type { ListingSpec } from '../lists/listing.ts';

export const proposalListing: ListingSpec = {
  type: 'proposal',
  idPrefix: idFormats.proposal.prefix,
  times: [],
  enums: { state: proposalStates, operation: proposableOperations },
  strings: ['record_id', 'requested_by'],
  words: ['evidence'],
};
