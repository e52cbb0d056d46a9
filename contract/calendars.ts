import * as z from 'zod';
import { idList, listQuery } from './list-query.ts';

import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { recordSchemas } from './record-schemas.ts';
import { id, idParams, ifMatchHeaders, line, text, timeZone } from './records.ts';
import { date, restriction } from './schedules.ts';

// Calendars: the hours in which SLA targets count (docs/service-levels.md).

export const calendarId = id('calendar', 'ID of the calendar.', 'CAL2H6W9PT');

const maxHolidays = 400;

export const maxICalendarCharacters = 500_000;

const holiday = z
  .strictObject({
    date: date('Local date on which everything is closed.'),
    name: line(100, 'Name of the holiday.'),
    yearly: z.boolean().default(false).meta({ description: 'Whether it repeats every year on the same day.' }),
  })
  .meta({ id: 'Holiday', description: 'Day on which everything is closed.' });

export type Holiday = z.output<typeof holiday>;

const holidays = z
  .array(holiday)
  .max(maxHolidays)
  .refine(
    (all) => new Set(all.map(({ date, yearly }) => `${date} ${yearly}`)).size === all.length,
    'must not contain a date twice',
  )
  .meta({ description: 'Days on which everything is closed.' });

const schemas = recordSchemas({
  schema: 'Calendar',
  thing: 'calendar',
  description: 'Open hours in which SLA targets count.',
  id: calendarId,
  fields: {
    name: line(200, 'Name of the calendar.'),
    time_zone: timeZone('IANA time zone of the hours and holidays.'),
    hours: z
      .array(restriction.meta({ id: 'OpenHours', description: 'Open hours of some days of the week.' }))
      .min(1)
      .max(28)
      .meta({ description: 'Open hours of a week. Periods may overlap.' }),
    holidays,
  },
  defaults: { holidays: holidays.default([]) },
  optional: { description: text(4_000, 'Description in Markdown.').nullable() },
  computed: {},
  patch: 'Fields to update. `hours` and `holidays` replace all of them.',
});

const { record: calendar, creation: calendarCreation, patch: calendarPatch } = schemas;

export type Calendar = z.output<typeof calendar>;
export type CalendarCreation = z.output<typeof calendarCreation>;
export type CalendarPatch = z.output<typeof calendarPatch>;
export const holidayImport = z
  .strictObject({
    icalendar: z
      .string()
      .min(1)
      .max(maxICalendarCharacters)
      .meta({ description: 'Contents of an iCalendar file (RFC 5545).', examples: ['BEGIN:VCALENDAR\r\n…'] }),
    replace: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to remove the holidays that it does not contain.' }),
  })
  .meta({ id: 'HolidayImport', description: 'Holidays in an iCalendar file.' });

const holidayImportResult = z
  .strictObject({
    calendar,
    added: z.int().min(0).meta({ description: 'Number of holidays that were added.' }),
    skipped: z
      .array(z.strictObject({ name: z.string(), reason: z.string() }))
      .max(100)
      .meta({ description: 'The first 100 events that are no holidays, with the reason.' }),
  })
  .meta({ id: 'HolidayImportResult', description: 'What an import of holidays changed.' });

export type HolidayImportResult = z.infer<typeof holidayImportResult>;

const calendarExample: Calendar = {
  id: 'CAL2H6W9PT',
  number: 'CAL2H6W9PT',
  name: 'Office hours Berlin',
  time_zone: 'Europe/Berlin',
  hours: [{ weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], from: '09:00', to: '17:00' }],
  holidays: [{ date: '2026-12-25', name: 'Christmas', yearly: true }],
  description: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const operations = recordOperations({
  capability: 'service-levels',
  path: '/calendars',
  thing: 'calendar',
  things: 'calendars',
  params: idParams(calendarId),
  record: calendar,
  example: calendarExample,
});

const checks =
  'A calendar without an open hour in 90 days of the next 400 returns 400. Open records of its policies are recalculated ' +
  'in the background (`GET /sla-policies/recalculation`).';

const { name, time_zone, hours, holidays: holidaysExample } = calendarExample;

export const slaCalendarOperations = defineOperations({
  listSlaCalendars: operations.list(
    listQuery({
      things: 'calendars',
      filters: { id: idList(calendarId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'CAL2H6W9PT') },
      sorts: ['created_at', 'updated_at'],
      searched: 'name, description',
    }),
  ),
  createSlaCalendar: {
    ...operations.create(calendarCreation, {
      description: `Creates a calendar. ${checks}`,
      bodyExample: { name, time_zone, hours, holidays: holidaysExample },
    }),
    errors: ['idempotency_key_in_flight', 'idempotency_key_reused', 'limit_reached'],
    access: 'itsm_manager',
  },
  getSlaCalendar: operations.get,
  updateSlaCalendar: {
    ...operations.update(calendarPatch, {
      description: `\`hours\` and \`holidays\` replace all of them. ${checks}`,
      bodyExample: { description: 'Without the shop floor.' },
    }),
    errors: ['precondition_failed', 'limit_reached'],
    access: 'itsm_manager',
  },
  deleteSlaCalendar: {
    ...operations.delete,
    description:
      'Deletes a calendar. A calendar that a policy uses returns 409 `in_use`; `used_by` names the policies.',
    errors: [...operations.delete.errors, 'in_use'],
  },
  listSlaCalendarHistory: operations.history,
  importHolidays: {
    capability: 'service-levels',
    rateLimit: 'general',
    method: 'POST',
    path: '/calendars/{id}/holidays',
    summary: 'Import holidays',
    description:
      'Adds the all-day events of an iCalendar file as holidays, from today for three years. An event that repeats every year ' +
      'on the same day becomes a yearly holiday. Events with a time of day and cancelled events are skipped.',
    access: 'itsm_manager',
    params: idParams(calendarId),
    headers: ifMatchHeaders,
    body: holidayImport,
    bodyExample: {
      icalendar:
        'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:1@example.com\r\n' +
        'DTSTART;VALUE=DATE:20270101\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:New Year\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    },
    responses: {
      200: {
        description: 'The calendar with its holidays.',
        body: holidayImportResult,
        example: {
          calendar: calendarExample,
          added: 1,
          skipped: [{ name: 'Team lunch', reason: 'has a time of day' }],
        },
      },
    },
    errors: ['precondition_failed', 'limit_reached'],
  },
});
