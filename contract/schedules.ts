import * as z from 'zod';
import { endError, maxCalendarDays } from './change-calendar.ts';
import { idList, listQuery } from './list-query.ts';
import { shiftUnits, type Weekday, weekdays } from './on-call-values.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { recordSchemas } from './record-schemas.ts';
import { acrossFields, email, id, idParams, line, text, timeBound, timestamp, timeZone } from './records.ts';

// On-call schedules and their shifts. All times of a layer are local times of the schedule (docs/on-call.md explains daylight saving).

export const scheduleId = id('schedule', 'ID of the schedule.', 'SCH5N8R2KD');

export const maxLayers = 10;

export const maxLayerPeople = 50;

/** People are compared in lower case. */
export const personEmail = (description: string) => email(description).overwrite((value) => value.toLowerCase());

const timeOfDay = (description: string) =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:00')
    .meta({ description, examples: ['09:00'] });

export const date = (description: string) =>
  z.iso
    .date('must be a date such as 2026-03-02')
    .refine((value) => value >= '2000-01-01' && value <= '2199-12-31', 'must be between the years 2000 and 2199')
    .meta({ description, examples: ['2026-03-02'] });

const weekday = z.enum(weekdays);

export const restriction = z
  .strictObject({
    weekdays: z
      .array(weekday)
      .min(1)
      .max(weekdays.length)
      .refine((days) => new Set(days).size === days.length, 'must not contain duplicates')
      .meta({ description: 'Days on which the period begins.' }),
    from: timeOfDay('Local time at which the period begins.'),
    to: timeOfDay(
      'Local time at which the period ends: on the next day if it is not after `from`. Equal times are 24 hours.',
    ),
  })
  .meta({ id: 'Restriction', description: 'Period of the week in which a layer is on call.' });

export type Restriction = z.output<typeof restriction>;

const layerFields = {
  name: line(100, 'Name of the layer.'),
  people: z
    .array(personEmail('Person in the rotation.'))
    .min(1)
    .max(maxLayerPeople)
    .meta({ description: 'People who take turns, in this order. A person may occur several times.' }),
  shift_length: z.int().min(1).max(365).meta({ description: 'Length of a shift in `shift_unit`.' }),
  shift_unit: z.enum(shiftUnits).meta({ description: 'Unit of `shift_length`.' }),
  handoff_time: timeOfDay('Local time of the hand-off.'),
  handoff_weekday: weekday
    .nullable()
    .default(null)
    .meta({ description: 'Day of the hand-off: required for shifts in weeks, null otherwise.' }),
  starts_on: date(
    'Local date on which the layer begins, at `handoff_time`. The first person begins. With weeks, the first shift ends ' +
      'on the next `handoff_weekday` that completes a shift, so it may be shorter.',
  ),
  ends_on: date('Local date on which the layer ends, at `handoff_time`; null for no end.').nullable().default(null),
  restrictions: z
    .array(restriction)
    .max(14)
    .default([])
    .meta({ description: 'Periods in which the layer is on call; always if there are none.' }),
};

type LayerFields = { shift_unit: (typeof shiftUnits)[number]; handoff_weekday: Weekday | null };

const layer = z
  .strictObject(layerFields)
  .refine(
    ({ shift_unit, handoff_weekday }) => (shift_unit === 'weeks') === (handoff_weekday !== null),
    acrossFields<LayerFields>({
      of: ['shift_unit', 'handoff_weekday'],
      at: 'handoff_weekday',
      error: ({ shift_unit }) => (shift_unit === 'weeks' ? 'is required for shifts in weeks' : 'must be null'),
    }),
  )
  .refine(
    ({ starts_on, ends_on }) => ends_on === null || ends_on > starts_on,
    acrossFields<{ starts_on: string; ends_on: string | null }>({
      of: ['starts_on', 'ends_on'],
      at: 'ends_on',
      error: 'must be after starts_on',
    }),
  )
  .meta({ id: 'ScheduleLayer', description: 'People who take turns in a schedule.' });

