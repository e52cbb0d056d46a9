import * as z from 'zod';
import { ciPatch } from './cis.ts';
import { errors } from './errors.ts';
import type { incidentImport } from './incident-imports.ts';
import { incidentUpdate } from './incidents.ts';
import { defineOperations, type HeaderSpec } from './operation.ts';
import type { problemImport } from './problem-imports.ts';
import { problemPatch } from './problems.ts';
import {
  acrossFields,
  cursor,
  id,
  idempotencyHeaders,
  idempotentReplayed,
  limit,
  logPageSchema,
  timestamp,
} from './records.ts';

// Bulk requests for up to 100 records. The job validates each record separately, so an invalid one fails alone.

export const maxBulkItems = 100;

export const bulkKinds = ['incident', 'ci', 'problem'] as const;

export type BulkKind = (typeof bulkKinds)[number];

export const bulkOperations = ['update', 'create', 'discover', 'import', 'resolve'] as const;

/** A bulk request of any record type, as jobs see it. */
export type BulkRequest =
  | { operation: 'update' | 'resolve'; ids: readonly string[]; fields: Readonly<Record<string, unknown>> }
  | { operation: 'create' | 'discover'; records: readonly unknown[] }
  | ({ operation: 'import'; records: readonly unknown[] } & ImportOptions);

export interface ImportOptions {
  emit_events: boolean;
  dry_run: boolean;
}

const items = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).min(1).max(maxBulkItems).meta({ description });

const ids = (verb: string, things: string) => items(z.string().min(1).max(255), `IDs of the ${things} to ${verb}.`);

const update = <Fields extends z.ZodObject>(schema: string, things: string, fields: Fields) =>
  z
    .strictObject({
      operation: z.literal('update'),
      ids: ids('update', things),
      fields: fields.meta({ description: 'New values, applied to every record.' }),
    })
    // Not a rule of `fields`, which would then be a schema of its own in the API document.
    .refine(
      (given) => Object.keys((given as { fields: object }).fields).length > 0,
      acrossFields<{ fields: object }>({ of: ['fields'], at: 'fields', error: 'must name at least one field' }),
    )
    .meta({ id: `Bulk${schema}Update`, description: `Updates the same fields of several ${things}.` });

const records = <Name extends string>(operation: Name, id: string, given: string, description: string) =>
  z.strictObject({ operation: z.literal(operation), records: items(z.unknown(), given) }).meta({ id, description });

const create = (schema: string, things: string, creation: string) =>
  records('create', `Bulk${schema}Creation`, `New ${things}, each ${creation} object.`, `Creates several ${things}.`);

/** The job validates each record on its own, so that the request only names its schema. */
const imports = <Schema extends z.ZodType>(thing: 'Incident' | 'Problem', things: string) =>
  z
    .strictObject({
      operation: z.literal('import'),
      records: items(
        z.custom<z.input<Schema>>(() => true).meta({ override: { $ref: `#/components/schemas/${thing}Import` } }),
        `${thing}s of another system.`,
      ),
      emit_events: z.boolean().default(false).meta({
        description: 'Whether the imports emit events, start pages and notify people. They never do by default.',
      }),
      dry_run: z
        .boolean()
        .default(false)
        .meta({ description: 'Only validate; a result has the ID of the record if it was imported before.' }),
    })
    .meta({
      id: `Bulk${thing}Import`,
      description: `Imports ${things} with their dates, notes and history. Requires the role itsm_manager.`,
    });

const bulkBody = <const Variants extends readonly [Variant, ...Variant[]]>(variants: Variants) =>
  z.discriminatedUnion('operation', variants, {
    error: ({ code, input }) =>
      code === 'invalid_union' && input
        ? `must be one of ${variants.map(({ shape }) => shape.operation.value).join(', ')}`
        : undefined,
  });

type Variant = z.ZodObject<{ operation: z.ZodLiteral<string> }>;

const { resolution, work_note } = incidentUpdate.shape;

