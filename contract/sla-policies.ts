import * as z from 'zod';
import { calendarId } from './calendars.ts';
import { idList, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { recordSchemas } from './record-schemas.ts';
import { enumList, id, idParams, line, text, timestamp } from './records.ts';
import { priority } from './sla.ts';
import { slaKinds } from './states.ts';

// SLA policies: the targets of records, and which records they cover (docs/service-levels.md).

export const slaPolicyId = id('slaPolicy', 'ID of the policy.', 'SLA4D7M1RX');

/** 400 days. */
export const maxTargetMinutes = 576_000;

const minutes = (description: string) => z.int().min(1).max(maxTargetMinutes).meta({ description });

const pause_states = z
  .array(z.string().max(40))
  .max(6)
  .refine((states) => new Set(states).size === states.length, 'must not contain duplicates')
  .meta({ description: 'States in which the clock pauses.', examples: [['on_hold']] });

const warning_percent = z
  .int()
  .min(1)
  .max(99)
  .meta({ description: 'Share of the target after which a warning is sent.' });

const schemas = recordSchemas({
  schema: 'SlaPolicy',
  thing: 'SLA policy',
  description: 'SLA policy.',
  id: slaPolicyId,
  fields: {
    name: line(200, 'Name of the policy.'),
    kind: z.enum(slaKinds).meta({ description: 'Kind of the records.' }),
    resolve_minutes: minutes('Target for the resolution, completion or fulfilment, in open minutes.'),
    pause_states,
    warning_percent,
  },
  defaults: {
    pause_states: pause_states
      .optional()
      .meta({ description: 'States in which the clock pauses: by default `on_hold` for incidents.' }),
    warning_percent: warning_percent.default(75),
  },
  optional: {
    description: text(4_000, 'Description in Markdown.').nullable(),
    assignment_group: line(100, 'Only records of this group; null for all. Requests have no group.').nullable(),
    category: line(
      100,
      'Only records with this category, the `item` of a request or the `type` of a change; null for all.',
    ).nullable(),
    priority: priority.nullable().meta({ description: 'Only incidents of this priority; null for all.' }),
    acknowledge_minutes: minutes('Target for the first acknowledgement of an incident; null for none.').nullable(),
    calendar_id: calendarId
      .nullable()
      .meta({ description: 'Calendar whose open hours count; null for around the clock.' }),
  },
  computed: {},
  patch: 'Fields to update.',
});

const { record: slaPolicy, creation: slaPolicyCreation, patch: slaPolicyPatch } = schemas;

export type SlaPolicy = z.output<typeof slaPolicy>;
export type SlaPolicyCreation = z.output<typeof slaPolicyCreation>;
export type SlaPolicyPatch = z.output<typeof slaPolicyPatch>;
export const slaRecalculation = z
  .strictObject({
    revision: z
      .int()
      .min(0)
      .meta({ description: 'Number of the last change of policies, calendars or default targets.' }),
    status: z
      .enum(['pending', 'running', 'completed'])
      .meta({ description: 'Whether open records are calculated with that change.' }),
    started_at: timestamp('Time of the start.').nullable(),
    finished_at: timestamp('Time at which all open records had been visited.').nullable(),
    checked: z.int().min(0).meta({ description: 'Number of open records that were checked.' }),
    changed: z.int().min(0).meta({ description: 'Number of records whose targets changed.' }),
    failed: z.int().min(0).meta({ description: 'Number of records that will be tried again.' }),
  })
  .meta({ id: 'SlaRecalculation', description: 'Recalculation of open records after a change.' });

export type SlaRecalculation = z.infer<typeof slaRecalculation>;

const policyExample: SlaPolicy = {
  id: 'SLA4D7M1RX',
  number: 'SLA4D7M1RX',
  name: 'Network, urgent',
  kind: 'incident',
  assignment_group: 'network',
  category: null,
  priority: 'P1',
  acknowledge_minutes: 15,
  resolve_minutes: 120,
  calendar_id: null,
  pause_states: ['on_hold'],
  warning_percent: 75,
  description: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const operations = recordOperations({
  capability: 'service-levels',
  path: '/sla-policies',
  thing: 'SLA policy',
  things: 'SLA policies',
  params: idParams(slaPolicyId),
  record: slaPolicy,
  example: policyExample,
});

const checks =
  'A policy for exactly the same records as another one returns 400 with the names of both. Open records are recalculated in ' +
  'the background (`GET /sla-policies/recalculation`).';

const { name, kind, assignment_group, priority: urgent, acknowledge_minutes, resolve_minutes } = policyExample;

export const slaPolicyOperations = defineOperations({
  listSlaPolicies: operations.list(
    listQuery({
      things: 'SLA policies',
      filters: {
        id: idList(slaPolicyId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'SLA4D7M1RX'),
        kind: enumList(slaKinds, 'Filter by kind of record, comma-separated.'),
      },
      sorts: ['created_at', 'updated_at'],
      searched: 'name, description',
    }),
  ),
  createSlaPolicy: {
    ...operations.create(slaPolicyCreation, {
      description:
        'Creates an SLA policy. Of all policies that cover a record, the one with the most conditions applies; of those with ' +
        `equally many, the one that names a group, then a category, then a priority. ${checks}`,
      bodyExample: { name, kind, assignment_group, priority: urgent, acknowledge_minutes, resolve_minutes },
    }),
    errors: ['idempotency_key_in_flight', 'idempotency_key_reused', 'limit_reached'],
    access: 'itsm_manager',
  },
  getSlaRecalculation: {
    capability: 'service-levels',
    rateLimit: 'general',
    method: 'GET',
    path: '/sla-policies/recalculation',
    summary: 'Get the recalculation of open records',
    description:
      'Returns how far the last change of a policy, a calendar or the default targets has reached the open records. Closed ' +
      'records keep what was measured.',
    access: 'viewer',
    responses: {
      200: {
        description: 'The recalculation.',
        body: slaRecalculation,
        example: {
          revision: 7,
          status: 'completed',
          started_at: '2026-03-01T09:31:00.000Z',
          finished_at: '2026-03-01T09:31:02.000Z',
          checked: 312,
          changed: 48,
          failed: 0,
        },
      },
    },
  },
  getSlaPolicy: operations.get,
  updateSlaPolicy: {
    ...operations.update(slaPolicyPatch, { description: checks, bodyExample: { warning_percent: 80 } }),
    errors: ['precondition_failed', 'limit_reached'],
    access: 'itsm_manager',
  },
  deleteSlaPolicy: {
    ...operations.delete,
    description: 'Deletes an SLA policy. Open records get the next policy that covers them, or the default targets.',
  },
  listSlaPolicyHistory: operations.history,
});
