import * as z from 'zod';
import { filter, idList, listQuery, missing, not } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { problemId } from './problem-ids.ts';
import { recordOperations } from './record-operations.ts';
import {
  acrossFields,
  callerEmail,
  ciReference,
  defaultToNull,
  email,
  enumList,
  flag,
  id,
  idParams,
  lifecycleFields,
  line,
  patchFields,
  storedCiReference,
  text,
  timeBound,
  timestamp,
  warnings,
  withReadOnlyFields,
} from './records.ts';
import { priority, slaExample, slaFields, slaFilter, slaQuery, slaView } from './sla.ts';
import { incidentStates, priorities } from './states.ts';

const levels = ['high', 'medium', 'low'] as const;

export const incidentId = id('incident', 'ID of the incident.', 'INC7Q2M4KX');

export const incidentParams = idParams(incidentId);

const ciMeta = {
  description: 'Affected configuration item. The service does not check that it exists.',
  examples: ['CI0000042'],
};

/** Default to null on create; null clears them in an update. */
const optionalFields = {
  description: text(32_000, 'Full description in Markdown.').nullable(),
  category: line(100, 'Category.').nullable(),
  subcategory: line(100, 'Subcategory.').nullable(),
  impact: z.enum(levels).nullable().meta({ description: 'Impact.' }),
  urgency: z.enum(levels).nullable().meta({ description: 'Urgency.' }),
  assignment_group: line(100, 'Group that works on the incident.').nullable(),
  assigned_to: email('Person who works on the incident.').nullable(),
  ci_id: storedCiReference.nullable().meta(ciMeta),
  parent_problem_id: line(64, 'ID of the underlying problem.').nullable(),
  change_id: line(64, 'ID of the change that caused or fixes the incident.').nullable(),
  resolution: text(8_000, 'Resolution in Markdown.').nullable(),
};

/** References in requests must have the form of an id; stored ones may be older than this rule. */
const requestFields = {
  ...optionalFields,
  ci_id: ciReference.nullable().meta(ciMeta),
  parent_problem_id: problemId.nullable().meta({ description: 'ID of the underlying problem. It must exist.' }),
  change_id: id(
    'change',
    'ID of the change that caused or fixes the incident. It must exist.',
    'CHG4M8K2TX',
  ).nullable(),
};

const requiredFields = {
  short_description: line(255, 'Summary of the incident in one line.'),
  priority,
  state: z.enum(incidentStates).meta({ description: 'State of the incident.' }),
};

/** For imports, which take the fields as they are stored. */
export const incidentFields = { optionalFields, requiredFields };

const identifiers = { id: incidentId, number: incidentId.meta({ description: 'Same as `id`.' }) };

const computed = {
  ...slaFields,
  external_id: line(255, 'ID in the system that the incident was imported from.').nullable(),
  opened_by: callerEmail('Creator of the incident.'),
  resolved_at: timestamp('Time of resolution.').nullable(),
  closed_at: timestamp('Time of closure.').nullable(),
  acknowledged_at: timestamp(
    'Time at which somebody took responsibility; null again after a reopening and after a change of the group.',
  ).nullable(),
  acknowledged_by: callerEmail('Person or program that acknowledged the incident.').nullable(),
  reopen_count: z.int().min(0).meta({ description: 'Number of times the incident was reopened.' }),
  work_notes_count: z.int().min(0).meta({ description: 'Number of work notes, including private ones.' }),
  ai_suggested_resolution: z
    .string()
    .nullable()
    .meta({ description: 'Suggested resolution, based on similar incidents; null if not available.' }),
  ...lifecycleFields('incident'),
};

export const incident = z
  .strictObject({
    ...identifiers,
    ...requiredFields,
    ...optionalFields,
    ...computed,
  })
  .meta({ id: 'Incident', description: 'Incident.' });

export type Incident = z.infer<typeof incident>;

const setByService = { ...identifiers, ...computed };

export const incidentCreation = withReadOnlyFields(
  z
    .strictObject({
      short_description: requiredFields.short_description,
      priority: requiredFields.priority.default('P3'),
      state: z.literal('new').default('new').meta({ description: 'Initial state, always `new`.' }),
      ...defaultToNull(requestFields),
      notify_stakeholders: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether to notify the assignment group. Not stored.' }),
    })
    .meta({ id: 'IncidentCreation', description: 'New incident.' }),
  setByService,
);

export type IncidentCreation = z.output<typeof incidentCreation>;

const { description: reported, urgency, ci_id } = requestFields;

const incidentReport = withReadOnlyFields(
  z
    .strictObject({
      short_description: requiredFields.short_description,
      ...defaultToNull({ description: reported, urgency, ci_id }),
    })
    .meta({ id: 'IncidentReport', description: 'What the person who reports an incident knows about it.' }),
  setByService,
);

export type IncidentReport = z.output<typeof incidentReport>;

/** A JSON merge patch (RFC 7396). */
export const incidentPatch = withReadOnlyFields(
  z
    .strictObject(patchFields({ ...requiredFields, ...requestFields }))
    .meta({ id: 'IncidentPatch', description: 'Fields to update. null or an empty text clears an optional field.' }),
  setByService,
);

export type IncidentPatch = z.output<typeof incidentPatch>;

export const incidentUpdate = withReadOnlyFields(
  z
    .strictObject({
      ...incidentPatch.shape,
      work_note: text(32_000, 'Work note to add with the update, visible to the team.').optional(),
    })
    .meta({ id: 'IncidentUpdate', description: 'Fields to update and an optional work note.' }),
  setByService,
);

