import { changeResource } from './changes/change.ts';
import { ciType } from './cmdb/ci.ts';
import { createIncidentRules } from './incidents/incident.ts';
import type { SlaPolicy } from './incidents/sla/sla.ts';
import { articleType } from './knowledge/article.ts';
import { policyResource } from './oncall/policies/policy.ts';
import { scheduleResource } from './oncall/schedules/schedule.ts';
import { proposalResource } from './proposals/proposal.ts';
import type { RecordType } from './records/record.ts';
import { requestResource } from './requests/request.ts';

// All resources, for work that concerns every one of them.

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
