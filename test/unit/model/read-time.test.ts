// Time expressions as the planner labels them. Now is Wednesday, 11 November 2026, 10:00 UTC.

import { readTime } from '../../../model/built-in/read-time.ts';
import type { Direction } from '../../../model/built-in/resolve-moment.ts';
import { listQuestions, nowMs, parseLabelled } from '../../eval/copilot.ts';
import fc from '../../support/properties.ts';

/** "2026-11-09 → 2026-11-10 08:00", without midnight and open bounds. */
function show(text: string, direction: Direction): string | undefined {
  const span = readTime(text, nowMs, direction);
  const at = (ms: number | undefined) =>
    ms === undefined ? '' : new Date(ms).toISOString().slice(0, 16).replace('T00:00', '').replace('T', ' ');
  return span && `${at(span.fromMs)} → ${at(span.untilMs)}`.trim();
}

describe('a time in the past', () => {
  it.each([
    // Days.
    ['today', '2026-11-11 → 2026-11-12'],
    ['opend todya', '2026-11-11 → 2026-11-12'],
    ['ystrday evening', '2026-11-10 18:00 → 2026-11-11'],
    ['the day before yesterday', '2026-11-09 → 2026-11-10'],
    ['last Wednesday', '2026-11-04 → 2026-11-05'],
    ['from Saturday', '2026-11-07 → 2026-11-08'],
    ['since Monday', '2026-11-09 →'],
    ['on Monday or later', '2026-11-09 →'],
    ['Thursday last week', '2026-11-05 → 2026-11-06'],
    ['logged on the 1st', '2026-11-01 → 2026-11-02'],
    ['since the 30th', '2026-10-30 →'],
    ['on Friday the 6th', '2026-11-06 → 2026-11-07'],
    ['this past weekend', '2026-11-07 → 2026-11-09'],
    ['last night', '2026-11-10 18:00 → 2026-11-11 06:00'],
    ['during the night from Sunday to Monday', '2026-11-08 18:00 → 2026-11-09 06:00'],
    // Dates: the day comes first.
    ['on 10/11', '2026-11-10 → 2026-11-11'],
    ['on 10/31', '2026-10-31 → 2026-11-01'],
    ['created on 4.11.', '2026-11-04 → 2026-11-05'],
    ['on 30.10.2026', '2026-10-30 → 2026-10-31'],
    ['created >= 2026-11-03', '2026-11-03 →'],
    ['2026/11/09', '2026-11-09 → 2026-11-10'],
    ['the second Tuesday of October', '2026-10-13 → 2026-10-14'],
    ['5th of November, evening', '2026-11-05 18:00 → 2026-11-06'],
    ['12 December', '2025-12-12 → 2025-12-13'],
    ['since the 3.2 release on Monday', '2026-11-09 →'],
    ['before the semester started on 5 October', '→ 2026-10-05'],
    // Times of day.
    ['since 9', '2026-11-11 09:00 →'],
    ['since 22:00', '2026-11-10 22:00 →'],
    ['after 5pm', '2026-11-10 17:00 →'],
    ['at about half past nine', '2026-11-11 09:00 → 2026-11-11 10:00'],
    ['since five o’clock yesterday', '2026-11-10 17:00 →'],
    ['updated since lunch', '2026-11-10 12:00 →'],
    ['before noon', '2026-11-11 → 2026-11-11 12:00'],
    ['Monday before 10', '2026-11-09 → 2026-11-09 10:00'],
    // Ranges.
    ['between 22:00 and 06:00', '2026-11-10 22:00 → 2026-11-11 06:00'],
    ['yesterday between 9 and 5', '2026-11-10 09:00 → 2026-11-10 17:00'],
    ['btw 5 & 7 pm Tue', '2026-11-10 17:00 → 2026-11-10 19:00'],
    ['last night between 1 and 3', '2026-11-11 01:00 → 2026-11-11 03:00'],
    ['opened 1-7 nov', '2026-11-01 → 2026-11-08'],
    ['Nov 5 - 9', '2026-11-05 → 2026-11-10'],
    ['mon-wed', '2026-11-09 → 2026-11-12'],
    ['from the 28th to the 3rd', '2026-10-28 → 2026-11-04'],
    ['between the 20th and the 27th of last month', '2026-10-20 → 2026-10-28'],
    ['between Christmas and New Year', '2025-12-25 → 2026-01-02'],
    ['from January through March', '2026-01-01 → 2026-04-01'],
    ['from mid October until the end of last week', '2026-10-11 → 2026-11-09'],
    ['between 2 and 4 weeks old', '2026-10-14 10:00 → 2026-10-28 10:00'],
    // Weeks, months, quarters, seasons and years.
    ['in week 45', '2026-11-02 → 2026-11-09'],
    ['opened in KW 52', '2025-12-22 → 2025-12-29'],
    ['the week before last', '2026-10-26 → 2026-11-02'],
    ['in the week of 19 October', '2026-10-19 → 2026-10-26'],
    ['week to date', '2026-11-09 → 2026-11-16'],
    ['October', '2026-10-01 → 2026-11-01'],
    ['early September', '2026-09-01 → 2026-09-11'],
    ['since mid October', '2026-10-11 →'],
    ['on the last day of October', '2026-10-31 → 2026-11-01'],
    ['the first half of October', '2026-10-01 → 2026-10-16'],
    ['in the third quarter', '2026-07-01 → 2026-10-01'],
    ['H1', '2026-01-01 → 2026-07-01'],
    ['this half-year', '2026-07-01 → 2027-01-01'],
    ['not touched since summer', '2026-06-01 →'],
    ['ytd', '2026-01-01 → 2027-01-01'],
    ['before 2020', '→ 2020-01-01'],
    // Lengths.
    ['> 14 days', '→ 2026-10-28 10:00'],
    ['older than thirty days', '→ 2026-10-12 10:00'],
    ['dormant for 20+ days', '→ 2026-10-22 10:00'],
    ['not older than 2 days', '2026-11-09 10:00 →'],
    ['24h', '2026-11-10 10:00 →'],
    ['in the last week', '2026-11-04 10:00 → 2026-11-11 10:00'],
    ['last week', '2026-11-02 → 2026-11-09'],
    ['over the past 1.5 hours', '2026-11-11 08:30 → 2026-11-11 10:00'],
    ['in the last 2-3 days', '2026-11-08 10:00 → 2026-11-11 10:00'],
    ['for weeks', '→ 2026-10-21 10:00'],
    ['2 days back', '2026-11-09 → 2026-11-10'],
    ['two weeks ago', '2026-10-25 → 2026-11-01'],
    ['ten minutes ago', '2026-11-11 09:45 → 2026-11-11 09:55'],
  ])('%s', (text, bounds) => expect(show(text, 'past')).toBe(bounds));
});