export type ScheduleLayer = z.output<typeof layer>;

const schemas = recordSchemas({
  schema: 'Schedule',
  thing: 'schedule',
  description: 'On-call schedule.',
  id: scheduleId,
  fields: {
    name: line(200, 'Name of the schedule.'),
    time_zone: timeZone('IANA time zone of all times in the layers.'),
    layers: z
      .array(layer)
      .min(1)
      .max(maxLayers)
      .meta({
        description:
          'Layers in order of precedence. The first layer that has somebody on call decides; a later layer covers the gaps of ' +
          'the earlier ones. Overrides take precedence over all layers.',
      }),
  },
  defaults: {},
  optional: { description: text(4_000, 'Description in Markdown.').nullable() },
  computed: {
    calendar_key_created_at: timestamp(
      'Time at which the key of the calendar feed was created; null without a feed.',
    ).nullable(),
  },
  patch: 'Fields to update. `layers` replaces all layers.',
});

const { record: schedule, creation: scheduleCreation, patch: schedulePatch } = schemas;

export type Schedule = z.output<typeof schedule>;
export type ScheduleCreation = z.output<typeof scheduleCreation>;
export type SchedulePatch = z.output<typeof schedulePatch>;
const shift = z
  .strictObject({
    starts_at: timestamp('Start of the shift, not before `from`.'),
    ends_at: timestamp('End of the shift, not after `to`.'),
    person: z.string().nullable().meta({ description: 'Person on call; null in a gap.' }),
    source: z
      .enum(['layer', 'override', 'gap'])
      .meta({ description: 'Where the shift comes from. In a `gap`, nobody is on call.' }),
    layer: z.int().min(1).nullable().meta({ description: 'Number of the layer; the first one is 1.' }),
    override_id: z.string().nullable().meta({ description: 'ID of the override.' }),
  })
  .meta({ id: 'Shift', description: 'Period with the same person on call.' });

export type ShiftView = z.infer<typeof shift>;

const onCall = z
  .strictObject({
    schedule_id: scheduleId,
    schedule_name: z.string().meta({ description: 'Name of the schedule.' }),
    time_zone: z.string().meta({ description: 'Time zone of the schedule.' }),
    person: z.string().nullable().meta({ description: 'Person on call; null if nobody is.' }),
    until: timestamp('Time of the next hand-off; null if there is none within 14 days.').nullable(),
    next_person: z.string().nullable().meta({ description: 'Person on call after the hand-off; null if nobody is.' }),
  })
  .meta({ id: 'OnCallPerson', description: 'Who is on call in a schedule.' });

export type OnCallPerson = z.infer<typeof onCall>;

export const maxShiftDays = maxCalendarDays;

const dayMs = 86_400_000;

const scheduleListQuery = listQuery({
  things: 'schedules',
  filters: {
    id: idList(scheduleId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'SCH5N8R2KD'),
    people: z
      .string()
      .max(1_000)
      .transform((given) => given.split(',').map((one) => one.trim().toLowerCase()))
      .refine((people) => people.every((one) => one.includes('@')), 'must be email addresses separated by commas')
      .optional()
      .meta({
        description: 'Return only schedules with all of these people in their layers.',
        examples: ['ada.lovelace@example.com'],
      }),
  },
  sorts: ['created_at', 'updated_at'],
  searched: 'name, description',
});

