import { changeListing, changeResource } from './changes/change.ts';
import { ciListing, ciType } from './cmdb/ci.ts';
import { createIncidentRules, incidentListing } from './incidents/incident.ts';
import type { SlaPolicy } from './incidents/sla/sla.ts';
import { articleListing, articleType } from './knowledge/article.ts';
import type { ListingSpec } from './lists/listing.ts';
import { policyResource } from './oncall/policies/policy.ts';
import { policyListing } from './oncall/policies/policy-listing.ts';
import { scheduleResource } from './oncall/schedules/schedule.ts';
import { scheduleListing } from './oncall/schedules/schedule-listing.ts';
import { proposalListing, proposalResource } from './proposals/proposal.ts';
import type { RecordType } from './records/record.ts';
import { requestListing, requestResource } from './requests/request.ts';

// All resources with a list, for work that concerns every one of them.

/** The lists that a replica serves. */
export const listings: readonly ListingSpec[] = [
  incidentListing,
  changeListing,
  requestListing,
  articleListing,
  ciListing,
  proposalListing,
  scheduleListing,
  policyListing,
];

export function listResources(policy: SlaPolicy): readonly RecordType<never>[] {
  const { resource: incidentResource } = createIncidentRules(policy);
  return [
    incidentResource,
    changeResource,
    requestResource,
    articleType,
    ciType,
    proposalResource,
    scheduleResource,
    policyResource,
  ];
}
