import * as z from 'zod';
import {
  acrossFields,
  defaultToNull,
  email,
  id,
  line,
  patchFields,
  text,
  timestamp,
  withReadOnlyFields,
} from './records.ts';

// On-call schedules. All times of a layer are local times of the schedule (docs/on-call.md explains daylight saving).

export const scheduleId = id('schedule', 'ID of the schedule.', 'SCH5N8R2KD');

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Weekday = (typeof weekdays)[number];

export const shiftUnits = ['hours', 'days', 'weeks'] as const;

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
