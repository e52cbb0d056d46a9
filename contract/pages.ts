import * as z from 'zod';
import { changeId } from './change-calendar.ts';
import { contactKinds } from './contact-kinds.ts';
import { escalationPolicyId, step } from './escalation-policies.ts';
import { incident, incidentExample, incidentParams } from './incidents.ts';
import { defineOperations } from './operation.ts';
import { pageId, pageIdExample } from './page-ids.ts';
import {
  acrossFields,
  callerEmail,
  email,
  etag,
  id,
  idempotencyHeaders,
  idempotentReplayed,
  line,
  location,
  timestamp,
} from './records.ts';
import { pageStates, pageTriggers } from './states.ts';

// Pages: an incident calls people, step by step, until somebody acknowledges it.

/** Older pages are not listed. */
export const maxListedPages = 50;

const logKinds = [
  'started',
  'paged',
  'skipped',
  'held',
  'acknowledged',
  'ended',
  'exhausted',
  'unreachable',
  'expired',
] as const;

const logEntry = z
  .strictObject({
    at: timestamp('Time of the entry.'),
    kind: z.enum(logKinds).meta({ description: 'Kind of the entry.' }),
    text: z.string().meta({ description: 'What happened, as a sentence.' }),
  })
  .meta({ id: 'PageLogEntry', description: 'Entry in the log of a page.' });

export type PageLogEntry = z.infer<typeof logEntry>;

const message = z
  .strictObject({
    at: timestamp('Time of the attempt.'),
    message_id: z.string().meta({ description: 'ID of the message, the same in every attempt.' }),
    to: callerEmail('Person who was paged.'),
    channel: z.enum(contactKinds).nullable().meta({ description: 'Channel; null if no contact method was used.' }),
    address: z.string().nullable().meta({ description: 'Address as shown to others.' }),
    outcome: z
      .enum(['sent', 'retrying', 'failed', 'cancelled', 'unreachable'])
      .meta({ description: 'Outcome of the attempt.' }),
    provider_message_id: z.string().nullable().meta({ description: 'ID that the provider gave the message.' }),
    error: z.string().nullable().meta({ description: 'Why the attempt failed or was cancelled.' }),
  })
  .meta({ id: 'PageMessage', description: 'Attempt to reach a person.' });

const pagedPerson = z
  .strictObject({
    person: callerEmail('Person who was paged.'),
    via: z.string().meta({ description: 'Target that led to the person, in words.' }),
    paged_at: timestamp('Time of the first message to the person.'),
  })
  .meta({ id: 'PagedPerson', description: 'Person who was paged.' });

const page = z
  .strictObject({
    id: pageId,
    incident_id: id('incident', 'ID of the incident.', 'INC7Q2M4KX'),
    state: z.enum(pageStates).meta({
      description:
        'State. `paging`: people are called. `held`: a change in progress explains the alert. `exhausted`: nobody ' +
        'acknowledged after the last step. `unreachable`: no step has anybody to page.',
    }),
    trigger: z.enum(pageTriggers).meta({ description: 'Why the page started.' }),
    requested_by: callerEmail('Caller who started the page; the author of the change that started it.'),
    reason: z.string().nullable().meta({ description: 'Reason that was given with a page by hand.' }),
    target: z
      .strictObject({
        type: z.enum(['policy', 'schedule', 'person']).meta({ description: 'What is paged.' }),
        id: z.string().meta({ description: 'ID of the policy or schedule, or address of the person.' }),
        name: z.string().meta({ description: 'Name of the target.' }),
      })
      .meta({ id: 'PageTarget', description: 'What is paged.' }),
    steps: z.array(step).meta({ description: 'Steps of the policy when the page started.' }),
    repeat: z.int().min(0).meta({ description: 'How often all steps are repeated.' }),
    step: z.int().min(0).meta({ description: 'Current step, from 1; 0 before the first one.' }),
    repetition: z.int().min(0).meta({ description: 'How often all steps were repeated before.' }),
    next_step_at: timestamp(
      'Time of the next step, or of the end after the last one; null if none follows.',
    ).nullable(),
    people: z.array(pagedPerson).meta({ description: 'Everybody who was paged, in order.' }),
    held_by: changeId.nullable().meta({ description: 'Change that holds the page back.' }),
    acknowledged_by: callerEmail('Who acknowledged the page.').nullable(),
    created_at: timestamp('Time of the start.'),
    ended_at: timestamp('Time of the end; null while people are paged.').nullable(),
    log: z.array(logEntry).meta({ description: 'Steps and answers, oldest first.' }),
    messages: z.array(message).meta({ description: 'Messages and failures, oldest first; for 30 days.' }),
  })
  .meta({ id: 'Page', description: 'Page of an incident.' });

export type Page = z.infer<typeof page>;

const targets = ['escalation_policy_id', 'schedule_id', 'person'] as const;

