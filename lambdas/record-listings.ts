import { changeListing } from './changes/change-listing.ts';
import { ciListing } from './cmdb/ci.ts';
import { incidentListing } from './incidents/incident-listing.ts';
import { articleListing } from './knowledge/article.ts';
import type { ListingSpec } from './lists/listing.ts';
import { policyListing } from './oncall/policies/policy-listing.ts';
import { scheduleListing } from './oncall/schedules/schedule-listing.ts';
import { problemListing } from './problems/problem.ts';
import { proposalListing } from './proposals/proposal-listing.ts';
import { requestListing } from './requests/request-listing.ts';
import { calendarListing, slaPolicyListing } from './service-levels/service-level-types.ts';

/** The lists that a replica serves, separate from the rules of their records, because snapshots need only these. */
export const listings: readonly ListingSpec[] = [
  incidentListing,
  changeListing,
  requestListing,
  problemListing,
  articleListing,
  ciListing,
  proposalListing,
  scheduleListing,
  policyListing,
  calendarListing,
  slaPolicyListing,
];