describe('a time in the future', () => {
  it.each([
    ['by 16:30', '→ 2026-11-11 16:30'],
    ['done by 6 o’clock', '→ 2026-11-11 18:00'],
    ['before 6 in the morning', '2026-11-12 → 2026-11-12 06:00'],
    ['by Friday', '→ 2026-11-14'],
    ['before Friday', '→ 2026-11-13'],
    ['before the end of business today', '→ 2026-11-12'],
    ['between now and 18:00', '2026-11-11 10:00 → 2026-11-11 18:00'],
    ['in the next ninety minutes', '2026-11-11 10:00 → 2026-11-11 11:30'],
    ['2nite between 8 and 12', '2026-11-11 20:00 → 2026-11-12'],
    ['tmrw', '2026-11-12 → 2026-11-13'],
    ['Monday', '2026-11-16 → 2026-11-17'],
    ['Monday to Wednesday next week', '2026-11-16 → 2026-11-19'],
    ['the coming weekend', '2026-11-14 → 2026-11-16'],
    ['the first weekend of December', '2026-12-05 → 2026-12-07'],
    ['on the 3rd', '2026-11-03 → 2026-11-04'],
    ['on the 28th', '2026-11-28 → 2026-11-29'],
    ['from 15 December', '2026-12-15 →'],
    ['cw 53', '2026-12-28 → 2027-01-04'],
    ['in Q1', '2027-01-01 → 2027-04-01'],
    ['later this week', '2026-11-11 10:00 → 2026-11-16'],
    ['the week after next', '2026-11-23 → 2026-11-30'],
    ['not until December', '2026-12-01 →'],
    ['no later than Friday', '→ 2026-11-14'],
    ['this week and next', '2026-11-09 → 2026-11-23'],
    // Plans may be in the past.
    ['last week', '2026-11-02 → 2026-11-09'],
    ['on 9 November', '2026-11-09 → 2026-11-10'],
    ['in October', '2026-10-01 → 2026-11-01'],
    ['since Monday', '2026-11-09 →'],
    ['in the past', '→ 2026-11-11 10:00'],
  ])('%s', (text, bounds) => expect(show(text, 'future')).toBe(bounds));
});

describe('readTime', () => {
  it.each([
    'since the move',
    'before the standup',
    'last sprint',
    'this semester',
    'in fiscal Q2',
    'on Black Friday',
    'the last two working days',
    'two Saturdays ago',
    'the quarter end weekend',
    'at 25:00',
    'within 45 apples',
    'on 31 February',
    'in week 54',
    '9999 years ago',
    '',
  ])('does not guess a time that only the company knows or that does not exist: %s', (text) => {
    expect(readTime(text, nowMs)).toBeUndefined();
  });

  it('reads 96 % of the labelled expressions', () => {
    const folders = ['../../../model/questions/', '../../eval/copilot/'];
    const spans = folders
      .flatMap((folder) => listQuestions(new URL(folder, import.meta.url)))
      .flatMap((line) => parseLabelled(line).tagged.spans)
      .filter(({ label }) => /^(created|updated|resolved|planned|sla_breach)$/.test(label));
    const unread = spans.filter(({ label, text }) => !readTime(text, nowMs, /^[ps]/.test(label) ? 'future' : 'past'));
    expect(spans.length).toBeGreaterThan(3_000);
    expect(unread.length / spans.length).toBeLessThan(0.04);
  });

  it('never throws, and returns no span that ends before it starts', () => {
    const words =
      'since between and to - 31 2 9th 24:61 29.2. 99/99 nov monday week last next first half of the early end night 5pm ago > older';
    const sentence = fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 9 }).map((each) => each.join(' '));
    fc.assert(
      fc.property(fc.oneof(sentence, fc.string()), fc.constantFrom('past', 'future'), (text, direction) => {
        const { fromMs = 0, untilMs = Number.POSITIVE_INFINITY } = readTime(text, nowMs, direction) ?? {};
        expect(fromMs).toBeLessThanOrEqual(untilMs);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a text of any length within five seconds', () => {
    for (const part of ['since monday and ', '1.', '1 ', '-', 'a', '> ', ' ']) readTime(part.repeat(50_000), nowMs);
  }, 5_000);
});
