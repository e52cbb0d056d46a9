import * as z from 'zod';
import type { FieldProblem } from '../../contract/errors.ts';
import type { BulkKind, BulkRequest, ImportOptions, JobResult } from '../../contract/jobs.ts';
import { validateFields } from '../platform/http/request-input.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError, truncateProblems } from '../platform/service-error.ts';
import { type Author, toApiAuthor } from '../records/record.ts';
import type { Write } from '../records/write-items.ts';
import type { Job } from './job.ts';
import { toResultWrite } from './job-store.ts';

// Processes one record of a job by the same rules as a single request. The result is part of the transaction that
// applies the record.

/** The context of one record in its job. */
interface JobItem {
  author: Author;
  /** ETag that an updated record must have. */
  ifMatch?: string | undefined;
  /** Writes the succeeded result in the transaction that applies the record. */
  result(id: string | null, details?: Pick<JobResult, 'already_exists'>): Write;
}

/** How records of one type are processed. The contract rejects operations that a type does not support. */
export interface BulkWork {
  create(record: unknown, item: JobItem): Promise<void>;
  update(id: string, fields: Readonly<Record<string, unknown>>, item: JobItem): Promise<void>;
  resolve?(id: string, fields: Readonly<Record<string, unknown>>, item: JobItem): Promise<void>;
  discover?(record: unknown, item: JobItem): Promise<void>;
  import?(record: unknown, item: JobItem, options: ImportOptions): Promise<void>;
}

export type WorkByKind = Readonly<Record<BulkKind, BulkWork>>;

/** Another delivery of the same message processed the record first. */
export class AlreadyProcessed extends Error {}

export async function processRecord(job: Job, request: BulkRequest, index: number, work: WorkByKind): Promise<void> {
  const item: JobItem = {
    author: { ...toApiAuthor(job.caller), origin: { kind: 'job', id: job.job_id } },
    result: (id, details) => toResultWrite(job, { index, id, status: 'succeeded', ...details }),
  };
  // Jobs of older releases have no record type; all of them are about incidents.
  const kind = work[job.record_type ?? 'incident'];
  const unsupported = () =>
    Promise.reject(new Error(`${request.operation} is not supported for records of type ${job.record_type}`));
  if ('ids' in request) {
    const run = kind[request.operation] ?? unsupported;
    return run(requireValue(request.ids[index]), request.fields, item);
  }
  const run = kind[request.operation] ?? unsupported;
  return run(request.records[index], item, request as ImportOptions);
}

export function toFailedResult(index: number, request: BulkRequest, error: ServiceError): JobResult {
  const { errors, allowed_transitions } = members.parse(error.extra.members ?? {});
  return {
    index,
    id: 'ids' in request ? requireValue(request.ids[index]) : null,
    status: 'failed',
    error: {
      code: error.code,
      detail: error.message,
      ...(errors && { errors }),
      ...(allowed_transitions && { allowed_transitions }),
    },
  };
}

/** Parses a record; the error lists all problems. */
export function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  record: unknown,
  added: readonly FieldProblem[] = [],
): z.output<Schema> {
  const { data, problems: found } = validateFields(schema, record, 'body');
  const problems = [...found, ...added];
  if (problems.length === 0) return data as z.output<Schema>;
  throw new ServiceError('invalid_input', 'The record is invalid.', {
    members: { errors: truncateProblems(problems) },
  });
}

/** Stops the processing when the record already has a result. */
export function throwIfProcessed(by: string): void {
  if (by === 'result') throw new AlreadyProcessed();
}

const members = z.object({
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  allowed_transitions: z.array(z.string()).optional(),
});
