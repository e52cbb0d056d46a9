import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { idParams } from './records.ts';
import { personEmail, scheduleId } from './schedules.ts';

// The calendar feed of a schedule.

const base = { capability: 'oncall', rateLimit: 'general' } as const;

export const calendarOperations = defineOperations({
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
