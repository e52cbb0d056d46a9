// Finds the days or the time that a moment names, in UTC: a day, a week, a month, a part of a day or a time of day.
import { units } from './time-words.ts';

export interface Bounds {
  fromMs: number;
  /** Exclusive; equal to `fromMs` for a time of day. */
  untilMs: number;
}

/** The values of the words of one moment, by kind. */
export type Moment = Readonly<Record<string, number | undefined>>;

/** Where to look for a time without a year: a meeting on Friday is ahead, a failure on Friday is past. */
export type Direction = 'past' | 'future';

export interface Now {
  nowMs: number;
  /** The time to look from: now, or the start of a range. */
  anchorMs: number;
  direction: Direction;
  /** Whether the moment ends a range. */
  isEnd?: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Hours of the morning, the afternoon, the evening, the night and the small hours. */
const partStarts = [0, 12, 18, 18, 0];
const partEnds = [12, 18, 24, 30, 6];
export const night = 3;
/** Looking ahead, a date this long ago still counts: "changes on 9 November". */
const recentYearMs = 182 * dayMs;
const recentMonthMs = 10 * dayMs;

const modifiers = new Set(['article', 'for', 'more', 'less', 'ago', 'plural', 'vague', 'pm', 'edge', 'decimal']);

export function isEmpty(moment: Moment): boolean {
  return Object.keys(moment).every((kind) => modifiers.has(kind));
}

export function isDay(moment: Moment): boolean {
  return ['near', 'weekday', 'day', 'part'].some((kind) => moment[kind] !== undefined);
}

export function isTime(moment: Moment): boolean {
  return (moment.clock ?? moment.number) !== undefined;
}

/** Weekends are a week apart. */
export function toMs({ count = 1, unit = units.day }: Moment): number {
  return count * (unit === units.weekend ? units.week : unit) * dayMs;
}

export function resolveMoment(moment: Moment, now: Now): Bounds | undefined {
  if (moment.now !== undefined) return toPoint(now.nowMs);
  const period = toPeriod(moment, now);
  const { day, unit, which, part, clock, number } = moment;
  // "The week of 26 October", "the weekend of the 28th".
  if (period && day !== undefined && which === undefined && (unit === units.week || unit === units.weekend))
    return toWeek(period.fromMs, unit);
  if (!isTime(moment)) return period && part !== undefined ? toHours(period.fromMs, part) : period;
  const minutes = (clock ?? toMinutes(moment)) + (part === night && (clock ?? 720) < 720 ? 1_440 : 0);
  if (period && (part === undefined || isDay({ ...moment, part: undefined }) || which !== undefined))
    return toPoint(period.fromMs + minutes * minuteMs);
  // In the morning, "by 6" is 18:00 and "since 9" is 09:00.
  const isAmbiguous = clock === undefined && part === undefined && (number ?? 0) <= (now.isEnd ? 12 : 6);
  const stepMs = isAmbiguous ? dayMs / 2 : dayMs;
  return choose((step) => toPoint(startOfDay(now.anchorMs) + minutes * minuteMs + step * stepMs), now);
}

/** Without am or pm, 1 to 6 are in the afternoon unless the part of the day is known. */
function toMinutes({ number = 0, part, past = 0 }: Moment): number {
  if (number > 24) return Number.NaN;
  const isLate = part === undefined ? number > 0 && number <= 6 : part > 0 && part <= night && number < 13;
  const noon = part === night && (number <= 6 || number === 12) ? 24 : 12;
  return (isLate ? (number % 12) + noon : number) * 60 + past;
}

/** The first line with all its words decides. */
function toPeriod(moment: Moment, now: Now): Bounds | undefined {
  const { near = 0, month = 0, day = 1, weekday = 0, week = 1, unit = 0, part = 0, which } = moment;
  const [date, anchor] = [new Date(now.nowMs), new Date(now.anchorMs)];
  const year = moment.year ?? (unit === units.year ? date.getUTCFullYear() + (which ?? 0) : undefined);
  const inYear = (resolve: (year: number) => Bounds) =>
    year === undefined
      ? choose((step) => resolve(anchor.getUTCFullYear() + step), now, recentYearMs, which)
      : resolve(year);
  const inWeek = (weekMs: number) => toDays(startOfWeek(weekMs) + ((weekday + 6) % 7) * dayMs);
  const inMonth = (base: Date, ahead: number) => toDate(base.getUTCFullYear(), base.getUTCMonth() + ahead, day);
  const has = (...kinds: string[]) => kinds.every((kind) => moment[kind] !== undefined);
  if (has('nth')) return toSlice(moment, now);
  if (has('near')) return toDays(startOfDay(now.nowMs) + near * dayMs);
  if (has('month', 'day')) return inYear((each) => toDate(each, month, day));
  if (has('day') && unit === units.month) return inMonth(date, which ?? 0);
  if (has('day')) return choose((step) => inMonth(anchor, step), now, recentMonthMs);
  if (has('weekday') && which !== undefined && unit === units.week) return inWeek(now.nowMs + 7 * which * dayMs);
  if (has('weekday')) return choose((step) => inWeek(now.anchorMs + 7 * step * dayMs), now, 0, which);
  if (has('week')) return inYear((each) => toCalendarWeek(each, week));
  if (has('month')) return inYear((each) => toMonths(each, month, 1));
  if (has('quarter')) return inYear((each) => toMonths(each, moment.quarter, 3));
  if (has('halfyear')) return inYear((each) => toMonths(each, moment.halfyear, 6));
  if (moment.year !== undefined) return toMonths(moment.year);
  if (has('unit')) return toUnit(moment, now);
  if (!has('part')) return undefined;
  if (which === 0 && part !== night) return toDays(startOfDay(now.nowMs));
  const found = choose((step) => toHours(startOfDay(now.anchorMs) + step * dayMs, part), now, 0, which);
  return found && toDays(startOfDay(found.fromMs));
}

/** "This month", "last quarter", "the last 3 days", "the weekend". */
function toUnit(moment: Moment, { nowMs, direction }: Now): Bounds | undefined {
  const { unit = 0, which = 0 } = moment;
  const isRolling = unit <= units.day || unit === units.fortnight;
  const count = moment.count ?? (isRolling ? 1 : undefined);
  if (which !== 0 && count !== undefined) {
    const lengthMs = toMs({ unit, count });
    return which < 0 ? { fromMs: nowMs - lengthMs, untilMs: nowMs } : { fromMs: nowMs, untilMs: nowMs + lengthMs };
  }
  const date = new Date(nowMs);
  const monthCount = toMonthCount(unit);
  if (monthCount > 0) {
    const first = Math.floor(date.getUTCMonth() / monthCount) * monthCount;
    return toMonths(date.getUTCFullYear(), first + which * monthCount, monthCount);
  }
  if (unit === units.day) return moment.which === 0 ? toDays(startOfDay(nowMs)) : undefined;
  if (unit < units.day) return toDays(nowMs - (nowMs % toMs({ unit })), unit);
  const isOver = unit === units.weekend && which === 0 && direction === 'past' && ![0, 6].includes(date.getUTCDay());
  return toWeek(nowMs + 7 * (which - Number(isOver)) * dayMs, unit);
}

function toMonthCount(unit: number): number {
  return Math.floor(unit / units.month);
}

/** "The first week of November", "the second half of last year", "the last day of October". */
function toSlice({ slice = 0, nth = 1, parts = 1, ...outer }: Moment, now: Now): Bounds | undefined {
  const sliceMonths = outer.month === undefined ? toMonthCount(slice) : 0;
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

/** Chooses the latest period that has begun, or looking ahead the first one that is not over. */
function choose(resolve: (step: number) => Bounds, { anchorMs, direction, isEnd }: Now, recentMs = 0, which = 0) {
  const periods = [-2, -1, 0, 1, 2].map(resolve);
  if (which < 0) return periods.findLast(({ untilMs }) => untilMs <= anchorMs);
  if (which > 0) return periods.find(({ fromMs }) => fromMs > anchorMs);
  if (direction === 'past') return periods.findLast(({ fromMs }) => fromMs <= anchorMs);
  return periods.find(({ untilMs }) => untilMs > anchorMs - (isEnd ? 0 : recentMs));
}

export function startOfDay(ms: number): number {
  return ms - (ms % dayMs);
}

/** Weeks start on Monday. */
function startOfWeek(ms: number): number {
  return startOfDay(ms) - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs;
}

function toPoint(ms: number): Bounds {
  return { fromMs: ms, untilMs: ms };
}

function toHours(dayStartMs: number, part: number): Bounds {
  const [from, until] = [partStarts[part] ?? 0, partEnds[part] ?? 24];
  return { fromMs: dayStartMs + from * hourMs, untilMs: dayStartMs + until * hourMs };
}

function toDays(fromMs: number, count = 1): Bounds {
  return { fromMs, untilMs: fromMs + count * dayMs };
}

/** NaN for a day that the month does not have. */
function toDate(year: number, month: number, day: number): Bounds {
  const fromMs = Date.UTC(year, month, day);
  return toDays(new Date(fromMs).getUTCDate() === day ? fromMs : Number.NaN);
}

function toWeek(ms: number, unit: number): Bounds {
  const mondayMs = startOfWeek(ms);
  return unit === units.weekend ? toDays(mondayMs + 5 * dayMs, 2) : toDays(mondayMs, 7);
}

/** Week 1 has the first Thursday of the year. NaN for a week that the year does not have. */
function toCalendarWeek(year: number, week: number): Bounds {
  const mondayMs = startOfWeek(Date.UTC(year, 0, 4)) + (week - 1) * 7 * dayMs;
  return toDays(new Date(mondayMs + 3 * dayMs).getUTCFullYear() === year ? mondayMs : Number.NaN, 7);
}

function toMonths(year: number, first = 0, count = 12): Bounds {
  return { fromMs: Date.UTC(year, first), untilMs: Date.UTC(year, first + count) };
}