export const pageCreation = z
  .strictObject({
    escalation_policy_id: escalationPolicyId.optional().meta({ description: 'Policy to page.' }),
    schedule_id: id('schedule', 'Schedule whose person on call is paged.', 'SCH5N8R2KD').optional(),
    person: email('Person to page.').optional(),
    reason: line(500, 'Reason, for the message.').nullable().default(null),
  })
  .refine(
    (given) => targets.filter((name) => given[name] !== undefined).length === 1,
    acrossFields<Record<(typeof targets)[number], unknown>>({
      of: targets,
      at: 'escalation_policy_id',
      error: 'must be given, or schedule_id or person, but only one of them',
    }),
  )
  .meta({ id: 'PageCreation', description: 'What to page: exactly one of a policy, a schedule and a person.' });

const pageExample: Page = {
  id: pageIdExample,
  incident_id: 'INC7Q2M4KX',
  state: 'acknowledged',
  trigger: 'created',
  requested_by: 'agent@clients.incidents.example.com',
  reason: null,
  target: { type: 'policy', id: 'ESC3V7T9QM', name: 'Messaging' },
  steps: [
    { targets: [{ type: 'schedule', id: 'SCH5N8R2KD' }], wait_minutes: 5 },
    { targets: [{ type: 'person', id: 'grace.hopper@example.com' }], wait_minutes: 10 },
  ],
  repeat: 1,
  step: 1,
  repetition: 0,
  next_step_at: null,
  people: [
    { person: 'ada.lovelace@example.com', via: 'schedule Messaging primary', paged_at: '2026-03-01T09:30:00.640Z' },
  ],
  held_by: null,
  acknowledged_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  ended_at: '2026-03-01T09:34:12.000Z',
  log: [
    { at: '2026-03-01T09:30:00.000Z', kind: 'started', text: 'The incident was created with priority P2.' },
    {
      at: '2026-03-01T09:30:00.640Z',
      kind: 'paged',
      text: 'Step 1 of 2: ada.lovelace@example.com (schedule Messaging primary).',
    },
    { at: '2026-03-01T09:34:12.000Z', kind: 'acknowledged', text: 'Acknowledged by ada.lovelace@example.com.' },
  ],
  messages: [
    {
      at: '2026-03-01T09:30:01.120Z',
      message_id: 'msg_2Q8W4ZK1M7XB5T9N3RVC6JHF0D',
      to: 'ada.lovelace@example.com',
      channel: 'email',
      address: 'ada.lovelace@example.com',
      outcome: 'sent',
      provider_message_id: '010201a2b3c4d5e6-000000',
      error: null,
    },
  ],
};

export const pageOperations = defineOperations({
  acknowledgeIncident: {
    capability: 'oncall',
    rateLimit: 'general',
    method: 'POST',
    path: '/incidents/{id}/acknowledge',
    summary: 'Acknowledge an incident',
    description:
      'Sets `acknowledged_at` and `acknowledged_by`, moves a new incident to `in_progress` and ends its pages: nobody else ' +
      'is paged. Repeating it changes nothing. An incident that is resolved, closed or cancelled returns 409.',
    access: 'itsm_agent',
    params: incidentParams,
    responses: {
      200: {
        description: 'The acknowledged incident.',
        body: incident,
        headers: { ETag: etag },
        example: incidentExample,
      },
    },
    errors: ['invalid_transition'],
  },
  createPage: {
    capability: 'oncall',
    rateLimit: 'general',
    method: 'POST',
    path: '/incidents/{id}/pages',
    summary: 'Page somebody about an incident',
    description:
      'Pages a policy, the person on call of a schedule, or a person, in addition to the pages that run already. A schedule ' +
      'or person is paged three times, five minutes apart, until somebody acknowledges. An incident that is resolved, closed or ' +
      'cancelled returns 409.',
    access: 'itsm_agent',
    params: incidentParams,
    headers: idempotencyHeaders,
    body: pageCreation,
    bodyExample: { person: 'grace.hopper@example.com', reason: 'The database needs you.' },
    responses: {
      201: {
        description: 'The page was started.',
        body: page,
        headers: { Location: location, 'Idempotent-Replayed': idempotentReplayed },
        example: { ...pageExample, state: 'paging', trigger: 'manual', ended_at: null, acknowledged_by: null },
      },
    },
    errors: ['invalid_transition', 'idempotency_key_in_flight', 'idempotency_key_reused'],
  },
  getPages: {
    capability: 'oncall',
    rateLimit: 'general',
    method: 'GET',
    path: '/incidents/{id}/pages',
    summary: 'Get the pages of an incident',
    description:
      `Lists the last ${maxListedPages} pages with their steps, messages, failures and answers, newest first. ` +
      '`next_step_at` is the time of the next step.',
    access: 'viewer',
    params: incidentParams,
    responses: {
      200: {
        description: 'The pages.',
        body: z
          .strictObject({
            data: z.array(page),
            truncated: z.boolean().meta({ description: `Whether there are more than ${maxListedPages} pages.` }),
          })
          .meta({ id: 'PageList', description: 'The pages of an incident.' }),
        example: { data: [pageExample], truncated: false },
      },
    },
  },
});
