import * as z from 'zod';
import { endError, maxCalendarDays } from './change-calendar.ts';
import { idList, listQuery } from './list-query.ts';
import { shiftUnits, type Weekday, weekdays } from './on-call-values.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import {
  acrossFields,
  defaultToNull,
  email,
  id,
  idParams,
  line,
  patchFields,
  text,
  timeBound,
  timestamp,
  withReadOnlyFields,
} from './records.ts';

// On-call schedules. All times of a layer are local times of the schedule (docs/on-call.md explains daylight saving).

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

const date = (description: string) =>
  z.iso
    .date('must be a date such as 2026-03-02')
    .refine((value) => value >= '2000-01-01' && value <= '2199-12-31', 'must be between the years 2000 and 2199')
    .meta({ description, examples: ['2026-03-02'] });

const weekday = z.enum(weekdays);

const restriction = z
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

const optionalFields = { description: text(4_000, 'Description in Markdown.').nullable() };

const requiredFields = {
  name: line(200, 'Name of the schedule.'),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be the name of an IANA time zone, such as Europe/Berlin')
    .meta({ description: 'IANA time zone of all times in the layers.', examples: ['Europe/Berlin'] }),
  layers: z
    .array(layer)
    .min(1)
    .max(maxLayers)
    .meta({
      description:
        'Layers in order of precedence. The first layer that has somebody on call decides; a later layer covers the gaps of ' +
        'the earlier ones. Overrides take precedence over all layers.',
    }),
};

const identifiers = { id: scheduleId, number: scheduleId.meta({ description: 'Same as `id`.' }) };

const computed = {
  calendar_key_created_at: timestamp(
    'Time at which the key of the calendar feed was created; null without a feed.',
  ).nullable(),
  deleted: z.boolean().meta({ description: 'Whether the schedule is deleted.' }),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last update.'),
};

export const schedule = z
  .strictObject({ ...identifiers, ...requiredFields, ...optionalFields, ...computed })
  .meta({ id: 'Schedule', description: 'On-call schedule.' });

export type Schedule = z.infer<typeof schedule>;

const setByService = { ...identifiers, ...computed };

export const scheduleCreation = withReadOnlyFields(
  z
    .strictObject({ ...requiredFields, ...defaultToNull(optionalFields) })
    .meta({ id: 'ScheduleCreation', description: 'New schedule.' }),
  setByService,
);

export type ScheduleCreation = z.output<typeof scheduleCreation>;

export const schedulePatch = withReadOnlyFields(
  z
    .strictObject(patchFields({ ...requiredFields, ...optionalFields }))
    .meta({ id: 'SchedulePatch', description: 'Fields to update. `layers` replaces all layers.' }),
  setByService,
);

export type SchedulePatch = z.output<typeof schedulePatch>;

// Overrides: somebody takes a period, whatever the layers say.

export const overrideId = id('override', 'ID of the override.', 'ovr_01HZX3V9K4M2Q8R7T6Y5W0ABCD');

export const maxOverrideDays = 92;

export const override = z
  .strictObject({
    id: overrideId,
    person: z.string().meta({ format: 'email', description: 'Person who is on call.' }),
    starts_at: timestamp('Start of the override.'),
    ends_at: timestamp('End of the override.'),
    reason: z.string().nullable().meta({ description: 'Reason for the override.' }),
    created_by: z.string().meta({ format: 'email', description: 'Caller who created the override.' }),
    created_at: timestamp('Time of creation. Of overlapping overrides, the newest one applies.'),
  })
  .meta({ id: 'Override', description: 'Period that a person takes over.' });

export type Override = z.infer<typeof override>;

/** Accepts any UTC offset; stores and returns UTC. */
const time = (description: string) =>
  z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp, such as 2026-03-01T09:30:00Z' })
    .overwrite((value) => (Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString()))
    .meta({ description, examples: ['2026-03-07T20:00:00Z'] });

const periodFields = {
  person: personEmail('Person who is on call.'),
  starts_at: time('Start of the period.'),
  ends_at: time(`End of the period, at most ${maxOverrideDays} days after \`starts_at\`.`),
};

type PeriodFields = { starts_at: string; ends_at: string };

const dayMs = 86_400_000;

const getLengthMs = ({ starts_at, ends_at }: PeriodFields) => Date.parse(ends_at) - Date.parse(starts_at);

const endsAfterStart = acrossFields<PeriodFields>({
  of: ['starts_at', 'ends_at'],
  at: 'ends_at',
  error: 'must be after starts_at',
});

const isShortEnough = acrossFields<PeriodFields>({
  of: ['starts_at', 'ends_at'],
  at: 'ends_at',
  error: `must be at most ${maxOverrideDays} days after starts_at`,
});

export const overrideCreation = withReadOnlyFields(
  z
    .strictObject({ ...periodFields, ...defaultToNull({ reason: line(200, 'Reason for the override.').nullable() }) })
    .refine((period) => getLengthMs(period) > 0, endsAfterStart)
    .refine((period) => getLengthMs(period) <= maxOverrideDays * dayMs, isShortEnough)
    .meta({ id: 'OverrideCreation', description: 'New override.' }),
  { id: true, created_by: true, created_at: true },
);

export type OverrideCreation = z.output<typeof overrideCreation>;

const swappedPeriod = z
  .strictObject(periodFields)
  .refine((period) => getLengthMs(period) > 0, endsAfterStart)
  .refine((period) => getLengthMs(period) <= maxOverrideDays * dayMs, isShortEnough)
  .meta({ id: 'SwappedPeriod', description: 'Period in which the person is on call.' });

export type SwappedPeriod = z.output<typeof swappedPeriod>;

const swap = z
  .strictObject({ first: swappedPeriod, second: swappedPeriod })
  .meta({ id: 'ShiftSwap', description: 'Two periods whose people take the place of each other.' });

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

