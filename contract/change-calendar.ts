import * as z from 'zod';
import { acrossFields, id, instant, line, storedCiReference, timeBound, timestamp } from './records.ts';
import { changeRisks, changeStates, changeTypes } from './states.ts';

// Fields shared by changes and calendar entries.

export const changeId = id('change', 'ID of the change.', 'CHG4M8K2TX');

export const maxChangeItems = 50;

export const itemList = (reference: z.ZodString) =>
  z
    .array(reference)
    .max(maxChangeItems)
    .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates')
    .meta({ description: 'Affected configuration items. The service does not check that they exist.' });

export const changeFields = {
  short_description: line(255, 'Summary of the change in one line.'),
  type: z
    .enum(changeTypes)
    .meta({ description: 'Type of the change: `standard` is routine, `normal` is planned, `emergency` is urgent.' }),
  risk: z.enum(changeRisks).meta({ description: 'Risk of the change.' }),
  state: z.enum(changeStates).meta({ description: 'State of the change.' }),
  ci_ids: itemList(storedCiReference),
};

const plannedTime = (description: string) =>
  instant.nullable().meta({ description, examples: ['2026-03-07T20:00:00Z'] });

export const plannedWindow = {
  planned_start: plannedTime('Planned start of the work.'),
  planned_end: plannedTime('Planned end of the work. Must be after `planned_start`.'),
};

export const maxCalendarDays = 92;

/** Query a shorter range to see more. */
export const maxCalendarChanges = 500;

export const maxCollisions = 500;

const dayMs = 86_400_000;

/** Optional in lists, required here. */
export const requiredTime = (description: string) =>
  timeBound(description)
    .nonoptional('is required')
    .meta({ description, examples: ['2026-03-01'] });

export const endError = (error: string) =>
  acrossFields<{ from: string; to: string }>({ of: ['from', 'to'], at: 'to', error });

export const changeCalendarQuery = z
  .strictObject({
    from: requiredTime('Start of the time range.'),
    to: requiredTime(`End of the time range, at most ${maxCalendarDays} days after \`from\`.`),
  })
  .refine(({ from, to }) => Date.parse(to) > Date.parse(from), endError('must be after from'))
  .refine(
    ({ from, to }) => Date.parse(to) - Date.parse(from) <= maxCalendarDays * dayMs,
    endError(`must be at most ${maxCalendarDays} days after from`),
  );

export const calendarEntry = z
  .strictObject({
    id: changeId,
    ...changeFields,
    planned_start: timestamp('Planned start of the work.'),
    planned_end: timestamp('Planned end of the work.'),
    assignment_group: z.string().nullable().meta({ description: 'Group that implements the change.' }),
    assigned_to: z.string().nullable().meta({ description: 'Person who implements the change.' }),
  })
  .meta({ id: 'CalendarEntry', description: 'Change in the calendar.' });

export type CalendarEntry = z.infer<typeof calendarEntry>;

export const collisionCause = {
  reason: z.enum(['same_ci', 'dependency']).meta({
    description:
      '`same_ci`: both affect the same item. `dependency`: one affects an item that an item of the other depends on.',
  }),
  ci_ids: z.array(storedCiReference).meta({ description: 'Configuration items in conflict.' }),
};

const collision = z
  .strictObject({
    change_ids: z.tuple([changeId, changeId]).meta({ description: 'IDs of the two changes, the earlier one first.' }),
    from: timestamp('Start of the overlap.'),
    to: timestamp('End of the overlap.'),
    ...collisionCause,
  })
  .meta({ id: 'Collision', description: 'Two changes that may conflict.' });

export type Collision = z.infer<typeof collision>;

export const changeCalendar = z
  .strictObject({
    data: z
      .array(calendarEntry)
      .meta({ description: `Changes ordered by planned start, at most ${maxCalendarChanges}.` }),
    collisions: z.array(collision).meta({ description: `Collisions ordered by start, at most ${maxCollisions}.` }),
    total: z.int().min(0).meta({ description: 'Total number of changes in the range.' }),
    collisions_total: z.int().min(0).meta({ description: 'Total number of collisions between the returned changes.' }),
    truncated: z
      .strictObject({
        changes: z.boolean().meta({
          description: 'Whether `data` is incomplete. Collisions cover only the returned changes.',
        }),
        collisions: z.boolean().meta({ description: 'Whether `collisions` is incomplete.' }),
        dependencies: z.boolean().meta({
          description:
            'Whether the dependency graph was too large to follow completely, so that collisions may be missing.',
        }),
      })
      .meta({ description: 'Which parts of the response are incomplete.' }),
  })
  .meta({ id: 'ChangeCalendar', description: 'Planned changes and their collisions.' });

export const changeCalendarExample: z.infer<typeof changeCalendar> = {
  data: [
    {
      id: 'CHG4M8K2TX',
      short_description: 'Renew the certificate of the mail gateway',
      type: 'normal',
      risk: 'low',
      state: 'approved',
      ci_ids: ['CI0000042'],
      planned_start: '2026-03-07T20:00:00.000Z',
      planned_end: '2026-03-07T21:00:00.000Z',
      assignment_group: 'messaging',
      assigned_to: 'ada.lovelace@example.com',
    },
    {
      id: 'CHG9Z1QW3M',
      short_description: 'Restart the mail gateway after the update',
      type: 'standard',
      risk: 'medium',
      state: 'submitted',
      ci_ids: ['CI0000042'],
      planned_start: '2026-03-07T20:30:00.000Z',
      planned_end: '2026-03-07T22:00:00.000Z',
      assignment_group: 'messaging',
      assigned_to: null,
    },
  ],
  collisions: [
    {
      change_ids: ['CHG4M8K2TX', 'CHG9Z1QW3M'],
      from: '2026-03-07T20:30:00.000Z',
      to: '2026-03-07T21:00:00.000Z',
      reason: 'same_ci',
      ci_ids: ['CI0000042'],
    },
  ],
  total: 2,
  collisions_total: 1,
  truncated: { changes: false, collisions: false, dependencies: false },
};
