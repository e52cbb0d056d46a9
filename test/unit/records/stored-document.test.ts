import * as z from 'zod';
import { auditOperations } from '../../../contract/audit.ts';
import { slaCalendarOperations } from '../../../contract/calendars.ts';
import { changeOperations } from '../../../contract/changes.ts';
import { ciOperations } from '../../../contract/cis.ts';
import { deliveryOperations } from '../../../contract/deliveries.ts';
import { escalationPolicyOperations } from '../../../contract/escalation-policies.ts';
import { inboundEventOperations } from '../../../contract/inbound-events.ts';
import { inboundWebhookOperations } from '../../../contract/inbound-webhooks.ts';
import { incidentOperations } from '../../../contract/incidents.ts';
import { jobOperations } from '../../../contract/jobs.ts';
import { knowledgeOperations } from '../../../contract/knowledge.ts';
import type { Operation } from '../../../contract/operation.ts';
import { outboundWebhookOperations } from '../../../contract/outbound-webhooks.ts';
import { problemOperations } from '../../../contract/problems.ts';
import { proposalOperations } from '../../../contract/proposals.ts';
import { requestOperations } from '../../../contract/requests.ts';
import { scheduleOperations } from '../../../contract/schedules.ts';
import { slaPolicyOperations } from '../../../contract/sla-policies.ts';
import { workNoteOperations } from '../../../contract/work-notes.ts';
import { changeView } from '../../../lambdas/changes/change.ts';
import { ciType } from '../../../lambdas/cmdb/ci.ts';
import { toIncidentResponse } from '../../../lambdas/incidents/incident.ts';
import { toJobResponse } from '../../../lambdas/jobs/job.ts';
import { toJob } from '../../../lambdas/jobs/job-store.ts';
import { articleType } from '../../../lambdas/knowledge/article.ts';
import { policyResource } from '../../../lambdas/oncall/policies/policy.ts';
import { scheduleResource } from '../../../lambdas/oncall/schedules/schedule.ts';
import { problemResource } from '../../../lambdas/problems/problem.ts';
import { proposalResource } from '../../../lambdas/proposals/proposal.ts';
import { listResources } from '../../../lambdas/record-types.ts';
import { toNote } from '../../../lambdas/records/notes.ts';
import type { StoredRecord } from '../../../lambdas/records/record.ts';
import { toRecord } from '../../../lambdas/records/record-item.ts';
import { parseDocument, type StoredKind, storedDefaults } from '../../../lambdas/records/stored-document.ts';
import { requestView } from '../../../lambdas/requests/request.ts';
import { calendarType, policyType } from '../../../lambdas/service-levels/service-level-types.ts';
import { toLevels } from '../../../lambdas/sla/level-store.ts';
import { toEvent } from '../../../lambdas/webhooks/inbound/events.ts';
import { toInboundWebhookResponse } from '../../../lambdas/webhooks/inbound/webhook.ts';
import { toDeliverySummary } from '../../../lambdas/webhooks/outbound/delivery.ts';
import { toDelivery } from '../../../lambdas/webhooks/outbound/delivery-item.ts';
import { toOutboundWebhookResponse } from '../../../lambdas/webhooks/outbound/webhook.ts';

type Fields = Record<string, unknown>;

interface Kind {
  /** Its response is the record, or a list of records. */
  operation: Operation;
  /** Fields of the response that are stored elsewhere or computed. */
  computed: readonly string[];
  /** Fields of the stored document that are not part of the response. */
  internal?: Fields;
  read(document: string): unknown;
}

const own = ['id', 'number', 'created_at', 'updated_at', 'deleted'];

/** Reads a stored record as the operations do. */
const readRecord =
  (type: StoredKind, toResponse: (record: StoredRecord<never>) => unknown) =>
  (document: string): unknown => {
    const at = '2026-03-01T09:30:00.000Z';
    const texts = { type, created_at: at, updated_at: at, document, pk: exampleIds[type] ?? '' };
    const item = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { S: text }]));
    return toResponse(toRecord<never>({ ...item, version: { N: '1' } }));
  };

const exampleIds: Partial<Record<StoredKind, string>> = {
  incident: 'INC7Q2M4KX',
  change: 'CHG4M8K2TX',
  request: 'REQ4M8K2TX',
  proposal: 'PRP4M8K2TX',
  ci: 'CI0000042',
  schedule: 'SCH5N8R2KD',
  escalation_policy: 'ESC3V7T9QM',
  problem: 'PRB5H2K9QX',
  calendar: 'CAL2H6W9PT',
  sla_policy: 'SLA4D7M1RX',
  article: 'KB4M8K2TX',
  inbound_webhook: 'wh_in_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
  outbound_webhook: 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
};

