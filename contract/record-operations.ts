import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { HeaderSpec } from './operation.ts';
import {
  callerEmail,
  cursor,
  etag,
  flag,
  historyExample,
  historyPage,
  idempotencyHeaders,
  idempotentReplayed,
  type idParams,
  ifMatchHeaders,
  ifNoneMatchHeaders,
  limit,
  location,
  pageSchema,
  text,
  timestamp,
} from './records.ts';

// Operations that all record types share.

export interface RecordKind<Path extends string, Shown extends z.ZodObject, Capability extends string = string> {
  /** routes.ts checks that it is one of the capabilities. */
  capability: Capability;
  /** Path of the collection. */
  path: Path;
  /** Singular and plural name for descriptions. */
  thing: string;
  things: string;
  params: ReturnType<typeof idParams>;
  record: Shown;
  example: z.output<Shown>;
}

export function recordOperations<const Path extends string, Shown extends z.ZodObject, const Capability extends string>(
  kind: RecordKind<Path, Shown, Capability>,
) {
  const { capability, path, thing, things, params, record, example } = kind;
  const base = { capability, rateLimit: 'general' } as const;
  const aThing = /^[aeiou]/.test(thing) ? `an ${thing}` : `a ${thing}`;
  const one = `${path}/{id}` as const;
  const named = (suffix: string) => `${record.meta()?.id}${suffix}`;
  const includeDeleted = flag(`Whether to include a deleted ${thing}. Requires the role \`itsm_manager\`.`);
  const changed = {
    200: { description: `The updated ${thing}.`, body: record, headers: { ETag: etag }, example },
  } as const;
  return {
    list: <Query extends z.ZodObject>(query: Query) =>
      ({
        ...base,
        action: 'list',
        method: 'GET',
        path,
        summary: `List ${things}`,
        description: `Lists ${things} that match all filters. Deleted ${things} are not included.`,
        access: 'viewer',
        query,
        responses: {
          200: {
            description: `A page of ${things}.`,
            body: pageSchema(record, named('Page'), `A page of ${things}.`),
            example: { data: [example], next_cursor: 'eyJ2IjoxfQ.3q2-7w', total: 61 },
          },
        },
      }) as const,
    create: <Body extends z.ZodObject>(
      body: Body,
      { description, bodyExample, created, addedHeaders }: Described & { created?: Partial<z.output<Shown>> },
    ) =>
      ({
        ...base,
        action: 'create',
        method: 'POST',
        path,
        summary: `Create ${aThing}`,
        description,
        access: 'itsm_agent',
        headers: idempotencyHeaders,
        body,
        bodyExample,
        responses: {
          201: {
            description: `The ${thing} was created.`,
            body: record,
            headers: { ETag: etag, Location: location, 'Idempotent-Replayed': idempotentReplayed, ...addedHeaders },
            example: { ...example, ...created },
          },
        },
        errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
      }) as const,
    get: {
      ...base,
      action: 'get',
      method: 'GET',
      path: one,
      summary: `Get ${aThing}`,
      description: `Returns ${aThing}. Managers can get a deleted ${thing} with \`include_deleted\`.`,
      access: 'viewer',
      params,
      query: z.strictObject({ include_deleted: includeDeleted }),
      headers: ifNoneMatchHeaders,
      responses: {
        200: { description: `The ${thing}.`, body: record, headers: { ETag: etag }, example },
        304: { description: `The ${thing} has not changed.`, headers: { ETag: etag } },
      },
    } as const,
    update: <Body extends z.ZodObject>(body: Body, { bodyExample, description, addedHeaders }: Described) =>
      ({
        ...base,
        action: 'update',
        method: 'PATCH',
        path: one,
        summary: `Update ${aThing}`,
        description: `Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. ${description}`,
        access: 'itsm_agent',
        params,
        headers: ifMatchHeaders,
        body,
        bodyExample,
        responses: { 200: { ...changed[200], headers: { ...changed[200].headers, ...addedHeaders } } },
        errors: ['invalid_transition', 'precondition_failed'],
      }) as const,
    /** An action on one record. */
    act: <const Name extends string, Body extends z.ZodType>(
      name: Name,
      body: Body,
      { summary, ...rest }: Described & { summary: string; access: 'itsm_agent' | 'itsm_manager' },
    ) =>
      ({
        ...base,
        action: 'update',
        method: 'POST',
        path: `${one}/${name}` as `${typeof one}/${Name}`,
        summary,
        params,
        headers: ifMatchHeaders,
        body,
        responses: changed,
        errors: ['invalid_transition', 'precondition_failed'] as readonly ErrorCode[],
        ...rest,
      }) as const,
    delete: {
      ...base,
      action: 'delete',
      method: 'DELETE',
      path: one,
      summary: `Delete ${aThing}`,
      description: `Deletes ${aThing}. Deleted ${things} are hidden but retained for audit, and keep their state.`,
      access: 'itsm_manager',
      params,
      headers: ifMatchHeaders,
      responses: { 204: { description: `The ${thing} was deleted.` } },
      errors: ['precondition_failed'],
    } as const,
    history: {
      ...base,
      action: 'history',
      method: 'GET',
      path: `${one}/history`,
      summary: `List the history of ${aThing}`,
      description: `Lists all changes of ${aThing}, oldest first.`,
      access: 'viewer',
      params,
      query: z.strictObject({ limit, cursor, include_deleted: includeDeleted }),
      responses: { 200: { description: 'A page of changes.', body: historyPage, example: historyExample } },
    } as const,
  };
}

interface Described {
  description: string;
  bodyExample: unknown;
  /** Further headers of the response. */
  addedHeaders?: Readonly<Record<string, HeaderSpec>>;
}

// Fields and operations shared by all records that need a manager's approval.

/** Set by the service on creation and on the decision. */
export const approvalFields = {
  requested_by: callerEmail('Caller who created the record.'),
  decision_by: callerEmail('Caller who approved or rejected the record.').nullable(),
  decision_at: timestamp('Time of the decision.').nullable(),
  decision_note: z.string().nullable().meta({ description: 'Note on the decision.' }),
};

/** The note is optional, so the body is too. */
export const decision = z
  .strictObject({ note: text(4_000, 'Note for the requester.').nullable().default(null) })
  .prefault({})
  .meta({ id: 'Decision', description: 'Approval or rejection.' });

export type Decision = z.output<typeof decision>;

export const updateText = (approvedFields: readonly string[]) =>
  'A state transition that is not allowed returns 409 with `allowed_transitions`. Use the approve and reject operations ' +
  `to decide. After approval, changing ${approvedFields.map((field) => `\`${field}\``).join(', ')} returns 409 ` +
  '`already_approved`.';

/** Adds the approval errors to an update operation. */
export const approvable = <Operation extends { errors: readonly ErrorCode[] }>(operation: Operation) => ({
  ...operation,
  errors: [...operation.errors, 'already_approved' as const],
});

const duties =
  'Callers cannot decide on their own records, except with the role `super_admin`. If several callers decide at the same ' +
  'time, the first decision wins and the others return 409.';

export const decisionTexts = (aThing: string) => ({
  approve: {
    summary: `Approve ${aThing}`,
    description: duties,
    access: 'itsm_manager' as const,
    bodyExample: { note: 'Tested in staging, go ahead.' },
  },
  reject: {
    summary: `Reject ${aThing}`,
    description: duties,
    access: 'itsm_manager' as const,
    bodyExample: { note: 'Not in the last week of the quarter.' },
  },
});
