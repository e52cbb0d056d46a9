import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { priorities, priority } from './priority.ts';
import {
  cursor,
  email,
  etag,
  flag,
  historyEntry,
  idempotencyHeaders,
  idempotentReplayed,
  idParams,
  ifMatchHeaders,
  ifNoneMatchHeaders,
  limit,
  line,
  listOf,
  location,
  moment,
  pageOf,
  readOnlyFields,
  text,
  timestamp,
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
  ci_id: z
    .string()
    .regex(/^CI\d{1,18}$/, 'must be CI followed by digits')
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

const shownEmail = (description: string) => z.string().meta({ format: 'email', description });

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

const withReadOnlyFields = <Schema extends z.ZodObject>(schema: Schema): Schema => {
  readOnlyFields.add(schema, { names: Object.keys({ ...identifiers, ...computed }) });
  return schema;
};

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
);

export type IncidentCreation = z.output<typeof incidentCreation>;

/** What an update may change, as a JSON merge patch (RFC 7396). */
export const incidentPatch = withReadOnlyFields(
  z
    .strictObject(z.object({ ...requiredFields, ...optionalFields }).partial().shape)
    .meta({ id: 'IncidentPatch', description: 'The fields to change; null clears an optional one.' }),
);

export type IncidentPatch = z.output<typeof incidentPatch>;

export const incidentUpdate = withReadOnlyFields(
  z
    .strictObject({
      ...incidentPatch.shape,
      work_note: text(32_000, 'Recorded as a work note for the team, together with the change.').optional(),
    })
    .meta({ id: 'IncidentUpdate', description: 'The fields to change, and a note on it.' }),
);

export const incidentSorts = ['created_at', 'priority', 'updated_at'] as const;

export type IncidentSort = (typeof incidentSorts)[number];

export const orders = ['asc', 'desc'] as const;

const filter = (description: string) => z.string().min(1).max(254).optional().meta({ description });

export const incidentListQuery = z
  .strictObject({
    state: listOf(incidentStates, 'Only these states; several separated by commas.'),
    priority: listOf(priorities, 'Only these priorities; several separated by commas.'),
    assignment_group: filter('Only incidents of this group.'),
    assigned_to: filter('Only incidents of this assignee.'),
    category: filter('Only incidents of this category.'),
    created_after: moment('Only incidents created after this moment, itself not included.'),
    created_before: moment('Only incidents created before this moment, itself not included.'),
    q: z
      .string()
      .max(500)
      // Words are all that it can find; without any, it would silently find everything.
      .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must have a letter or a digit')
      .optional()
      .meta({
        description:
          'Only incidents that have all of these words in short_description, description, category or id, in any ' +
          'case and with or without accents.',
        examples: ['mail server'],
      }),
    sort: z.enum(incidentSorts).default('created_at').meta({ description: 'What to sort by; ties go by id.' }),
    order: z.enum(orders).default('desc').meta({ description: 'With `sort=priority`, `asc` is P1 first.' }),
    limit,
    page: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .meta({ description: 'The number of the page, from 1. Not together with `cursor`.', examples: [2] }),
    cursor,
  })
  .refine(({ page, cursor: given }) => page === undefined || given === undefined, {
    path: ['page'],
    error: 'must not be given together with cursor',
    // Also when something else is wrong, so that one answer names both.
    when: () => true,
  });

export type IncidentListQuery = z.output<typeof incidentListQuery>;

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

const base = { capability: 'incidents', rateLimit: 'general' } as const;

const includeDeleted = flag('Shows a deleted incident too. Needs the role `itsm_manager` or a higher one.');

export const incidentOperations = defineOperations({
  listIncidents: {
    ...base,
    method: 'GET',
    path: '/incidents',
    summary: 'List incidents',
    description: 'Any combination of filters, sorted and in pages. Deleted incidents are not listed.',
    access: 'viewer',
    query: incidentListQuery,
    responses: {
      200: {
        description: 'A page of incidents.',
        body: pageOf(incident, 'IncidentPage', 'A page of incidents.'),
        example: { data: [incidentExample], next_cursor: 'eyJ2IjoxfQ.3q2-7w', total: 61 },
      },
    },
  },
  createIncident: {
    ...base,
    method: 'POST',
    path: '/incidents',
    summary: 'Create an incident',
    description: 'The caller becomes `opened_by`.',
    access: 'itsm_agent',
    headers: idempotencyHeaders,
    body: incidentCreation,
    bodyExample: {
      short_description: 'Mail is not delivered to external addresses',
      priority: 'P2',
      category: 'email',
      assignment_group: 'messaging',
      notify_stakeholders: true,
    },
    responses: {
      201: {
        description: 'The incident was created.',
        body: incident,
        headers: { ETag: etag, Location: location, 'Idempotent-Replayed': idempotentReplayed },
        example: { ...incidentExample, state: 'new', work_notes_count: 0 },
      },
    },
    errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
  },
  getIncident: {
    ...base,
    method: 'GET',
    path: '/incidents/{id}',
    summary: 'Get an incident',
    description: 'A deleted incident is not found, unless a manager asks for it.',
    access: 'viewer',
    params: incidentParams,
    query: z.strictObject({ include_deleted: includeDeleted }),
    headers: ifNoneMatchHeaders,
    responses: {
      200: { description: 'The incident.', body: incident, headers: { ETag: etag }, example: incidentExample },
      304: { description: 'The incident still has the given ETag.', headers: { ETag: etag } },
    },
  },
  updateIncident: {
    ...base,
    method: 'PATCH',
    path: '/incidents/{id}',
    summary: 'Update an incident',
    description:
      'A JSON merge patch: fields that are not named stay as they are, also when others change them at the same time. ' +
      'The state changes as its table allows; a forbidden change answers 409 with `allowed_transitions`.',
    access: 'itsm_agent',
    params: incidentParams,
    headers: ifMatchHeaders,
    body: incidentUpdate,
    bodyExample: { state: 'in_progress', assigned_to: 'ada.lovelace@example.com', work_note: 'Looking at the queue.' },
    responses: {
      200: { description: 'The incident after it.', body: incident, headers: { ETag: etag }, example: incidentExample },
    },
    errors: ['invalid_transition', 'precondition_failed'],
  },
  deleteIncident: {
    ...base,
    method: 'DELETE',
    path: '/incidents/{id}',
    summary: 'Delete an incident',
    description: 'It disappears from everything that callers see and is kept for audit. Its state stays as it is.',
    access: 'itsm_manager',
    params: incidentParams,
    headers: ifMatchHeaders,
    responses: { 204: { description: 'The incident was deleted.' } },
    errors: ['precondition_failed'],
  },
  listIncidentHistory: {
    ...base,
    method: 'GET',
    path: '/incidents/{id}/history',
    summary: 'List the changes of an incident',
    description: 'Every change since the creation, oldest first. Each was written together with what it changed.',
    access: 'viewer',
    params: incidentParams,
    query: z.strictObject({ limit, cursor, include_deleted: includeDeleted }),
    responses: {
      200: {
        description: 'A page of changes.',
        body: pageOf(historyEntry, 'HistoryPage', 'A page of changes.'),
        example: {
          data: [
            {
              version: 2,
              at: '2026-03-01T09:42:10.120Z',
              actor: 'ada.lovelace@example.com',
              origin: { kind: 'api', id: null },
              changes: { state: { from: 'new', to: 'in_progress' } },
            },
          ],
          total: 2,
        },
      },
    },
  },
  getIncidentSla: {
    ...base,
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
