import * as z from 'zod';
import { bulkCisBody, bulkIncidentsBody, bulkKinds, bulkOperations, maximumBulkItems } from './bulk-requests.ts';
import { errors } from './errors.ts';
import { defineOperations, type HeaderSpec } from './operation.ts';
import { cursor, idempotencyHeaders, idempotentReplayed, limit, pageOf, timestamp } from './records.ts';

// Work on up to a hundred records at once. The request is answered as soon as the work is safely stored as a job; the
// job tells how it goes, record by record.

export const jobStatuses = ['queued', 'running', 'completed', 'completed_with_errors', 'failed'] as const;

export type JobStatus = (typeof jobStatuses)[number];

const jobId = z
  .string()
  .regex(/^job_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'The id of the job.', examples: ['job_01JNTF3H7Z4T1D8K5W2Q9RXYEB'] });

const count = (description: string) => z.int().min(0).max(maximumBulkItems).meta({ description });

const status = z.enum(jobStatuses).meta({
  id: 'JobStatus',
  description:
    '`queued`: waits for a worker. `completed`: every record succeeded. `completed_with_errors`: some failed. `failed`: ' +
    'none succeeded. A job that has ended never changes again.',
});

const itemError = z
  .strictObject({
    code: z.enum(Object.keys(errors) as [keyof typeof errors]).meta({ description: 'As in a problem document.' }),
    detail: z.string().meta({ description: 'What happened.' }),
    errors: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'All problems of an invalid record.' }),
    allowed_transitions: z.array(z.string()).optional().meta({ description: 'The states that were possible.' }),
  })
  .meta({ id: 'JobItemError', description: 'Why a record failed.' });

const jobResult = z
  .strictObject({
    index: count('The place of the record in the request, from 0.'),
    id: z.string().nullable().meta({ description: 'The record; null when none was created.' }),
    status: z.enum(['succeeded', 'failed']),
    error: itemError.optional(),
  })
  .meta({ id: 'JobResult', description: 'What became of one record.' });

export type JobResult = z.infer<typeof jobResult>;

const summaryFields = {
  job_id: jobId,
  record_type: z.enum(bulkKinds).meta({ description: 'What kind of records it is about.' }),
  operation: z.enum(bulkOperations).meta({ description: 'What was asked for.' }),
  status,
  total: count('Records in the request.'),
  processed: count('Records that have a result.'),
  succeeded: count('Records that succeeded.'),
  failed: count('Records that failed.'),
  created_by: z.string().meta({ format: 'email', description: 'Who asked for it.' }),
  created_at: timestamp('When it was asked for.'),
  started_at: timestamp('When the work began; null until then.').nullable(),
  finished_at: timestamp('When the work was done; null until then.').nullable(),
};

const jobSummary = z
  .strictObject(summaryFields)
  .meta({ id: 'JobSummary', description: 'A job without the results of its records.' });

export type JobSummary = z.infer<typeof jobSummary>;

export const job = z
  .strictObject({ ...summaryFields, results: z.array(jobResult).meta({ description: 'In the order of the request.' }) })
  .meta({ id: 'Job', description: 'Work on several records, and how it goes. Kept for 30 days.' });

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
      error: { code: 'not_found', detail: 'There is no incident INC7Q2M4KY.' },
    },
  ],
};

const jobLocation: HeaderSpec = {
  description: 'Where the job tells how it goes.',
  example: '/prod/api/v1/jobs/job_01JNTF3H7Z4T1D8K5W2Q9RXYEB',
};

const accepted = {
  202: {
    description: 'The work is stored and will be done.',
    body: z
      .strictObject({ job_id: jobId, status, total: summaryFields.total })
      .meta({ id: 'JobAccepted', description: 'A job that was accepted.' }),
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
    summary: 'Create or update up to 100 incidents',
    description:
      'Answers at once with a job that does the work. Records are checked and written one by one with the role the ' +
      'caller has now; one that is bad fails alone. Requests are not counted against the rate limit.',
    access: 'itsm_agent',
    body: bulkIncidentsBody,
    bodyExample: { operation: 'update', ids: ['INC7Q2M4KX', 'INC7Q2M4KY'], fields: { assignment_group: 'messaging' } },
  },
  bulkCis: {
    ...bulk,
    path: '/cmdb/cis/bulk',
    summary: 'Create, update or discover up to 100 configuration items',
    description:
      'Answers at once with a job that does the work. `discover` updates the configuration item that has the name and ' +
      'the class, or creates it; a new one gets `discovered_at` and is told as `ci.discovered`. Requests are not counted ' +
      'against the rate limit.',
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
    description: "The caller's own jobs of the last 30 days, newest first. Managers see everybody's.",
    access: 'viewer',
    rateLimit: 'general',
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of jobs.',
        body: pageOf(jobSummary, 'JobPage', 'A page of jobs.'),
        example: { data: [exampleSummary], total: 1 },
      },
    },
  },
  getJob: {
    ...base,
    method: 'GET',
    path: '/jobs/{id}',
    summary: 'Get a job',
    description: 'How it goes and what became of each record. Jobs of others are found by managers only.',
    access: 'viewer',
    rateLimit: 'general',
    params: z.strictObject({ id: jobId }),
    responses: { 200: { description: 'The job.', body: job, example: exampleJob } },
  },
});
