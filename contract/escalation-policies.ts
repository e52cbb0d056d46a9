import * as z from 'zod';
import { idPatterns } from './ids.ts';
import { defaultToNull, email, id, line, patchFields, text, timestamp, withReadOnlyFields } from './records.ts';
import { priority } from './sla.ts';

// Escalation policies: who is paged, in which order, until somebody acknowledges; and the policy of each group.

export const escalationPolicyId = id('escalationPolicy', 'ID of the escalation policy.', 'ESC3V7T9QM');

export const targetTypes = ['schedule', 'person', 'group'] as const;

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

const step = z
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

const optionalFields = {
  description: text(4_000, 'Description in Markdown.').nullable(),
  acknowledgement_expires_minutes: z.int().min(5).max(1_440).nullable().meta({
    description:
      'Minutes after an acknowledgement without progress before the escalation continues; null if acknowledgements do not expire.',
  }),
};

const requiredFields = {
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
};

const repeat = z
  .int()
  .min(0)
  .max(9)
  .meta({ description: 'How often all steps are repeated after the last one if nobody acknowledges.' });

const identifiers = { id: escalationPolicyId, number: escalationPolicyId.meta({ description: 'Same as `id`.' }) };

const computed = {
  deleted: z.boolean().meta({ description: 'Whether the policy is deleted.' }),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last update.'),
};

export const escalationPolicy = z
  .strictObject({ ...identifiers, ...requiredFields, repeat, ...optionalFields, ...computed })
  .meta({ id: 'EscalationPolicy', description: 'Escalation policy.' });

export type EscalationPolicy = z.infer<typeof escalationPolicy>;

const setByService = { ...identifiers, ...computed };

export const escalationPolicyCreation = withReadOnlyFields(
  z
    .strictObject({ ...requiredFields, repeat: repeat.default(0), ...defaultToNull(optionalFields) })
    .meta({ id: 'EscalationPolicyCreation', description: 'New escalation policy.' }),
  setByService,
);

export type EscalationPolicyCreation = z.output<typeof escalationPolicyCreation>;

export const escalationPolicyPatch = withReadOnlyFields(
  z
    .strictObject(patchFields({ ...requiredFields, repeat, ...optionalFields }))
    .meta({ id: 'EscalationPolicyPatch', description: 'Fields to update. `steps` replaces all steps.' }),
  setByService,
);

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
