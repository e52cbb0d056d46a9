import * as z from 'zod';
import { ciId } from './ci-relations.ts';
import { type EventType, payloadExample } from './events.ts';
import { incidentId } from './incidents.ts';
import { pageId, pageIdExample } from './page-ids.ts';
import { problemId } from './problem-ids.ts';
import { id, timestamp } from './records.ts';
import { priority } from './sla.ts';
import { changeStates, ciStatuses, incidentStates, problemStates, requestStates } from './states.ts';
import { outboundWebhookId } from './webhook-settings.ts';

// The body of a webhook delivery for each event type, for the API document and the typed payloads of the SDK. Objects are
// not strict: receivers must accept fields that later versions add.

const links = {
  url: z.string().meta({ format: 'uri', description: 'URL of the record in the console, for people.' }),
  api_url: z.string().meta({ format: 'uri', description: 'URL of the record in the API.' }),
};
const summary = z.string().meta({ description: 'Summary in one line.' });

const changes = z
  .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
  .optional()
  .meta({ description: 'Changed fields with their values before and after, on updates.' });

const incident = z
  .object({
    id: incidentId,
    short_description: summary,
    priority,
    state: z.enum(incidentStates).meta({ description: 'State of the incident.' }),
    ...links,
    changes,
  })
  .meta({ id: 'IncidentEventData', description: 'The incident after the change.' });

const escalatedIncident = incident
  .extend({
    escalation: z
      .object({
        page_id: pageId,
        step: z.int().min(1).meta({ description: 'Step of the escalation policy that is paged now.' }),
        repetition: z.int().min(0).meta({ description: 'How often all steps were repeated before.' }),
      })
      .meta({ description: 'The step that is paged now.' }),
  })
  .meta({ id: 'EscalatedIncidentEventData', description: 'The incident, and the step that is paged now.' });

const slaRecord = z
  .object({
    id: z.string().meta({ description: 'ID of the incident, change or service request.' }),
    short_description: summary,
    priority: priority.optional(),
    state: z.string().meta({ description: 'State of the record.' }),
    ...links,
    target: z.enum(['acknowledge', 'resolve']).meta({ description: 'The target of the policy.' }),
    warned_at: timestamp('Time at which the warning was due.').optional(),
    breached_at: timestamp('Time of the breach, on breaches.').optional(),
  })
  .meta({ id: 'SlaEventData', description: 'The record, and the calculated time of the warning or breach.' });

const change = z
  .object({
    id: id('change', 'ID of the change.', 'CHG4T9X2MQ'),
    short_description: summary,
    state: z.enum(changeStates).meta({ description: 'State of the change.' }),
    ...links,
  })
  .meta({ id: 'ChangeEventData', description: 'The change after it entered the state.' });

const request = z
  .object({
    id: id('request', 'ID of the service request.', 'REQ8K3M5TX'),
    short_description: summary,
    state: z.enum(requestStates).meta({ description: 'State of the service request.' }),
    ...links,
  })
  .meta({ id: 'ServiceRequestEventData', description: 'The service request after it entered the state.' });

const problem = z
  .object({
    id: problemId,
    short_description: summary,
    priority,
    state: z.enum(problemStates).meta({ description: 'State of the problem.' }),
    known_error: z.boolean().meta({ description: 'Whether the problem is a known error.' }),
    ...links,
    changes,
  })
  .meta({ id: 'ProblemEventData', description: 'The problem after the change.' });

const ci = z
  .object({
    id: ciId,
    name: z.string().meta({ description: 'Name of the configuration item.' }),
    class: z.string().meta({ description: 'Class of the configuration item.' }),
    state: z.enum(ciStatuses).meta({ description: 'Status of the configuration item.' }),
    ...links,
  })
  .meta({ id: 'CiEventData', description: 'The discovered configuration item.' });

const ping = z
  .object({ id: outboundWebhookId, ...links })
  .meta({ id: 'PingEventData', description: 'The webhook that is tested.' });

/** Headers of every delivery; the signatures only when `sign_payloads` is true. */
export const deliveryHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'ID of the event, identical in every attempt and replay.' }),
  'webhook-timestamp': z.string().meta({ description: 'Time of the attempt in Unix seconds.' }),
  'webhook-signature': z.string().optional().meta({ description: 'Standard Webhooks signature: `v1,<base64>`.' }),
  'X-Service-Signature': z
    .string()
    .optional()
    .meta({ description: 'Hexadecimal HMAC-SHA256 of the body, keyed with the secret.' }),
});

