import * as z from 'zod';
import { acrossFields } from './across-fields.ts';
import { changeFields, changeId } from './change-fields.ts';
import { ciReference, moment, timestamp } from './records.ts';

export const mostCalendarDays = 92;

/** More changes than anybody can look at; the calendar of a shorter time has fewer. */
export const mostCalendarChanges = 500;

export const mostCollisions = 500;

const dayMs = 86_400_000;

/** `moment` may be left out of lists; a calendar needs both ends. */
const end = (description: string) =>
  moment(description)
    .unwrap()
    .meta({ description, examples: ['2026-03-01'] });

const ends = (error: string) => acrossFields<{ from: string; to: string }>({ of: ['from', 'to'], at: 'to', error });

export const changeCalendarQuery = z
  .strictObject({
    from: end('The beginning of the time to show.'),
    to: end(`Its end, at most ${mostCalendarDays} days later.`),
  })
  .refine(({ from, to }) => Date.parse(to) > Date.parse(from), ends('must be after from'))
  .refine(
    ({ from, to }) => Date.parse(to) - Date.parse(from) <= mostCalendarDays * dayMs,
    ends(`must be at most ${mostCalendarDays} days after from`),
  );

const entry = z
  .strictObject({
    id: changeId,
    ...changeFields,
    planned_start: timestamp('When the work is planned to begin.'),
    planned_end: timestamp('When it is planned to be over.'),
    assignment_group: z.string().nullable().meta({ description: 'The group that carries it out.' }),
    assigned_to: z.string().nullable().meta({ description: 'The person who carries it out.' }),
  })
  .meta({ id: 'CalendarEntry', description: 'A change in the calendar.' });

export type CalendarEntry = z.infer<typeof entry>;

const collision = z
  .strictObject({
    change_ids: z.tuple([changeId, changeId]).meta({ description: 'The two changes, the earlier one first.' }),
    from: timestamp('When they begin to overlap.'),
    to: timestamp('When that is over.'),
    reason: z
      .enum(['same_ci', 'dependency'])
      .meta({ description: 'Whether both touch an item, or one touches what an item of the other depends on.' }),
    ci_ids: z.array(ciReference).meta({ description: 'The items that they meet at.' }),
  })
  .meta({ id: 'Collision', description: 'Two changes that may get into each other’s way.' });

export type Collision = z.infer<typeof collision>;

export const changeCalendar = z
  .strictObject({
    data: z
      .array(entry)
      .meta({ description: `In the order of their start; the first ${mostCalendarChanges} of them.` }),
    collisions: z
      .array(collision)
      .meta({ description: `In the order of their beginning; the first ${mostCollisions} of them.` }),
    total: z.int().min(0).meta({ description: 'How many changes there are.' }),
    collisions_total: z.int().min(0).meta({ description: 'How many collisions the changes shown have.' }),
    truncated: z
      .strictObject({
        changes: z.boolean().meta({
          description: 'Whether there are more changes than the ones shown. Collisions are those of the ones shown.',
        }),
        collisions: z.boolean().meta({ description: 'Whether there are more than the ones shown.' }),
        dependencies: z.boolean().meta({
          description:
            'Whether something depends on more than was followed, so that there may be collisions that are not found.',
        }),
      })
      .meta({ description: 'What was cut short.' }),
  })
  .meta({ id: 'ChangeCalendar', description: 'Planned changes and where they meet.' });

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