const kinds: Record<StoredKind, Kind> = {
  incident: {
    operation: incidentOperations.getIncident,
    computed: [...own, 'work_notes_count', 'ai_suggested_resolution'],
    read: readRecord('incident', toIncidentResponse),
  },
  note: {
    operation: workNoteOperations.listWorkNotes,
    computed: [],
    read: (document) => toNote({ document: { S: document } }),
  },
  change: {
    operation: changeOperations.getChange,
    computed: own,
    read: readRecord('change', changeView.toResponse),
  },
  request: {
    operation: requestOperations.getRequest,
    computed: own,
    read: readRecord('request', requestView.toResponse),
  },
  problem: {
    operation: problemOperations.getProblem,
    computed: own,
    read: readRecord('problem', problemResource.toResponse),
  },
  proposal: {
    operation: proposalOperations.getProposal,
    computed: own,
    read: readRecord('proposal', proposalResource.toResponse),
  },
  schedule: {
    operation: scheduleOperations.getSchedule,
    computed: own,
    internal: { overrides: [], calendar_key_hash: null },
    read: readRecord('schedule', scheduleResource.toResponse),
  },
  escalation_policy: {
    operation: escalationPolicyOperations.getEscalationPolicy,
    computed: own,
    read: readRecord('escalation_policy', policyResource.toResponse),
  },
  calendar: {
    operation: slaCalendarOperations.getSlaCalendar,
    computed: own,
    read: readRecord('calendar', calendarType.toResponse),
  },
  sla_policy: {
    operation: slaPolicyOperations.getSlaPolicy,
    computed: own,
    read: readRecord('sla_policy', policyType.toResponse),
  },
  ci: { operation: ciOperations.getCi, computed: own, read: readRecord('ci', ciType.toResponse) },
  article: {
    operation: knowledgeOperations.getArticle,
    computed: own,
    read: readRecord('article', articleType.toResponse),
  },
  inbound_webhook: {
    operation: inboundWebhookOperations.getInboundWebhook,
    computed: [...own, 'url', 'secret', 'secret_created_at', 'previous_secret_until'],
    internal: { secrets: [] },
    read: readRecord('inbound_webhook', (record) =>
      toInboundWebhookResponse(record, { publicUrl: 'https://incidents.example.com', nowMs: 0 }),
    ),
  },
  inbound_event: {
    operation: inboundEventOperations.listInboundEvents,
    computed: [],
    read: (event) => toEvent({ event: { S: event } }),
  },
  outbound_webhook: {
    operation: outboundWebhookOperations.getOutboundWebhook,
    computed: [...own, 'secret', 'notices'],
    internal: { secrets: [], active_since: '2026-03-01T09:30:00.000Z', stopped_at: null },
    read: readRecord('outbound_webhook', toOutboundWebhookResponse),
  },
  delivery: {
    operation: deliveryOperations.listDeliveries,
    computed: ['attempts_made', 'last_status'],
    internal: { attempts: [], payload: '{}' },
    read: (delivery) => toDeliverySummary(toDelivery({ delivery: { S: delivery } })),
  },
  job: {
    operation: jobOperations.listJobs,
    computed: ['processed', 'succeeded', 'failed'],
    internal: { counts: { succeeded: 0, failed: 0 } },
    read: (job) => toJobResponse(toJob({ job: { S: job } })),
  },
  audit_entry: {
    operation: auditOperations.listAudit,
    computed: [],
    read: (entry) => parseDocument('audit_entry', entry),
  },
};

function describeKind({ operation, computed, internal }: Kind) {
  const { body, example } = operation.responses[200] as unknown as { body: z.ZodObject; example: { data?: Fields[] } };
  const list = body.shape.data as z.ZodArray | undefined;
  const schema = (list?.element ?? body) as z.ZodObject;
  const stored = Object.entries((example.data?.[0] ?? example) as Fields).filter(([name]) => !computed.includes(name));
  return { schema, document: { ...Object.fromEntries(stored), ...internal } as Fields };
}

describe('a stored document', () => {
  it('has defaults in every record type', () => {
    const names = listResources(toLevels({ P1: 1, P2: 1, P3: 1, P4: 1 })).map(({ name }) => name);
    expect(Object.keys(storedDefaults)).toEqual(expect.arrayContaining(names));
  });

  describe.each(Object.entries(kinds) as [StoredKind, Kind][])('of the kind %s', (name, kind) => {
    const { schema, document } = describeKind(kind);
    const nullable = Object.entries(schema.shape).flatMap(([field, type]) =>
      type instanceof z.ZodNullable && !kind.computed.includes(field) ? [field] : [],
    );
    const optional = [...new Set([...nullable, ...Object.keys(storedDefaults[name])])];

    it.each(optional)('is read without %s, which an earlier release did not know', (field) => {
      const { [field]: _, ...older } = document;
      expect(schema.safeParse(kind.read(JSON.stringify(older))).error).toBeUndefined();
    });

    it('is read without any of its optional fields', () => {
      const older = Object.entries(document).filter(([field]) => !optional.includes(field));
      expect(schema.safeParse(kind.read(JSON.stringify(Object.fromEntries(older)))).error).toBeUndefined();
    });

    it('keeps its values', () => {
      expect(kind.read(JSON.stringify(document))).toMatchObject(
        Object.fromEntries(Object.keys(storedDefaults[name]).map((field) => [field, document[field]])),
      );
    });
  });
});
