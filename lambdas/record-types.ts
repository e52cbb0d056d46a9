import { changeListing, changeResource } from './changes/change.ts';
import { ciListing, ciType } from './cmdb/ci.ts';
import { createIncidentRules, incidentListing } from './incidents/incident.ts';
import type { SlaPolicy } from './incidents/sla/sla.ts';
import { articleListing, articleType } from './knowledge/article.ts';
import type { ListingSpec } from './lists/listing.ts';
import type { RecordType } from './records/record.ts';
import { requestListing, requestResource } from './requests/request.ts';
import { inboundWebhookType } from './webhooks/inbound/webhook.ts';
import { outboundWebhookType } from './webhooks/outbound/webhook.ts';

// All record types, for work that concerns every one of them.

/** The lists that a replica serves. */
export const listings: readonly ListingSpec[] = [
  incidentListing,
  changeListing,
  requestListing,
  articleListing,
  ciListing,
];

export function listRecordTypes(policy: SlaPolicy): readonly RecordType<unknown>[] {
  const { resource: incidentResource } = createIncidentRules(policy);
  const resources = [incidentResource, changeResource, requestResource, articleType, ciType];
  return [...resources, inboundWebhookType, outboundWebhookType] as unknown as RecordType<unknown>[];
}
