import * as z from 'zod';
import { type IncidentCreation, incidentCreation, incidentId } from '../../contract/incidents.ts';
import type { BulkIncidents, JobResult } from '../../contract/jobs.ts';
import { draftIncident } from '../incidents/draft-incident.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { incidentChange } from '../incidents/incident-change.ts';
import type { Clock } from '../platform/clock.ts';
import { fieldProblems } from '../platform/http/field-problems.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import { notFound } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Author, apiAuthor } from '../records/record.ts';
import { writeOnce } from '../records/write-once.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import type { Job } from './job.ts';
import { resultWrite } from './job-store.ts';

// One record of a job, by the same rules as a request for it alone. Its result is part of the transaction that does it,
// so it is done and known to be done, or neither.

export interface ItemTools {
  store: Pick<ItemStore, 'transact'>;
  change: Changer<IncidentDocument>;
  policy: SlaPolicy;
  clock: Clock;
}

/** Another delivery of the same message did the record first. */
export class AlreadyDone extends Error {}

export async function doItem(job: Job, request: BulkIncidents, index: number, tools: ItemTools): Promise<void> {
  const author: Author = { ...apiAuthor(job.caller), origin: { kind: 'job', id: job.job_id } };
  if (request.operation === 'create') await createItem(job, request.records[index], index, author, tools);
  else await updateItem(job, { id: request.ids[index]!, fields: request.fields }, index, author, tools);
}

/** What a failed record tells about itself. */
export function failedResult(index: number, request: BulkIncidents, error: ServiceError): JobResult {
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

async function createItem(
  job: Job,
  record: unknown,
  index: number,
  author: Author,
  { store, policy, clock }: ItemTools,
): Promise<void> {
  const creation = parseCreation(record);
  const nowMs = clock.now();
  await writeOnce(store, undefined, nowMs, () => {
    const drafted = draftIncident(creation, author, nowMs, policy);
    const result: JobResult = { index, id: drafted.record.id, status: 'succeeded' };
    return { writes: [resultWrite(job, result), ...drafted.writes], answer: { status: 201, body: null }, refused };
  });
}

async function updateItem(
  job: Job,
  { id, fields }: { id: string; fields: Extract<BulkIncidents, { operation: 'update' }>['fields'] },
  index: number,
  author: Author,
  { change, policy }: ItemTools,
): Promise<void> {
  if (!incidentId.safeParse(id).success) throw notFound(id);
  const result = resultWrite(job, { index, id, status: 'succeeded' });
  await change({
    id,
    author,
    apply: (before, nowMs) => {
      const changed = incidentChange(before, fields, author.actor, nowMs, policy);
      return { ...changed, alongside: [...(changed.alongside ?? []), result] };
    },
    refused: (by) => {
      refused(by);
      throw new Error(`the condition of "${by}" did not hold in a change of ${id}`);
    },
  });
}

function parseCreation(record: unknown): IncidentCreation {
  const { data, problems } = fieldProblems(incidentCreation, record, 'body');
  if (problems.length === 0) return data as IncidentCreation;
  throw new ServiceError('invalid_input', 'The record is not valid.', { members: { errors: problems } });
}

function refused(by: string): void {
  if (by === 'result') throw new AlreadyDone();
}

const members = z.object({
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  allowed_transitions: z.array(z.string()).optional(),
});
