import { createChangeRules } from './changes/change.ts';
import { ciType } from './cmdb/ci.ts';
import { createIncidentRules } from './incidents/incident.ts';
import { articleType } from './knowledge/article.ts';
import { policyResource } from './oncall/policies/policy.ts';
import { scheduleResource } from './oncall/schedules/schedule.ts';
import { problemResource } from './problems/problem.ts';
import { proposalResource } from './proposals/proposal.ts';
import type { RecordType } from './records/record.ts';
import { createRequestRules } from './requests/request.ts';
import { calendarType, policyType } from './service-levels/service-level-types.ts';
import type { Levels } from './sla/level-store.ts';

// All resources, for work that concerns every one of them.

export function listResources(levels: Levels): readonly RecordType<never>[] {
  return [
    createIncidentRules(levels).resource,
    createChangeRules(levels).resource,
    createRequestRules(levels).resource,
    problemResource,
    articleType,
    ciType,
    proposalResource,
    scheduleResource,
    policyResource,
    calendarType,
    policyType,
  ];
}