interface EventDescription {
  summary: string;
  data: z.ZodObject;
}

const descriptions = {
  'incident.created': { summary: 'An incident was created', data: incident },
  'incident.updated': { summary: 'A field of an incident changed', data: incident },
  'incident.resolved': { summary: 'An incident was resolved', data: incident },
  'incident.priority_changed': { summary: 'The priority of an incident changed', data: incident },
  'change.submitted': { summary: 'A change was submitted for approval', data: change },
  'change.approved': { summary: 'A change was approved', data: change },
  'change.rejected': { summary: 'A change was rejected', data: change },
  'request.submitted': { summary: 'A service request was submitted', data: request },
  'request.approved': { summary: 'A service request was approved', data: request },
  'sla.breach_warning': { summary: 'A record used 75% of its SLA, or the share that its policy says', data: slaRecord },
  'sla.breached': { summary: 'A record breached its SLA', data: slaRecord },
  'ci.discovered': { summary: 'A discovery found a new configuration item', data: ci },
  'incident.acknowledged': { summary: 'Somebody acknowledged an incident', data: incident },
  'incident.escalated': {
    summary: 'Nobody answered a page in time, so the next step is paged',
    data: escalatedIncident,
  },
  'problem.created': { summary: 'A problem was created', data: problem },
  'problem.updated': { summary: 'A field of a problem changed', data: problem },
  'problem.resolved': { summary: 'A problem was resolved', data: problem },
  ping: { summary: 'Test delivery', data: ping },
} as const satisfies Record<EventType | 'ping', EventDescription>;

/** Event types that a webhook can deliver. */
export type DeliveredEvent = keyof typeof descriptions;

/** The console has the same paths, except for configuration items. */
const toExampleLinks = (path: string, page: string = path) => ({
  url: `https://incidents.example.com/console/${page}`,
  api_url: `https://incidents.example.com/prod/api/v1/${path}`,
});

const examples = new Map<z.ZodObject, object>([
  [incident, payloadExample.data],
  [
    slaRecord,
    {
      id: 'INC7Q2M4KX',
      short_description: 'Mail is not delivered to external addresses',
      priority: 'P2',
      state: 'in_progress',
      ...toExampleLinks('incidents/INC7Q2M4KX'),
      target: 'resolve',
      breached_at: '2026-03-01T17:30:00.000Z',
    },
  ],
  [
    escalatedIncident,
    { ...payloadExample.data, state: 'new', escalation: { page_id: pageIdExample, step: 2, repetition: 0 } },
  ],
  [
    problem,
    {
      id: 'PRB5H2K9QX',
      short_description: 'The mail relay rejects our certificate after its renewal',
      priority: 'P2',
      state: 'new',
      known_error: false,
      ...toExampleLinks('problems/PRB5H2K9QX'),
    },
  ],
  [
    change,
    {
      id: 'CHG4T9X2MQ',
      short_description: 'Upgrade mail relay',
      state: 'submitted',
      ...toExampleLinks('changes/CHG4T9X2MQ'),
    },
  ],
  [
    request,
    { id: 'REQ8K3M5TX', short_description: 'New laptop', state: 'submitted', ...toExampleLinks('requests/REQ8K3M5TX') },
  ],
  [
    ci,
    {
      id: 'CI0000042',
      name: 'web-01',
      class: 'server',
      state: 'operational',
      ...toExampleLinks('cmdb/cis/CI0000042', 'cis/CI0000042'),
    },
  ],
  [
    ping,
    {
      id: 'wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE',
      ...toExampleLinks('webhooks/outbound/wh_out_5T2XK8M0QW9RZC4V7HJ1NBD6FE'),
    },
  ],
]);

export const deliveryPayloads = (Object.keys(descriptions) as DeliveredEvent[]).map((event) => {
  const { summary, data } = descriptions[event];
  return {
    event,
    summary,
    example: { ...payloadExample, event, data: examples.get(data) },
    schema: z
      .object({
        event: z.literal(event),
        timestamp: timestamp('Time of the change.'),
        service_instance: z.string().meta({ description: 'Name of the service instance.' }),
        data,
      })
      .meta({ id: `${toPascalCase(event)}Payload`, description: `${summary}.` }),
  };
});

function toPascalCase(event: string): string {
  return event
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