export const incidentSorts = ['created_at', 'priority', 'updated_at', 'sla_breach_at'] as const;

export type IncidentSort = (typeof incidentSorts)[number];

const ageHours = (description: string) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .meta({ description, examples: [72] });

export const incidentListQuery = listQuery({
  things: 'incidents',
  filters: {
    id: idList(incidentId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'INC7Q2M4KX'),
    state: enumList(incidentStates, 'Filter by state, comma-separated.'),
    priority: enumList(priorities, 'Filter by priority, comma-separated.'),
    assignment_group: filter('Filter by assignment group.'),
    assigned_to: filter('Filter by assignee.'),
    category: filter('Filter by category.'),
    opened_by: idList(z.string().min(1).max(254), 'Filter by creator, comma-separated.', 'ada.lovelace@example.com'),
    external_id: filter('Filter by ID in the system that the incident was imported from.'),
    ci_id: idList(storedCiReference, 'Filter by configuration item, comma-separated.', 'CI0000042'),
    parent_problem_id: idList(problemId, 'Filter by underlying problem, comma-separated.', 'PRB5H2K9QX'),
    unassigned: flag('Return only incidents without an assignee.'),
    missing: missing([
      'assignment_group',
      'assigned_to',
      'category',
      'ci_id',
      'parent_problem_id',
      'acknowledged_at',
      'reopen_count',
    ]),
    not: not(['assignment_group', 'assigned_to', 'category', 'opened_by', 'ci_id', 'parent_problem_id']),
    reopened: flag('Return only incidents that were reopened at least once.'),
    sla: slaFilter,
    min_age_hours: ageHours('Return only incidents created at least this many hours ago.'),
    max_age_hours: ageHours('Return only incidents created at most this many hours ago.'),
    resolved_after: timeBound('Return only incidents resolved after this time (exclusive).'),
    resolved_before: timeBound('Return only incidents resolved before this time (exclusive).'),
    acknowledged_after: timeBound('Return only incidents acknowledged after this time (exclusive).'),
    acknowledged_before: timeBound('Return only incidents acknowledged before this time (exclusive).'),
    sla_breach_after: timeBound('Return only incidents whose SLA target ends after this time (exclusive).'),
    sla_breach_before: timeBound('Return only incidents whose SLA target ends before this time (exclusive).'),
  },
  sorts: incidentSorts,
  searched: 'short_description, description, category, external_id',
  sort:
    'Sort field; ties are sorted by ID. `priority` sorts incidents of one priority by the time of their SLA breach. ' +
    '`sla_breach_at` sorts by the time of the breach; incidents without one come last.',
  order:
    'Sort order. `sort=priority&order=asc` lists the most urgent first, `sort=sla_breach_at&order=asc` the next breach.',
}).refine(
  ({ unassigned, assigned_to }) => !(unassigned && assigned_to !== undefined),
  acrossFields<{ unassigned?: unknown }>({
    of: ['unassigned'],
    at: 'unassigned',
    error: 'cannot be combined with assigned_to',
  }),
);

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
  external_id: null,
  sla_breached_at: null,
  opened_by: 'agent@clients.incidents.example.com',
  resolved_at: null,
  closed_at: null,
  acknowledged_at: '2026-03-01T09:34:12.000Z',
  acknowledged_by: 'ada.lovelace@example.com',
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
    description: 'Creates an incident. `opened_by` is set to the caller.',
    bodyExample: {
      short_description: 'Mail is not delivered to external addresses',
      priority: 'P2',
      category: 'email',
      assignment_group: 'messaging',
      notify_stakeholders: true,
    },
    created: { state: 'new', work_notes_count: 0, acknowledged_at: null, acknowledged_by: null },
    addedHeaders: { 'X-Warnings': warnings },
  }),
  reportIncident: {
    ...operations.create(incidentReport, {
      description:
        'Creates an incident from the report of a person. Every role may do this. `opened_by` is set to the caller; the ' +
        'service desk decides on everything else.',
      bodyExample: { short_description: 'I cannot print', description: 'Since this morning, on the second floor.' },
      created: { state: 'new', work_notes_count: 0, acknowledged_at: null, acknowledged_by: null },
    }),
    path: '/incidents/reports',
    summary: 'Report an incident',
    access: 'viewer',
  },
  getIncident: operations.get,
  updateIncident: operations.update(incidentUpdate, {
    description: 'A state transition that is not allowed returns 409 with `allowed_transitions`.',
    bodyExample: { state: 'in_progress', assigned_to: 'ada.lovelace@example.com', work_note: 'Looking at the queue.' },
    addedHeaders: { 'X-Warnings': warnings },
  }),
  deleteIncident: operations.delete,
  listIncidentHistory: operations.history,
  getIncidentSla: {
    capability: 'incidents',
    rateLimit: 'general',
    method: 'GET',
    path: '/incidents/{id}/sla',
    summary: 'Get the SLA of an incident',
    description:
      'Returns the calculation of the SLA step by step: the policy, and the intervals in which the clock was running, paused or outside the open hours. Optionally simulated for another priority.',
    access: 'viewer',
    params: incidentParams,
    query: slaQuery,
    responses: { 200: { description: 'Current state of the SLA clock.', body: slaView, example: slaExample } },
  },
});
