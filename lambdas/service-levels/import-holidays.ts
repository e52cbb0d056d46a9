import ICAL from 'ical.js';
import type { Holiday, HolidayImportResult } from '../../contract/calendars.ts';
import type { routes } from '../../contract/routes.ts';
import { dayMs } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { invalidField } from '../platform/service-error.ts';
import type { Changer } from '../records/change-record.ts';
import { calendarKind, changeLevels, type LevelTools, patchLevel } from './manage-policies.ts';
import { type CalendarDocument, calendarType } from './service-level-types.ts';

/** Holidays are usually published for one to three years. */
const importedDays = 3 * 366;

const maxEvents = 5_000;

const maxSkipped = 100;

export function importHolidays(
  change: Changer<CalendarDocument>,
  tools: LevelTools,
): UseCase<typeof routes.importHolidays> {
  return async ({ params: { id }, headers, body }, { caller, clock }) => {
    const { holidays, skipped } = readHolidays(body.icalendar, clock.now());
    let added = 0;
    const record = await changeLevels(change, tools, { id, headers, caller }, (set, before, nowMs) => {
      const kept = body.replace ? [] : before.document.holidays;
      const isKnown = (all: readonly Holiday[]) => (one: Holiday) =>
        all.some(({ date, yearly }) => date === one.date || (yearly && date.slice(5) === one.date.slice(5)));
      added = holidays.filter((one) => !isKnown(before.document.holidays)(one)).length;
      const all = [...kept, ...holidays.filter((one) => !isKnown(kept)(one))];
      if (all.length > maxHolidays)
        throw invalidField('icalendar', `would give ${all.length} holidays; at most ${maxHolidays} are possible`);
      const sorted = all.sort((a, b) => (a.date < b.date ? -1 : 1));
      return patchLevel(calendarKind, { holidays: sorted })(set, before, nowMs);
    });
    return {
      status: 200,
      body: { calendar: calendarType.toResponse(record), added, skipped: skipped.slice(0, maxSkipped) },
    };
  };
}

const maxHolidays = 400;

type Skipped = HolidayImportResult['skipped'];

/** A rule without any day takes up to 0.3 seconds to find none. */
const maxRules = 50;

/** The all-day events from today on, in order. */
export function readHolidays(text: string, nowMs: number): { holidays: Holiday[]; skipped: Skipped } {
  const events = readEvents(text);
  if (events.length === 0) throw invalidField('icalendar', 'must be an iCalendar file with events');
  if (events.length > maxEvents) throw invalidField('icalendar', `must have at most ${maxEvents} events`);
  const skipped: Skipped = [];
  const found = new Map<string, Holiday>();
  // A day earlier, because it is still yesterday somewhere.
  const [from, to] = [toDay(nowMs - dayMs), toDay(nowMs + importedDays * dayMs)];
  let rules = 0;
  for (const event of events) {
    const name = toName(event.summary);
    const yearly = isYearly(event);
    if (event.isRecurring() && !yearly) rules++;
    if (event.component.getFirstPropertyValue('status') === 'CANCELLED') skipped.push({ name, reason: 'is cancelled' });
    else if (!event.startDate?.isDate) skipped.push({ name, reason: 'has a time of day' });
    else if (tooOften.test(readRule(event)?.freq ?? '')) skipped.push({ name, reason: 'repeats too often' });
    else if (found.size > maxHolidays || rules > maxRules) skipped.push({ name, reason: 'is one too many' });
    else {
      const days = listDays(event, from, to);
      if (days.length === 0) skipped.push({ name, reason: 'is over, or begins in more than three years' });
      for (const date of days) {
        const key = yearly ? date.slice(5) : date;
        if (!found.has(key)) found.set(key, { date, name, yearly });
      }
    }
  }
  return { holidays: [...found.values()].sort((a, b) => (a.date < b.date ? -1 : 1)), skipped };
}

const tooOften = /^(?:SECONDLY|MINUTELY|HOURLY|DAILY)$/;

function readEvents(text: string): ICAL.Event[] {
  try {
    const parsed = ICAL.parse(text);
    // A file with several calendars is a list of them.
    const calendars: unknown[][] = typeof parsed[0] === 'string' ? [parsed] : parsed;
    return calendars.flatMap((calendar) =>
      new ICAL.Component(calendar).getAllSubcomponents('vevent').map((part) => new ICAL.Event(part)),
    );
  } catch {
    throw invalidField('icalendar', 'must be an iCalendar file');
  }
}

function toName(summary: string | null): string {
  const line = (summary ?? '').replace(/\p{Cc}+/gu, ' ').trim();
  return [...line].slice(0, 100).join('') || 'Holiday';
}

function readRule({ component }: ICAL.Event): ICAL.Recur | undefined {
  const rule = component.getFirstPropertyValue('rrule');
  return rule instanceof ICAL.Recur ? rule : undefined;
}

/** Every year on the same day, for ever. Other rules, such as Easter, become dates. */
function isYearly(event: ICAL.Event): boolean {
  const { freq, interval = 1, bymonth, bymonthday, ...limits } = readRule(event)?.toJSON() ?? {};
  const isOneDay = typeof bymonth === typeof bymonthday && !Array.isArray(bymonth) && !Array.isArray(bymonthday);
  const isEndless = Object.keys(limits).every((name) => name === 'wkst') && !event.component.hasProperty('exdate');
  return freq === 'YEARLY' && interval === 1 && isOneDay && isEndless;
}

/** A weekly rule since 1970 has fewer days. */
const maxRepetitions = 4_000;

/** The days of an event and its repetitions. The end of an all-day event is the day after it. */
function listDays(event: ICAL.Event, from: string, to: string): string[] {
  const days: string[] = [];
  try {
    const repetitions = event.iterator();
    for (let at = 0; at < maxRepetitions && days.length < maxHolidays; at++) {
      const start = repetitions.next();
      if (!start || start.toString() > to) break;
      const length = Math.max(1, Math.min(event.duration.toSeconds() / 86_400, maxHolidays));
      for (let day = 0; day < length; day++) {
        const date = start.clone();
        date.adjust(day, 0, 0, 0);
        if (date.toString() >= from && date.toString() <= to) days.push(date.toString());
      }
    }
  } catch {
    // A rule that contradicts itself has no further days.
  }
  return days;
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
