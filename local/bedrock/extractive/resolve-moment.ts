// Finds the time that a moment names: a day, a week, a month, a part of a day or a time of day. All are in UTC.
import { units } from './time-words.ts';

export interface Bounds {
  /** The first moment of it. */
  fromMs: number;
  /** The first moment after it; the same for a time of day. */
  untilMs: number;
}

/** What the words of one moment say, by kind. */
export type Moment = Readonly<Record<string, number | undefined>>;

/** Whether times are looked for behind now or ahead of it: a meeting on Friday is to come, a failure on Friday was. */
export type Direction = 'past' | 'future';

export interface Now {
  nowMs: number;
  /** Where days and months without a year are looked for: now, or the start of a range. */
  anchorMs: number;
  direction: Direction;
  /** Whether it ends a range. */
  isEnd?: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
const unitDays = [1 / 1_440, 1 / 24, 1, 7, 14, 30, 91, 182, 365, 7];
const unitMonths = [0, 0, 0, 0, 0, 1, 3, 6, 12, 0];
/** First month and number of months of the quarters, the halves, and the seasons of the north. */
const monthSpans = ['0 3', '3 3', '6 3', '9 3', '0 6', '6 6', '2 3', '5 3', '8 3', '11 3'].map((row) =>
  row.split(' ').map(Number),
);
/** First and last hour of the morning, the afternoon, the evening, the night and the small hours. */
const partHours = ['0 12', '12 18', '18 24', '18 30', '0 6'].map((row) => row.split(' ').map(Number));
export const night = 3;
/** Looking ahead, a date this long ago still counts: "changes on 9 November". */
const recentYearMs = 182 * dayMs;
const recentMonthMs = 10 * dayMs;

const flags = new Set(['article', 'for', 'more', 'less', 'ago', 'plural', 'vague', 'pm', 'edge', 'decimal']);

export function isEmpty(moment: Moment): boolean {
  return Object.keys(moment).every((kind) => flags.has(kind));
}

export function isDay(moment: Moment): boolean {
  return ['near', 'weekday', 'day', 'part'].some((kind) => moment[kind] !== undefined);
}

export function isTime(moment: Moment): boolean {
  return (moment.clock ?? moment.number) !== undefined;
}

export function toMs({ count = 1, unit = units.day }: Moment): number {
  return count * (unitDays[unit] ?? 1) * dayMs;
}

/** The moment or period that the words name. */
export function resolveMoment(moment: Moment, now: Now): Bounds | undefined {
  if (moment.now !== undefined) return toPoint(now.nowMs);
  const span = toPeriod(moment, now);
  const { day, unit, which, part, clock, number } = moment;
  // "The week of 26 October", "the weekend of the 28th".
  if (span && day !== undefined && which === undefined && (unit === units.week || unit === units.weekend))
    return toWeek(startOfWeek(span.fromMs), unit);
  if (!isTime(moment)) return span && part !== undefined ? toHours(span.fromMs, part) : span;
  const minutes = (clock ?? toMinutes(moment)) + (part === night && (clock ?? 720) < 720 ? 1_440 : 0);
  if (span && (part === undefined || isDay({ ...moment, part: undefined }) || which !== undefined))
    return toPoint(span.fromMs + minutes * minuteMs);
  // "By 6" is 18:00 in the morning; "since 9" is in the morning.
  const isOpen = clock === undefined && part === undefined && (number ?? 0) <= (now.isEnd ? 12 : 6);
  const stepMs = isOpen ? dayMs / 2 : dayMs;
  return choose((step) => toPoint(startOfDay(now.anchorMs) + minutes * minuteMs + step * stepMs), now);
}

/** An hour without am or pm: 1 to 6 are in the afternoon, unless the part of the day is known. */
function toMinutes({ number = 0, part, past = 0 }: Moment): number {
  const late = part === night && (number <= 6 || number === 12) ? 24 : 12;
  if (number > 24) return Number.NaN;
  const isLate = part === undefined ? number > 0 && number <= 6 : part > 0 && part <= night && number < 13;
  return (isLate ? (number % 12) + late : number) * 60 + past;
}

/** The day, week, month or year; the first row with all its words counts. */
function toPeriod(moment: Moment, now: Now): Bounds | undefined {
  const { near = 0, month = 0, day = 1, weekday = 0, week = 1, months = 0, unit = 0, part = 0, which } = moment;
  const [today, anchorDay] = [startOfDay(now.nowMs), startOfDay(now.anchorMs)];
  const [thisYear, thisMonth] = [new Date(now.nowMs).getUTCFullYear(), new Date(now.nowMs).getUTCMonth()];
  const [anchorYear, anchorMonth] = [new Date(now.anchorMs).getUTCFullYear(), new Date(now.anchorMs).getUTCMonth()];
  const year = moment.year ?? (unit === units.year ? thisYear + (which ?? 0) : undefined);
  const inYear = (at: (year: number) => Bounds) =>
    year === undefined ? choose((step) => at(anchorYear + step), now, recentYearMs, which) : at(year);
  const has = (...kinds: string[]) => kinds.every((kind) => moment[kind] !== undefined);
  if (has('nth')) return toSlice(moment, now);
  if (has('near')) return toDays(today + near * dayMs);
  if (has('month', 'day')) return inYear((each) => toDate(each, month, day));
  if (has('day') && unit === units.month) return toDate(thisYear, thisMonth + (which ?? 0), day);
  if (has('day')) return choose((step) => toDate(anchorYear, anchorMonth + step, day), now, recentMonthMs);
  if (has('weekday', 'which') && unit === units.week)
    return toDays(startOfWeek(today, which) + ((weekday + 6) % 7) * dayMs);
  if (has('weekday'))
    return choose((step) => toDays(startOfWeek(anchorDay, step) + ((weekday + 6) % 7) * dayMs), now, 0, which);
  if (has('week')) return inYear((each) => toCalendarWeek(each, week));
  if (has('month')) return inYear((each) => toMonths(each, month, 1));
  if (has('months')) return inYear((each) => toMonths(each, ...(monthSpans[months] ?? [0, 12])));
  if (moment.year !== undefined) return toMonths(moment.year, 0, 12);
  if (has('unit')) return toUnit(moment, now);
  if (!has('part')) return undefined;
  if (which === 0 && part !== night) return toDays(today);
  const found = choose((step) => toHours(anchorDay + step * dayMs, part), now, 0, which);
  return found && toDays(startOfDay(found.fromMs));
}

function toHours(startMs: number, part: number): Bounds {
  const [from = 0, until = 24] = partHours[part] ?? [];
  return { fromMs: startMs + from * hourMs, untilMs: startMs + until * hourMs };
}

function toWeek(mondayMs: number, unit: number): Bounds {
  return { fromMs: unit === units.weekend ? mondayMs + 5 * dayMs : mondayMs, untilMs: mondayMs + 7 * dayMs };
}

/** "This month", "last quarter", "the last 3 days", "the weekend". */
function toUnit(moment: Moment, { nowMs, direction }: Now): Bounds | undefined {
  const { unit = 0, which = 0 } = moment;
  const isShort = unit <= units.day || unit === units.fortnight;
  const count = moment.count ?? (isShort ? 1 : undefined);
  if (which !== 0 && count !== undefined) {
    const lengthMs = toMs({ unit, count });
    return which < 0 ? { fromMs: nowMs - lengthMs, untilMs: nowMs } : { fromMs: nowMs, untilMs: nowMs + lengthMs };
  }
  const monthCount = unitMonths[unit] ?? 0;
  const date = new Date(nowMs);
  if (monthCount > 0) {
    const first = Math.floor(date.getUTCMonth() / monthCount) * monthCount;
    return toMonths(date.getUTCFullYear(), first + which * monthCount, monthCount);
  }
  if (unit === units.day) return moment.which === 0 ? toDays(startOfDay(nowMs)) : undefined;
  if (unit < units.day) return toDays(nowMs - (nowMs % toMs({ unit })), unitDays[unit]);
  const isOver = unit === units.weekend && which === 0 && direction === 'past' && ![0, 6].includes(date.getUTCDay());
  return toWeek(startOfWeek(nowMs, which - (isOver ? 1 : 0)), unit);
}

/** "The first week of November", "the second half of last year", "the last day of October". */
function toSlice({ slice = 0, nth = 1, parts = 1, ...outer }: Moment, now: Now): Bounds | undefined {
  const sliceMonths = outer.month === undefined ? (unitMonths[slice] ?? 0) : 0;
  const isNamed = outer.unit !== undefined || outer.year !== undefined || outer.month !== undefined;
  const around = isNamed ? { ...outer, weekday: undefined } : { unit: sliceMonths > 0 ? units.year : units.month };
  const whole = toPeriod(around, now);
  if (!whole) return undefined;
  const { fromMs, untilMs } = whole;
  if (sliceMonths > 0) return toMonths(new Date(fromMs).getUTCFullYear(), (nth - 1) * sliceMonths, parts * sliceMonths);
  const weekday = slice === units.weekend ? 6 : outer.weekday;
  if (weekday !== undefined) {
    const first = fromMs + ((weekday - new Date(fromMs).getUTCDay() + 7) % 7) * dayMs;
    const last = first + Math.floor((untilMs - first - 1) / (7 * dayMs)) * 7 * dayMs;
    return toDays(nth < 0 ? last : first + (nth - 1) * 7 * dayMs, slice === units.weekend ? 2 : 1);
  }
  const lengthMs = slice === units.halfyear ? 15 * dayMs : toMs({ unit: slice });
  if (nth < 0) return { fromMs: untilMs - lengthMs, untilMs };
  const startMs = fromMs + (nth - 1) * lengthMs;
  return { fromMs: startMs, untilMs: slice === units.halfyear && nth === 2 ? untilMs : startMs + parts * lengthMs };
}

/** The latest one that has begun, or the next one that is not over. */
function choose(at: (step: number) => Bounds, { anchorMs, direction, isEnd }: Now, recentMs = 0, which = 0) {
  const spans = [-2, -1, 0, 1, 2].map(at);
  if (which < 0) return spans.findLast(({ untilMs }) => untilMs <= anchorMs);
  if (which > 0) return spans.find(({ fromMs }) => fromMs > anchorMs);
  if (direction === 'past') return spans.findLast(({ fromMs }) => fromMs <= anchorMs);
  return spans.find(({ untilMs }) => untilMs > anchorMs - (isEnd ? 0 : recentMs));
}

export function startOfDay(ms: number): number {
  return ms - (ms % dayMs);
}

/** Monday. */
function startOfWeek(ms: number, ahead = 0): number {
  return startOfDay(ms) + (7 * ahead - ((new Date(ms).getUTCDay() + 6) % 7)) * dayMs;
}

function toPoint(ms: number): Bounds {
  return { fromMs: ms, untilMs: ms };
}

function toDays(fromMs: number, count = 1): Bounds {
  return { fromMs, untilMs: fromMs + count * dayMs };
}

/** No time for a day that the month does not have. */
function toDate(year: number, month: number, day: number): Bounds {
  const fromMs = Date.UTC(year, month, day);
  return toDays(new Date(fromMs).getUTCDate() === day ? fromMs : Number.NaN);
}

/** Week 1 has the first Thursday of the year. */
function toCalendarWeek(year: number, week: number): Bounds {
  const mondayMs = startOfWeek(Date.UTC(year, 0, 4), week - 1);
  const isOfYear = new Date(mondayMs + 3 * dayMs).getUTCFullYear() === year;
  return toDays(isOfYear ? mondayMs : Number.NaN, 7);
}

function toMonths(year: number, first = 0, count = 1): Bounds {
  return { fromMs: Date.UTC(year, first), untilMs: Date.UTC(year, first + count) };
}
