import * as z from 'zod';
import { filter, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { priorities, priority } from './priority.ts';
import { recordOperations } from './record-operations.ts';
import {
  ciReference,
  email,
  idParams,
  line,
  listOf,
  shownEmail,
  text,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import { slaExample, slaQuery, slaView } from './sla.ts';

export const incidentStates = ['new', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled', 'reopened'] as const;

export type IncidentState = (typeof incidentStates)[number];

const levels = ['high', 'medium', 'low'] as const;

export const incidentId = z
  .string()
  .regex(/^INC[0-9A-HJKMNP-TV-Z]{7}$/)
  .meta({ description: 'The id of the incident.', examples: ['INC7Q2M4KX'] });

export const incidentParams = idParams(incidentId);

/** Fields that may be unset: absent on create means `null`, and `null` in an update clears them. */
const optionalFields = {
  description: text(32_000, 'Full description; Markdown.').nullable(),
  category: line(100, 'The category.').nullable(),
  subcategory: line(100, 'The subcategory within the category.').nullable(),
  impact: z.enum(levels).nullable().meta({ description: 'How much is affected.' }),
  urgency: z.enum(levels).nullable().meta({ description: 'How soon it must be solved.' }),
  assignment_group: line(100, 'The group that works on it.').nullable(),
  assigned_to: email('The person who works on it.').nullable(),
  ci_id: ciReference
    .nullable()
    .meta({ description: 'The related configuration item. It need not be known yet.', examples: ['CI0000042'] }),
  parent_problem_id: line(64, 'The problem behind it.').nullable(),
  change_id: line(64, 'The change that caused or solves it.').nullable(),
  resolution: text(8_000, 'How it was solved; Markdown.').nullable(),
};

const requiredFields = {
  short_description: line(255, 'What happened, in one line.'),
  priority,
  state: z.enum(incidentStates).meta({ description: 'Where the work on it stands.' }),
};

const identifiers = { id: incidentId, number: incidentId.meta({ description: 'The same as the id.' }) };

const computed = {
  sla_breach_at: timestamp(
    'When the SLA is breached if nothing changes; null while on hold and after the end.',
  ).nullable(),
  opened_by: shownEmail('Who created it.'),
  resolved_at: timestamp('When it was resolved.').nullable(),
  closed_at: timestamp('When it was closed.').nullable(),
  reopen_count: z.int().min(0).meta({ description: 'How often it was reopened.' }),
  work_notes_count: z.int().min(0).meta({ description: 'How many work notes it has, private ones included.' }),
  ai_suggested_resolution: z
    .string()
    .nullable()
    .meta({ description: 'What solved similar incidents; null until that is known.' }),
  deleted: z.boolean().meta({ description: 'True for a deleted incident, which is shown on request only.' }),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When a field of it last changed.'),
};

export const incident = z
  .strictObject({
    ...identifiers,
    ...requiredFields,
    ...optionalFields,
    ...computed,
  })
  .meta({ id: 'Incident', description: 'Something that does not work and has to be restored.' });

export type Incident = z.infer<typeof incident>;

const setByService = { ...identifiers, ...computed };

export const incidentCreation = withReadOnlyFields(
  z
    .strictObject({
      short_description: requiredFields.short_description,
      priority: requiredFields.priority.default('P3'),
      state: z.literal('new').default('new').meta({ description: 'Every incident starts as new.' }),
      ...z.object(optionalFields).partial().shape,
      notify_stakeholders: z
        .boolean()
        .default(false)
        .meta({ description: 'Notifies the assignment group. Not stored.' }),
    })
    .meta({ id: 'IncidentCreation', description: 'A new incident.' }),
  setByService,
);

export type IncidentCreation = z.output<typeof incidentCreation>;

/** What an update may change, as a JSON merge patch (RFC 7396). */
export const incidentPatch = withReadOnlyFields(
  z
    .strictObject(z.object({ ...requiredFields, ...optionalFields }).partial().shape)
    .meta({ id: 'IncidentPatch', description: 'The fields to change; null clears an optional one.' }),
  setByService,
);

export type IncidentPatch = z.output<typeof incidentPatch>;

export const incidentUpdate = withReadOnlyFields(
  z
    .strictObject({
      ...incidentPatch.shape,
      work_note: text(32_000, 'Recorded as a work note for the team, together with the change.').optional(),
    })
    .meta({ id: 'IncidentUpdate', description: 'The fields to change, and a note on it.' }),
  setByService,
);

export const incidentSorts = ['created_at', 'priority', 'updated_at'] as const;

export type IncidentSort = (typeof incidentSorts)[number];

export const incidentListQuery = listQuery({
  things: 'incidents',
  filters: {
    state: listOf(incidentStates, 'Only these states; several separated by commas.'),
    priority: listOf(priorities, 'Only these priorities; several separated by commas.'),
    assignment_group: filter('Only incidents of this group.'),
    assigned_to: filter('Only incidents of this assignee.'),
    category: filter('Only incidents of this category.'),
  },
  sorts: incidentSorts,
  searched: 'short_description, description, category',
  order: 'With `sort=priority`, `asc` is P1 first.',
});

export const incidentExample: Incident = {
  id: 'INC7Q2M4KX',
  number: 'INC7Q2M4KX',
  short_description: 'Mail is not delivered to external addresses',
  priority: 'P2',
  state: 'in_progress',
  description: 'Since 09:10 messages to other domains stay in the queue.',
  category: 'email',
  subcategory: 'delivery',
  impact: 'high',
  urgency: 'medium',
  assignment_group: 'messaging',
  assigned_to: 'ada.lovelace@example.com',
  ci_id: 'CI0000042',
  parent_problem_id: null,
  change_id: null,
  resolution: null,
  sla_breach_at: '2026-03-01T17:30:00.000Z',
  opened_by: 'agent@clients.incidents.example.com',
  resolved_at: null,
  closed_at: null,
  reopen_count: 0,
  work_notes_count: 1,
  ai_suggested_resolution: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:42:10.120Z',
};

const operations = recordOperations({
  capability: 'incidents',
  path: '/incidents',
  thing: 'incident',
  things: 'incidents',
  params: incidentParams,
  record: incident,
  example: incidentExample,
});

export const incidentOperations = defineOperations({
  listIncidents: operations.list(incidentListQuery),
  createIncident: operations.create(incidentCreation, {
    description: 'The caller becomes `opened_by`.',
    bodyExample: {
      short_description: 'Mail is not delivered to external addresses',
      priority: 'P2',
      category: 'email',
      assignment_group: 'messaging',
      notify_stakeholders: true,
    },
    created: { state: 'new', work_notes_count: 0 },
  }),
  getIncident: operations.get,
  updateIncident: operations.update(incidentUpdate, {
    description: 'The state changes as its table allows; a forbidden change answers 409 with `allowed_transitions`.',
    bodyExample: { state: 'in_progress', assigned_to: 'ada.lovelace@example.com', work_note: 'Looking at the queue.' },
  }),
  deleteIncident: operations.delete,
  listIncidentHistory: operations.history,
  getIncidentSla: {
    capability: 'incidents',
    rateLimit: 'general',
    method: 'GET',
    path: '/incidents/{id}/sla',
    summary: 'Explain the SLA of an incident',
    description: 'The running and paused intervals whose sum decides, or what they would mean for another priority.',
    access: 'viewer',
    params: incidentParams,
    query: slaQuery,
    responses: { 200: { description: 'The clock as of now.', body: slaView, example: slaExample } },
  },
});
