import * as z from 'zod';
import type { BulkKind, BulkRequest } from '../../contract/bulk-requests.ts';
import type { JobResult } from '../../contract/jobs.ts';
import { fieldProblems } from '../platform/http/field-problems.ts';
import { ServiceError, truncateProblems } from '../platform/service-error.ts';
import type { Write } from '../records/item-store.ts';
import { type Author, apiAuthor } from '../records/record.ts';
import type { Job } from './job.ts';
import { resultWrite } from './job-store.ts';

// One record of a job, by the same rules as a request for it alone. Its result is part of the transaction that does it,
// so it is done and known to be done, or neither.

/** What has to be known of one record's place in its job. */
export interface JobItem {
  author: Author;
  /** The result that says that the record with the id succeeded; to be written with what was done to it. */
  result(id: string): Write;
}

/** How records of one kind are worked on. What the kind cannot do, its contract does not accept. */
export interface BulkWork {
  create(record: unknown, item: JobItem): Promise<void>;
  update(id: string, fields: Readonly<Record<string, unknown>>, item: JobItem): Promise<void>;
  discover?(record: unknown, item: JobItem): Promise<void>;
}

export interface ItemTools {
  work: Readonly<Record<BulkKind, BulkWork>>;
}

/** Another delivery of the same message did the record first. */
export class AlreadyDone extends Error {}

export async function doItem(job: Job, request: BulkRequest, index: number, { work }: ItemTools): Promise<void> {
  const item: JobItem = {
    author: { ...apiAuthor(job.caller), origin: { kind: 'job', id: job.job_id } },
    result: (id) => resultWrite(job, { index, id, status: 'succeeded' }),
  };
  // Jobs that were made before there was another kind do not name theirs.
  const kind = work[job.record_type ?? 'incident'];
  if (request.operation === 'update') return kind.update(request.ids[index]!, request.fields, item);
  const run = kind[request.operation];
  if (!run) throw new Error(`${request.operation} is no bulk work on records of type ${job.record_type}`);
  return run(request.records[index], item);
}

/** What a failed record tells about itself. */
export function failedResult(index: number, request: BulkRequest, error: ServiceError): JobResult {
  const { errors, allowed_transitions } = members.parse(error.extra.members ?? {});
  return {
    index,
    id: request.operation === 'update' ? request.ids[index]! : null,
    status: 'failed',
    error: {
      code: error.code,
      detail: error.message,
      ...(errors && { errors }),
      ...(allowed_transitions && { allowed_transitions }),
    },
  };
}

/** The record in the form that the schema wants; says all that is wrong with it. */
export function parseRecord<Schema extends z.ZodType>(schema: Schema, record: unknown): z.output<Schema> {
  const { data, problems } = fieldProblems(schema, record, 'body');
  if (problems.length === 0) return data as z.output<Schema>;
  throw new ServiceError('invalid_input', 'The record is invalid.', {
    members: { errors: truncateProblems(problems) },
  });
}

/** To be asked when a condition of the transaction did not hold. */
export function resultRefused(by: string): void {
  if (by === 'result') throw new AlreadyDone();
}

const members = z.object({
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  allowed_transitions: z.array(z.string()).optional(),
});