export const bulkIncidentsBody = bulkBody([
  update('Incident', 'incidents', incidentUpdate),
  z
    .strictObject({
      operation: z.literal('resolve'),
      ids: ids('resolve', 'incidents'),
      fields: z.strictObject({ resolution, work_note }).default({}).meta({ description: 'Applied to every incident.' }),
    })
    .meta({
      id: 'BulkIncidentResolution',
      description: 'Resolves several open incidents. Those without work in progress change to `in_progress` first.',
    }),
  create('Incident', 'incidents', 'an IncidentCreation'),
  imports<typeof incidentImport>('Incident', 'incidents'),
]);

export const bulkProblemsBody = bulkBody([
  update('Problem', 'problems', problemPatch),
  create('Problem', 'problems', 'a ProblemRecordCreation'),
  imports<typeof problemImport>('Problem', 'problems'),
]);

export const bulkCisBody = bulkBody([
  update('Ci', 'configuration items', ciPatch),
  create('Ci', 'configuration items', 'a CiCreation'),
  records(
    'discover',
    'BulkCiDiscovery',
    'Discovered configuration items, each a CiDiscovery object.',
    'Creates or updates configuration items by name and class.',
  ),
]);

// Bulk operations on up to 100 records. A request returns as soon as its job is stored; the job reports progress and a
// result per record.

export const jobStatuses = ['queued', 'running', 'completed', 'completed_with_errors', 'failed'] as const;

export type JobStatus = (typeof jobStatuses)[number];

const jobId = id('job', 'ID of the job.', 'job_01JNTF3H7Z4T1D8K5W2Q9RXYEB');

const count = (description: string) => z.int().min(0).max(maxBulkItems).meta({ description });

const status = z.enum(jobStatuses).meta({
  id: 'JobStatus',
  description:
    '`queued`: waiting for a worker. `completed`: all records succeeded. `completed_with_errors`: some records failed. ' +
    '`failed`: no record succeeded. A finished job does not change.',
});

const itemError = z
  .strictObject({
    code: z
      .enum(Object.keys(errors) as [keyof typeof errors])
      .meta({ description: 'Error code, as in a problem response.' }),
    detail: z.string().meta({ description: 'Explanation of the error.' }),
    errors: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'All validation problems of the record.' }),
    allowed_transitions: z.array(z.string()).optional().meta({ description: 'Allowed states.' }),
  })
  .meta({ id: 'JobItemError', description: 'Reason a record failed.' });

const jobResult = z
  .strictObject({
    index: count('Zero-based position of the record in the request.'),
    id: z.string().nullable().meta({ description: 'ID of the record; null if none was created.' }),
    status: z.enum(['succeeded', 'failed']),
    already_exists: z
      .boolean()
      .optional()
      .meta({ description: 'True if an earlier import created the record; nothing was changed.' }),
    error: itemError.optional(),
  })
  .meta({ id: 'JobResult', description: 'Result for one record.' });

export type JobResult = z.infer<typeof jobResult>;

const summaryFields = {
  job_id: jobId,
  record_type: z.enum(bulkKinds).meta({ description: 'Type of the records.' }),
  operation: z.enum(bulkOperations).meta({ description: 'Requested operation.' }),
  status,
  total: count('Number of records in the request.'),
  processed: count('Number of processed records.'),
  succeeded: count('Number of records that succeeded.'),
  failed: count('Number of records that failed.'),
  created_by: z.string().meta({ format: 'email', description: 'Creator of the job.' }),
  created_at: timestamp('Time of creation.'),
  started_at: timestamp('Start time; null while queued.').nullable(),
  finished_at: timestamp('Completion time; null while in progress.').nullable(),
};

const jobSummary = z
  .strictObject(summaryFields)
  .meta({ id: 'JobSummary', description: 'Job without the results per record.' });

export type JobSummary = z.infer<typeof jobSummary>;

export const job = z
  .strictObject({
    ...summaryFields,
    results: z.array(jobResult).meta({ description: 'Results in the order of the request.' }),
  })
  .meta({ id: 'Job', description: 'Bulk job. Retained for 30 days.' });

export type Job = z.infer<typeof job>;

const exampleSummary: JobSummary = {
  job_id: 'job_01JNTF3H7Z4T1D8K5W2Q9RXYEB',
  record_type: 'incident',
  operation: 'update',
  status: 'completed_with_errors',
  total: 2,
  processed: 2,
  succeeded: 1,
  failed: 1,
  created_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  started_at: '2026-03-01T09:30:00.250Z',
  finished_at: '2026-03-01T09:30:00.610Z',
};

