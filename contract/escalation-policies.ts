import * as z from 'zod';
import { idPatterns } from './ids.ts';
import { idList, listQuery } from './list-query.ts';
import { targetTypes } from './on-call-values.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { recordSchemas } from './record-schemas.ts';
import { email, id, idParams, line, text, timestamp, warnings } from './records.ts';
import { priority } from './sla.ts';

// Escalation policies: who is paged, in which order, until somebody acknowledges; and the policy of each group.

export const escalationPolicyId = id('escalationPolicy', 'ID of the escalation policy.', 'ESC3V7T9QM');

export const maxSteps = 10;

export const maxTargets = 10;

const target = z
  .strictObject({
    type: z.enum(targetTypes).meta({
      description: '`schedule`: the person on call. `person`: this person. `group`: everybody in the group.',
    }),
    id: z
      .string()
      .min(1)
      .max(254)
      .meta({
        description: 'ID of the schedule, email address of the person or name of the group.',
        examples: ['SCH5N8R2KD'],
      }),
  })
  // Addresses are compared in lower case.
  .overwrite((given) => (given.type === 'person' ? { ...given, id: given.id.toLowerCase() } : given))
  .superRefine(({ type, id }, context) => {
    if (isTargetId[type](id)) return;
    context.addIssue({ code: 'custom', path: ['id'], message: `must be ${targetIdWords[type]}` });
  })
  .meta({ id: 'EscalationTarget', description: 'Who is paged.' });

export type EscalationTarget = z.output<typeof target>;

const targetIdWords: Readonly<Record<EscalationTarget['type'], string>> = {
  schedule: 'SCH followed by seven characters',
  person: 'an email address',
  group: 'the name of a group with at most 100 characters',
};

const [person, groupName] = [email('Person.'), line(100, 'Group.')];

const isTargetId: Readonly<Record<EscalationTarget['type'], (id: string) => boolean>> = {
  schedule: (id) => idPatterns.schedule.test(id),
  person: (id) => person.safeParse(id).success,
  group: (id) => groupName.safeParse(id).success,
};

export const step = z
  .strictObject({
    targets: z
      .array(target)
      .min(1)
      .max(maxTargets)
      .refine(
        (targets) => new Set(targets.map(({ type, id }) => `${type} ${id}`)).size === targets.length,
        'must not contain duplicates',
      )
      .meta({ description: 'Who is paged in this step, all at the same time.' }),
    wait_minutes: z
      .int()
      .min(1)
      .max(120)
      .meta({ description: 'Minutes without an acknowledgement before the next step.' }),
  })
  .meta({ id: 'EscalationStep', description: 'Step of an escalation policy.' });

export type EscalationStep = z.output<typeof step>;

/** One transaction stores a policy and a mark at each of its schedules, and has at most 100 items. */
const maxPolicySchedules = 40;

/** The schedules that the steps name, each once. */
export function listScheduleIds(steps: readonly { targets: readonly EscalationTarget[] }[]): string[] {
  const targets = steps.flatMap((each) => each.targets);
  return [...new Set(targets.flatMap(({ type, id }) => (type === 'schedule' ? [id] : [])))];
}

const repeat = z
  .int()
  .min(0)
  .max(9)
  .meta({ description: 'How often all steps are repeated after the last one if nobody acknowledges.' });

const schemas = recordSchemas({
  schema: 'EscalationPolicy',
  thing: 'escalation policy',
  description: 'Escalation policy.',
  id: escalationPolicyId,
  fields: {
    name: line(200, 'Name of the policy.'),
    steps: z
      .array(step)
      .min(1)
      .max(maxSteps)
      .refine(
        (steps) => listScheduleIds(steps).length <= maxPolicySchedules,
        `must not name more than ${maxPolicySchedules} schedules`,
      )
      .meta({ description: 'Steps in order. The first one pages at once.' }),
    repeat,
  },
  defaults: { repeat: repeat.default(0) },
  optional: {
    description: text(4_000, 'Description in Markdown.').nullable(),
    acknowledgement_expires_minutes: z.int().min(5).max(1_440).nullable().meta({
      description:
        'Minutes after an acknowledgement without progress before the escalation continues; null if acknowledgements do not expire.',
    }),
  },
  computed: {},
  patch: 'Fields to update. `steps` replaces all steps.',
});

const { record: escalationPolicy, creation: escalationPolicyCreation, patch: escalationPolicyPatch } = schemas;

export type EscalationPolicy = z.output<typeof escalationPolicy>;
export type EscalationPolicyCreation = z.output<typeof escalationPolicyCreation>;
export type EscalationPolicyPatch = z.output<typeof escalationPolicyPatch>;
export const defaultPagingPriorities = ['P1', 'P2'] as const;

const pagingFields = {
  escalation_policy_id: escalationPolicyId
    .nullable()
    .meta({ description: 'Policy that pages for incidents of the group; null if incidents of the group page nobody.' }),
};

