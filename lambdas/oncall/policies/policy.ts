import type { EscalationPolicy } from '../../../contract/escalation-policies.ts';
import { createDocumentType } from '../../lists/document-type.ts';
import type { FromRecord } from '../../records/record.ts';
import { policyListing } from './policy-listing.ts';

export type PolicyDocument = Omit<EscalationPolicy, FromRecord>;

export const policyResource = createDocumentType<PolicyDocument, EscalationPolicy>(
  policyListing,
  'escalation-policies',
);