const exampleJob: Job = {
  ...exampleSummary,
  results: [
    { index: 0, id: 'INC7Q2M4KX', status: 'succeeded' },
    {
      index: 1,
      id: 'INC7Q2M4KY',
      status: 'failed',
      error: { code: 'not_found', detail: 'INC7Q2M4KY does not exist.' },
    },
  ],
};

const jobLocation: HeaderSpec = {
  description: 'URL of the job.',
  example: '/prod/api/v1/jobs/job_01JNTF3H7Z4T1D8K5W2Q9RXYEB',
};

const accepted = {
  202: {
    description: 'The job was queued.',
    body: z
      .strictObject({ job_id: jobId, status, total: summaryFields.total })
      .meta({ id: 'JobAccepted', description: 'Accepted job.' }),
    headers: { Location: jobLocation, 'Idempotent-Replayed': idempotentReplayed },
    example: { job_id: exampleJob.job_id, status: 'queued', total: 2 },
  },
} as const;

const base = { capability: 'jobs' } as const;

const bulk = {
  ...base,
  method: 'POST',
  rateLimit: 'bulk',
  headers: idempotencyHeaders,
  responses: accepted,
  errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
} as const;

export const jobOperations = defineOperations({
  bulkIncidents: {
    ...bulk,
    path: '/incidents/bulk',
    summary: 'Create, update, resolve or import up to 100 incidents',
    description:
      'Starts a job that processes the records one by one with the role the caller has now. An invalid record does not affect ' +
      'the others. `import` keeps dates, authors, state, notes and history of incidents from another system and requires ' +
      '`itsm_manager`. Bulk requests do not count against the rate limit.',
    access: 'itsm_agent',
    body: bulkIncidentsBody,
    bodyExample: { operation: 'update', ids: ['INC7Q2M4KX', 'INC7Q2M4KY'], fields: { assignment_group: 'messaging' } },
  },
  bulkProblems: {
    ...bulk,
    path: '/problems/bulk',
    summary: 'Create, update or import up to 100 problems',
    description:
      'Starts a job that processes the records one by one with the role the caller has now. An invalid record does not affect ' +
      'the others. `import` keeps dates, authors, state, notes and history of problems from another system and requires ' +
      '`itsm_manager`. Bulk requests do not count against the rate limit.',
    access: 'itsm_agent',
    body: bulkProblemsBody,
    bodyExample: { operation: 'update', ids: ['PRB5H2K9QX'], fields: { assignment_group: 'messaging' } },
  },
  bulkCis: {
    ...bulk,
    path: '/cmdb/cis/bulk',
    summary: 'Create, update or discover up to 100 configuration items',
    description:
      'Starts a job that processes the records. `discover` updates the configuration item with the given name and class, or ' +
      'creates it, sets `discovered_at` and emits `ci.discovered`. Bulk requests do not count against the rate limit.',
    access: 'itsm_manager',
    body: bulkCisBody,
    bodyExample: {
      operation: 'discover',
      records: [{ name: 'web-01', class: 'server', ip_address: '10.20.0.15', attributes: { os: 'Debian 13' } }],
    },
  },
  listJobs: {
    ...base,
    method: 'GET',
    path: '/jobs',
    summary: 'List jobs',
    description: "Lists the caller's jobs of the last 30 days, newest first. An `itsm_manager` sees all jobs.",
    access: 'viewer',
    rateLimit: 'general',
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of jobs.',
        body: logPageSchema(jobSummary, 'JobPage', 'A page of jobs.'),
        example: { data: [exampleSummary], total: 1, total_is_exact: true },
      },
    },
  },
  getJob: {
    ...base,
    method: 'GET',
    path: '/jobs/{id}',
    summary: 'Get a job',
    description: 'Returns a job with the result of each record. Only an `itsm_manager` can get the jobs of others.',
    access: 'viewer',
    rateLimit: 'general',
    params: z.strictObject({ id: jobId }),
    responses: { 200: { description: 'The job.', body: job, example: exampleJob } },
  },
});