const pagingPriorities = z
  .array(priority)
  .min(1)
  .refine((given) => new Set(given).size === given.length, 'must not contain duplicates')
  .meta({ description: 'Priorities that page.' });

export const groupPaging = z
  .strictObject({
    group: z.string().meta({ description: 'Name of the assignment group.' }),
    ...pagingFields,
    priorities: pagingPriorities,
    updated_by: z
      .string()
      .nullable()
      .meta({ format: 'email', description: 'Caller who changed the settings; null if nobody did.' }),
    updated_at: timestamp('Time of the last change; null if nobody changed the settings.').nullable(),
  })
  .meta({ id: 'GroupPaging', description: 'Paging settings of an assignment group.' });

export type GroupPaging = z.infer<typeof groupPaging>;

export const groupPagingUpdate = z
  .strictObject({ ...pagingFields, priorities: pagingPriorities.default([...defaultPagingPriorities]) })
  .meta({ id: 'GroupPagingUpdate', description: 'New paging settings of an assignment group.' });

export type GroupPagingUpdate = z.output<typeof groupPagingUpdate>;

const policyExample: EscalationPolicy = {
  id: 'ESC3V7T9QM',
  number: 'ESC3V7T9QM',
  name: 'Network outages',
  steps: [
    { targets: [{ type: 'person', id: 'agent@example.com' }], wait_minutes: 5 },
    { targets: [{ type: 'person', id: 'manager@example.com' }], wait_minutes: 10 },
  ],
  repeat: 2,
  description: null,
  acknowledgement_expires_minutes: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const policyListQuery = listQuery({
  things: 'escalation policies',
  filters: { id: idList(escalationPolicyId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'ESC3V7T9QM') },
  sorts: ['created_at', 'updated_at'],
  searched: 'name, description',
});

const operations = recordOperations({
  capability: 'oncall',
  path: '/escalation-policies',
  thing: 'escalation policy',
  things: 'escalation policies',
  params: idParams(escalationPolicyId),
  record: escalationPolicy,
  example: policyExample,
});

const checks =
  'Unknown people, deleted or unknown schedules and groups without members return 400; `errors` lists all of them.';

const { name, steps, repeat: repetitions } = policyExample;

const pagingExample: GroupPaging = {
  group: 'network',
  escalation_policy_id: 'ESC3V7T9QM',
  priorities: ['P1', 'P2'],
  updated_by: 'manager@example.com',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const pagingBase = {
  capability: 'oncall',
  rateLimit: 'general',
  path: '/groups/{name}/paging',
  params: z.strictObject({ name: line(100, 'Name of the assignment group.') }),
} as const;

export const escalationPolicyOperations = defineOperations({
  listEscalationPolicies: operations.list(policyListQuery),
  createEscalationPolicy: {
    ...operations.create(escalationPolicyCreation, {
      description: `Creates an escalation policy. ${checks}`,
      bodyExample: { name, steps, repeat: repetitions },
    }),
    access: 'itsm_manager',
  },
  getEscalationPolicy: operations.get,
  updateEscalationPolicy: {
    ...operations.update(escalationPolicyPatch, {
      description: `\`steps\` replaces all steps. ${checks}`,
      bodyExample: { repeat: 3 },
    }),
    access: 'itsm_manager',
  },
  deleteEscalationPolicy: {
    ...operations.delete,
    description:
      'Deletes an escalation policy. A policy that a group uses returns 409 `in_use`; `used_by` names the groups.',
    errors: [...operations.delete.errors, 'in_use'],
  },
  listEscalationPolicyHistory: operations.history,
  getAllGroupPaging: {
    capability: 'oncall',
    rateLimit: 'general',
    method: 'GET',
    path: '/groups/paging',
    summary: 'Get the paging settings of all groups',
    description: 'Returns the settings of all groups that have settings, by name.',
    access: 'viewer',
    responses: {
      200: {
        description: 'The settings.',
        body: z
          .strictObject({ groups: z.array(groupPaging) })
          .meta({ id: 'GroupPagingList', description: 'Paging settings of groups.' }),
        example: { groups: [pagingExample] },
      },
    },
  },
  getGroupPaging: {
    ...pagingBase,
    method: 'GET',
    summary: 'Get the paging settings of a group',
    description: 'Returns the settings of an assignment group. A group without settings pages nobody.',
    access: 'viewer',
    responses: { 200: { description: 'The settings.', body: groupPaging, example: pagingExample } },
  },
  putGroupPaging: {
    ...pagingBase,
    method: 'PUT',
    summary: 'Set the paging settings of a group',
    description:
      'Sets the policy that pages for incidents of an assignment group, and the priorities that page. A null policy ' +
      'stops paging. The name need not be in the directory: then the response has `X-Warnings`.',
    access: 'itsm_manager',
    body: groupPagingUpdate,
    bodyExample: { escalation_policy_id: 'ESC3V7T9QM', priorities: ['P1', 'P2'] },
    responses: {
      200: {
        description: 'The settings.',
        body: groupPaging,
        headers: { 'X-Warnings': warnings },
        example: pagingExample,
      },
    },
  },
});
