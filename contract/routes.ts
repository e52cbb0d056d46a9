import { acknowledgeLinkOperations } from './acknowledge-links.ts';
import { aiOperations } from './ai.ts';
import { auditOperations } from './audit.ts';
import { changeOperations } from './changes.ts';
import { ciOperations } from './cis.ts';
import { contactMethodOperations, notificationRuleOperations } from './contact-methods.ts';
import { deliveryOperations } from './deliveries.ts';
import { deliveryStatisticsOperations } from './delivery-statistics.ts';
import { directoryOperations } from './directory.ts';
import { escalationPolicyOperations } from './escalation-policies.ts';
import { eventOperations } from './events.ts';
import { healthOperations } from './health.ts';
import { apiKeyOperations, identityOperations } from './identity.ts';
import { inboundEventOperations } from './inbound-events.ts';
import { inboundRejectionOperations } from './inbound-rejections.ts';
import { inboundWebhookOperations } from './inbound-webhooks.ts';
import { incidentStatisticsOperations } from './incident-statistics.ts';
import { incidentOperations } from './incidents.ts';
import { jobOperations } from './jobs.ts';
import { knowledgeOperations } from './knowledge.ts';
import { mcpOperations } from './mcp.ts';
import { notificationOperations } from './notifications.ts';
import type { Operation } from './operation.ts';
import { outboundWebhookOperations } from './outbound-webhooks.ts';
import { pageOperations } from './pages.ts';
import { pagingLoadOperations } from './paging-load.ts';
import { preferenceOperations } from './preferences.ts';
import { proposalOperations } from './proposals.ts';
import { requestOperations } from './requests.ts';
import { scheduleOperations } from './schedules.ts';
import { suspectChangeOperations } from './suspect-changes.ts';
import { workNoteOperations } from './work-notes.ts';

/** Each capability is a folder in lambdas/, a tag in the API reference and a log group. */
export const capabilities = {
  health: 'Health check and API document.',
  identity: 'Callers, roles, API keys and the audit log.',
  incidents: 'Incidents with work notes, history and SLAs.',
  knowledge: 'Knowledge base articles.',
  cmdb: 'Configuration items and their dependencies.',
  changes: 'Change requests with approval and calendar.',
  requests: 'Service requests with approval.',
  proposals: 'Changes that somebody proposes and somebody else approves.',
  jobs: 'Bulk operations.',
  events: 'Event feed, in order and without gaps.',
  webhooks: 'Outbound and inbound webhooks.',
  ai: 'Answers, analyses, similar incidents and suggestions.',
  notifications: 'Notifications for users.',
  oncall: 'On-call schedules, escalation policies, contact methods and pages.',
  mcp: 'Tools for agents (Model Context Protocol).',
} as const;

export type Capability = keyof typeof capabilities;

/** All API operations by name. */
export const routes = {
  ...healthOperations,
  ...identityOperations,
  ...preferenceOperations,
  ...directoryOperations,
  ...apiKeyOperations,
  ...auditOperations,
  ...incidentOperations,
  ...incidentStatisticsOperations,
  ...workNoteOperations,
  ...ciOperations,
  ...changeOperations,
  ...requestOperations,
  ...proposalOperations,
  ...jobOperations,
  ...inboundWebhookOperations,
  ...inboundEventOperations,
  ...inboundRejectionOperations,
  ...outboundWebhookOperations,
  ...deliveryOperations,
  ...deliveryStatisticsOperations,
  ...eventOperations,
  ...notificationOperations,
  ...contactMethodOperations,
  ...notificationRuleOperations,
  ...pageOperations,
  ...suspectChangeOperations,
  ...pagingLoadOperations,
  ...acknowledgeLinkOperations,
  ...aiOperations,
  ...knowledgeOperations,
  ...mcpOperations,
  ...scheduleOperations,
  ...escalationPolicyOperations,
} as const satisfies Record<string, Operation & { capability: Capability }>;

export type OperationName = keyof typeof routes;

export const operations: readonly Operation[] = Object.values(routes);
