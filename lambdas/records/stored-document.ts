import type { AuditEntry } from '../../contract/audit.ts';
import type { Calendar } from '../../contract/calendars.ts';
import type { Change } from '../../contract/changes.ts';
import type { Ci } from '../../contract/cis.ts';
import type { DeliverySummary } from '../../contract/deliveries.ts';
import type { EscalationPolicy } from '../../contract/escalation-policies.ts';
import type { InboundEvent } from '../../contract/inbound-events.ts';
import type { InboundWebhook } from '../../contract/inbound-webhooks.ts';
import type { Incident } from '../../contract/incidents.ts';
import type { JobSummary } from '../../contract/jobs.ts';
import type { Article } from '../../contract/knowledge.ts';
import type { OutboundWebhook } from '../../contract/outbound-webhook-schemas.ts';
import type { ProblemRecord } from '../../contract/problems.ts';
import type { Proposal } from '../../contract/proposals.ts';
import type { ServiceRequest } from '../../contract/requests.ts';
import type { Schedule } from '../../contract/schedules.ts';
import type { SlaPolicy } from '../../contract/sla-policies.ts';
import type { WorkNote } from '../../contract/work-notes.ts';

// Reads stored documents in the current format, whichever release wrote them: fields that a release added later get the
// value that they would have had. During a gradual deployment two releases read the same items, so a release only adds
// fields and removes them one release later.

type Nullable<View> = { [Name in keyof View]-?: null extends View[Name] ? Name : never }[keyof View];

/** Has every nullable field, so that a new one cannot be forgotten. Fields computed for the response are not stored. */
type Defaults<View, Computed extends Nullable<View> = never> = Record<Exclude<Nullable<View>, Computed>, null> &
  Partial<View>;

function toNulls<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}

const decision = toNulls('decision_by', 'decision_at', 'decision_note');

export const storedDefaults = {
  incident: {
    ...toNulls('description', 'category', 'subcategory', 'impact', 'urgency', 'assignment_group', 'assigned_to'),
    ...toNulls('ci_id', 'parent_problem_id', 'change_id', 'resolution', 'sla_breach_at', 'resolved_at', 'closed_at'),
    ...toNulls('acknowledged_at', 'acknowledged_by', 'external_id', 'sla_breached_at'),
    reopen_count: 0,
  } satisfies Defaults<Incident, 'ai_suggested_resolution'>,
  note: { attachments: [] } satisfies Defaults<WorkNote>,
  change: {
    ...toNulls('description', 'implementation_plan', 'backout_plan', 'test_plan', 'planned_start', 'planned_end'),
    ...toNulls('assignment_group', 'assigned_to', 'sla_breach_at', 'sla_breached_at'),
    ...decision,
    ci_ids: [],
    suppress_pages: true,
  } satisfies Defaults<Change>,
  request: {
    ...toNulls('description', 'item', 'requested_for', 'sla_breach_at', 'sla_breached_at'),
    ...decision,
    quantity: 1,
  } satisfies Defaults<ServiceRequest>,
  problem: {
    ...toNulls('description', 'assignment_group', 'assigned_to', 'root_cause', 'workaround', 'ci_id'),
    ...toNulls('resolved_at', 'closed_at'),
    known_error: false,
    change_ids: [],
  } satisfies Defaults<ProblemRecord>,
  proposal: {
    ...toNulls('record_id', 'if_match', 'error', 'assignment_group'),
    ...decision,
  } satisfies Defaults<Proposal>,
  schedule: toNulls('description', 'calendar_key_created_at') satisfies Defaults<Schedule>,
  escalation_policy: {
    ...toNulls('description', 'acknowledgement_expires_minutes'),
    repeat: 0,
  } satisfies Defaults<EscalationPolicy>,
  calendar: toNulls('description') satisfies Defaults<Calendar>,
  sla_policy: {
    ...toNulls('description', 'assignment_group', 'category', 'priority', 'acknowledge_minutes', 'calendar_id'),
  } satisfies Defaults<SlaPolicy>,
  ci: {
    ...toNulls('environment', 'owner', 'location', 'ip_address', 'discovered_at'),
    attributes: {},
    relations: [],
  } satisfies Defaults<Ci>,
  article: { ...toNulls('category', 'published_at'), tags: [] } satisfies Defaults<Article>,
  inbound_webhook: {
    ...toNulls('preset', 'description', 'incident_id', 'dedup_key', 'dedup_scope'),
    filters: [],
    when: [],
    rules: [],
    accept_repeated_bodies: false,
    // An absent topic differs from null: such a webhook may be changed without choosing a topic.
  } satisfies Defaults<InboundWebhook, 'topic_arn' | 'secret_created_at' | 'previous_secret_until'>,
  inbound_event: toNulls('incident_id', 'dedup_key', 'replay_of', 'error') satisfies Defaults<InboundEvent>,
  outbound_webhook: {
    ...toNulls('disabled_reason', 'inbound_webhook_id', 'client_id'),
    filters: [],
    format: 'service',
    include_own: false,
    headers: {},
  } satisfies Defaults<OutboundWebhook>,
  delivery: toNulls('next_attempt_at', 'replay_of', 'finished_at') satisfies Defaults<DeliverySummary, 'last_status'>,
  // The first jobs were all about incidents.
  job: { ...toNulls('started_at', 'finished_at'), record_type: 'incident' } satisfies Defaults<JobSummary>,
  audit_entry: {
    ...toNulls('target', 'user_agent', 'request_id'),
    source_ip: 'unknown',
  } satisfies Defaults<AuditEntry>,
};

export type StoredKind = keyof typeof storedDefaults;

type Fields = Record<string, unknown>;

/** Changes that a default cannot express. Each recognizes documents of the earlier format by itself. */
const upgrades: Partial<Record<StoredKind, (document: Fields) => void>> = { inbound_webhook: upgradeInboundWebhook };

/** Completes a document that was just parsed. */
export function completeDocument<Document>(kind: string, document: Document): Document {
  if (!isStoredKind(kind)) return document;
  const fields = document as Fields;
  upgrades[kind]?.(fields);
  for (const [name, value] of Object.entries(storedDefaults[kind]))
    if (fields[name] === undefined) fields[name] = value;
  return document;
}

export function parseDocument<Document>(kind: StoredKind, json: string): Document {
  return completeDocument<Document>(kind, JSON.parse(json));
}

function isStoredKind(kind: string): kind is StoredKind {
  return Object.hasOwn(storedDefaults, kind);
}

/**
 * Without `when`, filters did not apply to rules, so they are the conditions of the webhook's own action. The only way to
 * choose a topic was a filter, which therefore applies to every message now.
 */
function upgradeInboundWebhook(document: Fields): void {
  if (document.when !== undefined) return;
  const { rules = [], preset, filters = [] } = document as Partial<InboundWebhook>;
  const topic = filters.find(
    ({ field, operator, value }) =>
      /^(?:\$\.|payload\.)?TopicArn$/.test(field) && operator === 'eq' && typeof value === 'string',
  );
  if (preset === 'cloudwatch' && topic) document.topic_arn = topic.value;
  if (rules.length > 0) Object.assign(document, { when: filters, filters: [] });
}
