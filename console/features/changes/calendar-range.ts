import { formatLocalDay, toDayStart } from '../../ui/time.ts';

// The days that the calendar shows, as the address tells it. Days are those of the user's time zone, where some have 23
// or 25 hours.

/** The service accepts 92 days of 24 hours; 13 weeks are shorter, even with an additional hour. */
export const lengths = [7, 14, 31, 91] as const;

export interface CalendarRange {
  /** The first day, `2026-03-01`. */
  from: string;
  days: (typeof lengths)[number];
}

/** Starts today unless the address says otherwise, so that it shows what comes next on every weekday. */
export function parseRange(query: string, nowMs: number): CalendarRange {
  const given = new URLSearchParams(query);
  const from = given.get('from') ?? '';
  const isDay = /^\d{4}-\d\d-\d\d$/.test(from) && !Number.isNaN(Date.parse(from));
  return {
    from: isDay ? from : formatLocalDay(new Date(nowMs)),
    days: lengths.find((length) => String(length) === given.get('days')) ?? 14,
  };
}

export function toQuery({ from, days }: CalendarRange): string {
  return `from=${from}&days=${days}`;
}

export function moveRange({ from, days }: CalendarRange, ranges: number): CalendarRange {
  return { from: formatLocalDay(toDayStart(from, ranges * days)), days };
}

/** The start of a day of the range, counted from its first one. */
export function getDay({ from }: CalendarRange, index: number): Date {
  return toDayStart(from, index);
}

/** The first moment after the range. */
export function getEnd(range: CalendarRange): Date {
  return getDay(range, range.days);
}

export function getLastDay(range: CalendarRange): string {
  return formatLocalDay(getDay(range, range.days - 1));
}

/** The position of a window in percent of the range, clipped to the range. */
export function toPosition(
  { planned_start, planned_end }: { planned_start: string; planned_end: string },
  range: CalendarRange,
): { left: number; width: number } {
  const [left, right] = [toShare(Date.parse(planned_start), range), toShare(Date.parse(planned_end), range)];
  return { left: left * 100, width: (right - left) * 100 };
}

/** The position of a time as a number from 0 to 1. */
export function toShare(atMs: number, range: CalendarRange): number {
  const [startMs, endMs] = [getDay(range, 0).getTime(), getEnd(range).getTime()];
  return Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs)));
}
