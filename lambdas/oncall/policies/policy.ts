import type { EscalationPolicy } from '../../../contract/escalation-policies.ts';
import { encodeListing } from '../../lists/listing.ts';
import { diffFields } from '../../records/change-record.ts';
import { type FromRecord, type Resource, toDocumentResponse } from '../../records/record.ts';
import { policyListing } from './policy-listing.ts';

export type PolicyDocument = Omit<EscalationPolicy, FromRecord>;

export const policyResource: Resource<PolicyDocument, EscalationPolicy> = {
  name: policyListing.type,
  collection: 'escalation-policies',
  toResponse: toDocumentResponse,
  listing: (record) => encodeListing(policyListing, { ...record.document, ...record }),
  indexKeys: () => ({}),
  changes: diffFields,
};