/** Zod accepts names that Intl resolves; offsets such as +01:00 are not time zones of the IANA database. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

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

const overrideExample: Override = {
  id: 'ovr_01HZX3V9K4M2Q8R7T6Y5W0ABCD',
  person: 'manager@example.com',
  starts_at: '2036-03-07T20:00:00.000Z',
  ends_at: '2036-03-08T08:00:00.000Z',
  reason: 'Day off of the agent.',
  created_by: 'manager@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
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
  getOverrides: {
    ...base,
    method: 'GET',
    path: '/schedules/{id}/overrides',
    summary: 'Get the overrides of a schedule',
    description: 'Returns the overrides that end after `from`, by start.',
    access: 'viewer',
    params: idParams(scheduleId),
    query: z.strictObject({ from: timeBound('Return only overrides that end after this time. The default is now.') }),
    responses: {
      200: {
        description: 'The overrides.',
        body: z
          .strictObject({ overrides: z.array(override) })
          .meta({ id: 'OverrideList', description: 'Overrides of a schedule.' }),
        example: { overrides: [overrideExample] },
      },
    },
  },
  createOverride: {
    ...base,
    method: 'POST',
    path: '/schedules/{id}/overrides',
    summary: 'Create an override',
    description:
      'Makes a person on call for a period, whatever the layers say. Of overlapping overrides, the newest one applies. ' +
      'Agents can take periods themselves; an override for somebody else requires the role `itsm_manager`. Repeating a ' +
      'request returns the override that exists. A schedule has at most 200 overrides that have not ended.',
    access: 'itsm_agent',
    params: idParams(scheduleId),
    body: overrideCreation,
    bodyExample: {
      person: overrideExample.person,
      starts_at: overrideExample.starts_at,
      ends_at: overrideExample.ends_at,
      reason: overrideExample.reason,
    },
    responses: { 201: { description: 'The override.', body: override, example: overrideExample } },
    errors: ['limit_reached'],
  },
  deleteOverride: {
    ...base,
    method: 'DELETE',
    path: '/schedules/{id}/overrides/{override_id}',
    summary: 'Delete an override',
    description:
      'Deletes an override. Agents can delete those that they created or that make them on call; others require the role ' +
      '`itsm_manager`. The history of the schedule shows the deleted override.',
    access: 'itsm_agent',
    params: z.strictObject({ id: scheduleId, override_id: overrideId }),
    responses: { 204: { description: 'The override was deleted.' } },
  },
  swapShifts: {
    ...base,
    method: 'POST',
    path: '/schedules/{id}/swaps',
    summary: 'Swap two shifts',
    description:
      'Creates two overrides at once: each person takes the period of the other. Each person must be on call during the ' +
      'whole own period. Agents can swap their own shifts; other swaps require the role `itsm_manager`. Repeating a ' +
      'request returns the overrides that exist.',
    access: 'itsm_agent',
    params: idParams(scheduleId),
    body: swap,
    bodyExample: {
      first: {
        person: 'agent@example.com',
        starts_at: '2036-03-04T09:00:00Z',
        ends_at: '2036-03-05T09:00:00Z',
      },
      second: {
        person: 'manager@example.com',
        starts_at: '2036-03-11T09:00:00Z',
        ends_at: '2036-03-12T09:00:00Z',
      },
    },
    responses: {
      201: {
        description: 'The two overrides.',
        body: z
          .strictObject({ overrides: z.array(override) })
          .meta({ id: 'SwapResult', description: 'Overrides of a swap.' }),
        example: { overrides: [overrideExample] },
      },
    },
    errors: ['limit_reached'],
  },
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
  createCalendarKey: {
    ...base,
    method: 'POST',
    path: '/schedules/{id}/calendar-key',
    summary: 'Create the key of a calendar feed',
    description:
      'Creates a secret address under which calendar applications find the shifts of the schedule. Only this response ' +
      'contains the key. An earlier key of the schedule becomes invalid.',
    access: 'itsm_manager',
    params: idParams(scheduleId),
    responses: {
      201: {
        description: 'The address.',
        body: z
          .strictObject({
            key: z.string().meta({ description: 'Secret key of the feed.' }),
            url: z.string().meta({ description: 'Address of the feed with the key.' }),
          })
          .meta({ id: 'CalendarKey', description: 'Address of a calendar feed.' }),
        example: {
          key: '0f3b…',
          url: 'https://incidents.example.com/prod/api/v1/schedules/SCH5N8R2KD/calendar.ics?key=0f3b…',
        },
      },
    },
  },
  deleteCalendarKey: {
    ...base,
    method: 'DELETE',
    path: '/schedules/{id}/calendar-key',
    summary: 'Revoke the key of a calendar feed',
    description: 'Revokes the key, so that calendar applications no longer get the shifts.',
    access: 'itsm_manager',
    params: idParams(scheduleId),
    responses: { 204: { description: 'The key is revoked.' } },
  },
  getCalendar: {
    ...base,
    method: 'GET',
    path: '/schedules/{id}/calendar.ics',
    summary: 'Get the calendar feed of a schedule',
    description:
      'Returns the shifts of the last 30 and the next 92 days as iCalendar (RFC 5545), for calendar applications. The key ' +
      'replaces the access token. A wrong key returns 404.',
    access: 'public',
    params: idParams(scheduleId),
    query: z.strictObject({
      key: z.string().min(1).max(200).meta({ description: 'Key of the feed.' }),
      person: personEmail('Return only the shifts of this person.').optional(),
    }),
    responses: {
      200: {
        description: 'The shifts.',
        body: z.string().meta({ description: 'iCalendar.' }),
        contentType: 'text/calendar',
        example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n',
      },
    },
  },
});
