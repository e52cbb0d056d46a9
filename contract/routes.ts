import { acknowledgeLinkOperations } from './acknowledge-links.ts';
import { aiOperations } from './ai.ts';
import { attachmentOperations } from './attachments.ts';
import { auditOperations } from './audit.ts';
import { slaCalendarOperations } from './calendars.ts';
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
import { incidentOperations } from './incidents.ts';
import { jobOperations } from './jobs.ts';
import { knowledgeOperations } from './knowledge.ts';
import { linkOperations } from './links.ts';
import { mcpOperations } from './mcp.ts';
import { notificationOperations } from './notifications.ts';
import type { Operation } from './operation.ts';
import { outboundWebhookOperations } from './outbound-webhooks.ts';
import { pageOperations } from './pages.ts';
import { pagingLoadOperations } from './paging-load.ts';
import { preferenceOperations } from './preferences.ts';
import { problemOperations } from './problems.ts';
import { proposalOperations } from './proposals.ts';
import { requestOperations } from './requests.ts';
import { calendarOperations } from './schedule-calendar.ts';
import { overrideOperations } from './schedule-overrides.ts';
import { scheduleOperations } from './schedules.ts';
import { slaPolicyOperations } from './sla-policies.ts';
import { statisticsOperations } from './statistics.ts';
import { suspectChangeOperations } from './suspect-changes.ts';
import { workNoteOperations } from './work-notes.ts';

/** Each capability is a folder in lambdas/, a tag in the API reference and a log group. */
export const capabilities = {
  health: 'Health check and API document.',
  identity: 'Callers, roles, API keys and the audit log.',
  incidents: 'Incidents with work notes, history and SLAs.',
  attachments: 'Files of notes.',
  problems: 'Problems behind incidents, known errors and workarounds.',
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
  'service-levels': 'SLA policies and calendars.',
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
  ...statisticsOperations,
  ...workNoteOperations,
  ...attachmentOperations,
  ...problemOperations,
  ...linkOperations,
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
  ...slaPolicyOperations,
  ...slaCalendarOperations,
  ...scheduleOperations,
  ...overrideOperations,
  ...calendarOperations,
  ...escalationPolicyOperations,
} as const satisfies Record<string, Operation & { capability: Capability }>;

export type OperationName = keyof typeof routes;

export const operations: readonly Operation[] = Object.values(routes);
