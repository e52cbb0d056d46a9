import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { acrossFields, callerEmail } from './records.ts';

// How often people are paged, so that a team sees who is worn out.

export const maxLoadDays = 92;

const dayMs = 86_400_000;

const date = (description: string) => z.iso.date({ error: 'must be a date, such as 2026-03-01' }).meta({ description });

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const query = z
  .strictObject({
    from: date('First day.').meta({ examples: ['2026-03-01'] }),
    to: date('Last day, inclusive.').meta({ examples: ['2026-03-31'] }),
    time_zone: z
      .string()
      .max(100)
      .default('UTC')
      .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
      .meta({ description: 'IANA time zone of the days and nights.', examples: ['Europe/Berlin'] }),
  })
  .refine(
    ({ from, to }) => from <= to,
    acrossFields<{ from: string; to: string }>({ of: ['from', 'to'], at: 'to', error: 'must not be before from' }),
  )
  .refine(
    ({ from, to }) => (Date.parse(to) - Date.parse(from)) / dayMs < maxLoadDays,
    acrossFields<{ from: string; to: string }>({
      of: ['from', 'to'],
      at: 'to',
      error: `must be less than ${maxLoadDays} days after from`,
    }),
  );

const count = (description: string) => z.int().min(0).meta({ description });

const personLoad = z
  .strictObject({
    person: callerEmail('Person.'),
    pages: count('Number of pages that reached the person.'),
    night_pages: count('Number of them between 22:00 and 07:00.'),
    nights: z
      .array(
        z
          .strictObject({ night: z.iso.date().meta({ description: 'Evening of the night.' }), pages: count('Pages.') })
          .meta({ id: 'PagedNight', description: 'Night with pages.' }),
      )
      .meta({ description: 'Nights with pages, by the date of their evening, oldest first.' }),
  })
  .meta({ id: 'PersonLoad', description: 'How often a person was paged.' });

export type PersonLoad = z.infer<typeof personLoad>;

export const pagingLoadOperations = defineOperations({
  getPagingLoad: {
    capability: 'oncall',
    rateLimit: 'general',
    method: 'GET',
    path: '/on-call/load',
    summary: 'Get pages per person and night',
    description:
      'Counts the pages that reached each person, by day and by night (22:00 to 07:00), most disturbed first. A page counts ' +
      'once per person, however many messages it sent. Pages are counted for 400 days.',
    access: 'viewer',
    query,
    responses: {
      200: {
        description: 'The load.',
        body: z
          .strictObject({
            data: z.array(personLoad),
            truncated: z.boolean().meta({ description: 'Whether there were too many pages to count all of them.' }),
          })
          .meta({ id: 'PagingLoad', description: 'Pages per person and night.' }),
        example: {
          data: [
            {
              person: 'ada.lovelace@example.com',
              pages: 7,
              night_pages: 3,
              nights: [
                { night: '2026-03-03', pages: 2 },
                { night: '2026-03-09', pages: 1 },
              ],
            },
          ],
          truncated: false,
        },
      },
    },
  },
});