const scheduleExample: Schedule = {
  id: 'SCH5N8R2KD',
  number: 'SCH5N8R2KD',
  name: 'Network',
  time_zone: 'Europe/Berlin',
  layers: [
    {
      name: 'Weekly rotation',
      people: ['agent@example.com', 'manager@example.com'],
      shift_length: 1,
      shift_unit: 'weeks',
      handoff_time: '09:00',
      handoff_weekday: 'monday',
      starts_on: '2026-03-02',
      ends_on: null,
      restrictions: [],
    },
  ],
  description: null,
  calendar_key_created_at: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const operations = recordOperations({
  capability: 'oncall',
  path: '/schedules',
  thing: 'schedule',
  things: 'schedules',
  params: idParams(scheduleId),
  record: schedule,
  example: scheduleExample,
});

const base = { capability: 'oncall', rateLimit: 'general' } as const;

const { name, time_zone, layers } = scheduleExample;

export const scheduleOperations = defineOperations({
  listSchedules: operations.list(scheduleListQuery),
  createSchedule: {
    ...operations.create(scheduleCreation, {
      description:
        'Creates an on-call schedule. People who are not in the directory return 400; `errors` lists all of them.',
      bodyExample: { name, time_zone, layers },
    }),
    access: 'itsm_manager',
  },
  getSchedule: operations.get,
  updateSchedule: {
    ...operations.update(schedulePatch, {
      description: '`layers` replaces all layers. Overrides are not changed.',
      bodyExample: { description: 'Backbone, sites and remote access.' },
    }),
    access: 'itsm_manager',
  },
  deleteSchedule: {
    ...operations.delete,
    description:
      'Deletes a schedule and revokes its calendar feed. A schedule that an escalation policy uses returns 409 `in_use`; ' +
      '`used_by` names the policies.',
    errors: [...operations.delete.errors, 'in_use'],
  },
  listScheduleHistory: operations.history,
  getShifts: {
    ...base,
    method: 'GET',
    path: '/schedules/{id}/shifts',
    summary: 'Get the shifts of a schedule',
    description:
      'Returns who is on call in a period: the final shifts in order, without holes. Neighbouring shifts of the same person ' +
      'and source are one shift. A period without a person is a shift with the source `gap`.',
    access: 'viewer',
    params: idParams(scheduleId),
    query: z
      .strictObject({
        from: timeBound('Start of the period.').nonoptional('is required'),
        to: timeBound(`End of the period, at most ${maxShiftDays} days after \`from\`.`).nonoptional('is required'),
      })
      .refine(({ from, to }) => Date.parse(to) > Date.parse(from), endError('must be after from'))
      .refine(
        ({ from, to }) => Date.parse(to) - Date.parse(from) <= maxShiftDays * dayMs,
        endError(`must be at most ${maxShiftDays} days after from`),
      ),
    responses: {
      200: {
        description: 'The shifts.',
        body: z
          .strictObject({ shifts: z.array(shift) })
          .meta({ id: 'ShiftList', description: 'Shifts of a schedule.' }),
        example: {
          shifts: [
            {
              starts_at: '2026-03-02T08:00:00.000Z',
              ends_at: '2026-03-09T08:00:00.000Z',
              person: 'agent@example.com',
              source: 'layer',
              layer: 1,
              override_id: null,
            },
          ],
        },
      },
    },
  },
  getOnCall: {
    ...base,
    method: 'GET',
    path: '/on-call',
    summary: 'Get who is on call',
    description: 'Returns the person on call in each schedule, by name of the schedule. Reads the first 200 schedules.',
    access: 'viewer',
    query: z.strictObject({ at: timeBound('The time. The default is now.') }),
    responses: {
      200: {
        description: 'The people on call.',
        body: z
          .strictObject({
            at: timestamp('The time.'),
            data: z.array(onCall),
            truncated: z.boolean().meta({ description: 'Whether there are more schedules than the response has.' }),
          })
          .meta({ id: 'OnCallList', description: 'People on call.' }),
        example: {
          at: '2026-03-03T12:00:00.000Z',
          data: [
            {
              schedule_id: 'SCH5N8R2KD',
              schedule_name: 'Network',
              time_zone: 'Europe/Berlin',
              person: 'agent@example.com',
              until: '2026-03-09T08:00:00.000Z',
              next_person: 'manager@example.com',
            },
          ],
          truncated: false,
        },
      },
    },
  },
});
