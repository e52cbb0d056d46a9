import type { EscalationPolicy } from '../../../contract/escalation-policies.ts';
import { idFormats } from '../../../contract/ids.ts';
import { encodeListing, type ListingSpec } from '../../lists/listing.ts';
import { diffFields } from '../../records/change-record.ts';
import { type FromRecord, type Resource, toDocumentResponse } from '../../records/record.ts';

export const policyListing: ListingSpec = {
  type: 'escalation_policy',
  idPrefix: idFormats.escalationPolicy.prefix,
  times: [],
  enums: {},
  strings: [],
  words: ['name', 'description'],
};

export type PolicyDocument = Omit<EscalationPolicy, FromRecord>;

export const policyResource: Resource<PolicyDocument, EscalationPolicy> = {
  name: policyListing.type,
  collection: 'escalation-policies',
  toResponse: toDocumentResponse,
  listing: (record) => encodeListing(policyListing, { ...record.document, ...record }),
  indexKeys: () => ({}),
  changes: diffFields,
};
