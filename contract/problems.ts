import * as z from 'zod';
import { changeId } from './change-calendar.ts';
import { incidentOperations, incidentSorts } from './incidents.ts';
import { filter, idList, listQuery, missing, not, orders } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { problemId } from './problem-ids.ts';
import { recordOperations } from './record-operations.ts';
import { recordSchemas } from './record-schemas.ts';
import {
  acrossFields,
  callerEmail,
  ciReference,
  cursor,
  email,
  enumList,
  flag,
  idParams,
  limit,
  line,
  text,
  timeBound,
  timestamp,
  warnings,
} from './records.ts';
import { priority } from './sla.ts';
import { incidentStates, priorities, problemStates } from './states.ts';
import { recordNotes } from './work-notes.ts';

export const problemParams = idParams(problemId);

const known_error = z.boolean().meta({
  description:
    'Whether the problem is a known error, whose workaround is offered for similar incidents. Requires `root_cause` or ' +
    '`workaround`.',
});

const change_ids = z
  .array(changeId)
  .max(20)
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates')
  .meta({ description: 'Related changes, such as the one that fixes the problem. They must exist.' });

interface Explained {
  known_error: boolean;
  root_cause: string | null;
  workaround: string | null;
}

export const isExplained = ({ known_error, root_cause, workaround }: Explained) =>
  !known_error || root_cause !== null || workaround !== null;

export const knownErrorRule = acrossFields<Explained>({
  of: ['known_error', 'root_cause', 'workaround'],
  at: 'known_error',
  error: 'requires root_cause or workaround',
});

const schemas = recordSchemas({
  // `Problem` is the schema of errors.
  schema: 'ProblemRecord',
  thing: 'problem',
  description: 'Problem: the cause of one or more incidents.',
  id: problemId,
  fields: {
    short_description: line(255, 'Summary of the problem in one line.'),
    priority,
    state: z.enum(problemStates).meta({ description: 'State of the problem.' }),
    known_error,
    change_ids,
  },
  defaults: {
    priority: priority.default('P3'),
    state: z.literal('new').default('new').meta({ description: 'Initial state, always `new`.' }),
    known_error: known_error.default(false),
    change_ids: change_ids.default([]),
  },
  optional: {
    description: text(32_000, 'Full description in Markdown.').nullable(),
    assignment_group: line(100, 'Group that works on the problem.').nullable(),
    assigned_to: email('Person who works on the problem.').nullable(),
    root_cause: text(8_000, 'Root cause in Markdown.').nullable(),
    workaround: text(8_000, 'How to restore the service until the problem is fixed, in Markdown.').nullable(),
    ci_id: ciReference.nullable().meta({
      description: 'Configuration item with the fault. The service does not check that it exists.',
      examples: ['CI0000042'],
    }),
  },
  computed: {
    opened_by: callerEmail('Creator of the problem.'),
    resolved_at: timestamp('Time of resolution.').nullable(),
    closed_at: timestamp('Time of closure.').nullable(),
  },
  refineCreation: (creation) => creation.refine((given) => isExplained(given as unknown as Explained), knownErrorRule),
});

export const { record: problemRecord, creation: problemCreation, patch: problemPatch } = schemas;

export type ProblemRecord = z.output<typeof problemRecord>;
export type ProblemCreation = z.output<typeof problemCreation>;
export type ProblemPatch = z.output<typeof problemPatch>;
export const problemSorts = ['created_at', 'updated_at', 'priority'] as const;

export const problemListQuery = listQuery({
  things: 'problems',
  filters: {
    id: idList(problemId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'PRB5H2K9QX'),
    state: enumList(problemStates, 'Filter by state, comma-separated.'),
    priority: enumList(priorities, 'Filter by priority, comma-separated.'),
    known_error: flag('Return only known errors.'),
    assignment_group: filter('Filter by assignment group.'),
    assigned_to: filter('Filter by assignee.'),
    opened_by: filter('Filter by creator.'),
    ci_id: idList(ciReference, 'Filter by configuration item, comma-separated.', 'CI0000042'),
    change_ids: idList(changeId, 'Return only problems with any of these changes, comma-separated.', 'CHG4M8K2TX'),
    missing: missing(['assignment_group', 'assigned_to', 'ci_id']),
    not: not(['assignment_group', 'assigned_to', 'opened_by', 'ci_id']),
    resolved_after: timeBound('Return only problems resolved after this time (exclusive).'),
    resolved_before: timeBound('Return only problems resolved before this time (exclusive).'),
  },
  sorts: problemSorts,
  searched: 'short_description, root_cause, workaround, description',
  order: 'Sort order. `sort=priority&order=asc` lists the most urgent first.',
});

export const problemExample: ProblemRecord = {
  id: 'PRB5H2K9QX',
  number: 'PRB5H2K9QX',
  short_description: 'The mail relay rejects our certificate after its renewal',
  priority: 'P2',
  state: 'root_cause_known',
  known_error: true,
  change_ids: ['CHG4M8K2TX'],
  description: 'Mail to external addresses stays in the queue after each renewal.',
  assignment_group: 'messaging',
  assigned_to: 'ada.lovelace@example.com',
  root_cause: 'The renewal does not install the intermediate certificate.',
  workaround: 'Install the intermediate certificate by hand and restart the relay.',
  ci_id: 'CI0000042',
  opened_by: 'agent@clients.incidents.example.com',
  resolved_at: null,
  closed_at: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:42:10.120Z',
};

const kind = {
  capability: 'problems',
  path: '/problems',
  thing: 'problem',
  things: 'problems',
  params: problemParams,
  record: problemRecord,
  example: problemExample,
} as const;

const operations = recordOperations(kind);
const notes = recordNotes({ ...kind, aThing: 'a problem' });

export const problemOperations = defineOperations({
  listProblems: operations.list(problemListQuery),
  createProblem: operations.create(problemCreation, {
    addedHeaders: { 'X-Warnings': warnings },
    description: 'Creates a problem. `opened_by` is set to the caller.',
    bodyExample: {
      short_description: problemExample.short_description,
      priority: 'P2',
      workaround: problemExample.workaround,
      known_error: true,
    },
    created: { state: 'new', root_cause: null, change_ids: [] },
  }),
  getProblem: operations.get,
  updateProblem: operations.update(problemPatch, {
    addedHeaders: { 'X-Warnings': warnings },
    description: 'A state transition that is not allowed returns 409 with `allowed_transitions`.',
    bodyExample: { state: 'assessed', root_cause: problemExample.root_cause },
  }),
  deleteProblem: operations.delete,
  listProblemHistory: operations.history,
  listProblemNotes: notes.list,
  createProblemNote: notes.create,
  listProblemIncidents: {
    capability: 'problems',
    rateLimit: 'general',
    method: 'GET',
    path: '/problems/{id}/incidents',
    summary: 'List the incidents of a problem',
    description: 'Lists the incidents whose `parent_problem_id` is the problem.',
    access: 'viewer',
    params: problemParams,
    query: z.strictObject({
      state: enumList(incidentStates, 'Filter by state, comma-separated.'),
      sort: z.enum(incidentSorts).default('created_at').meta({ description: 'Sort field; ties are sorted by ID.' }),
      order: z.enum(orders).default('desc').meta({ description: 'Sort order.' }),
      limit,
      cursor,
    }),
    responses: incidentOperations.listIncidents.responses,
  },
});
