import { timeZone } from '../base/time-zone.ts';

// Formats times and durations: all times in the time zone of the user, with the date as in the language of the browser
// and a clock of 24 hours.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The two largest units: `3 d 4 h`, `2 h 5 min`, `12 min`. */
export function formatDuration(lengthMs: number): string {
  const length = Math.abs(lengthMs);
  if (length < minute) return `${Math.floor(length / second)} s`;
  const units: [number, string][] = [
    [day, 'd'],
    [hour, 'h'],
    [minute, 'min'],
  ];
  const parts = units.map(([size, name], place) => {
    const [larger] = units[place - 1] ?? [Number.POSITIVE_INFINITY];
    return { count: Math.floor((length % larger) / size), name };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return shown.map(({ count, name }) => `${count} ${name}`).join(' ');
}

/** `42:07`; below zero `0:00`. */
export function formatCountdown(lengthMs: number): string {
  const seconds = Math.max(0, Math.floor(lengthMs / second));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function formatAge(at: string, nowMs: number): string {
  const length = nowMs - Date.parse(at);
  if (length < -minute) return `in ${formatDuration(length)}`;
  if (length < minute) return 'just now';
  if (length < 30 * day) return `${formatLargestUnit(length)} ago`;
  return formatDay(new Date(at));
}

/** `Mar 7, 2026, 21:00:12 GMT+1` */
export function formatTime(at: string): string {
  return format(at, { dateStyle: 'medium', timeStyle: 'long' });
}

/** `Sat, Mar 7, 2026, 21:00 GMT+1` */
export function formatPlannedTime(at: string): string {
  return format(at, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}

export function formatWeekday(date: Date): string {
  return format(date, { weekday: 'short' });
}

/** `Mar 7` */
export function formatMonthDay(date: Date): string {
  return format(date, { month: 'short', day: 'numeric' });
}

/** `Mar 7, 2026` */
export function formatDay(date: Date): string {
  return format(date, { dateStyle: 'medium' });
}

/** `2026-03-07`, as inputs and addresses need it. */
export function formatLocalDay(date: Date): string {
  return toLocalMoment(date).slice(0, 10);
}

/** `21:00` */
export function formatLocalClock(date: Date): string {
  return toLocalMoment(date).slice(11);
}

/** `2026-03-07T21:00`, as inputs need it. The dates of Sweden have the form of ISO 8601. */
export function toLocalMoment(at: string | number | Date): string {
  return format(at, { dateStyle: 'short', timeStyle: 'short' }, 'sv').replace(' ', 'T');
}

/** The time in UTC; undefined while it is incomplete. */
export function fromLocalMoment(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return undefined;
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const findOffset = (atMs: number) => Date.parse(`${toLocalMoment(atMs)}Z`) - atMs;
  // The offset may change between the two times.
  return new Date(asUtc - findOffset(asUtc - findOffset(asUtc))).toISOString();
}

/** The start of a day, some days after a given one: `2026-03-07` and 1 is the start of March 8. */
export function toDayStart(localDay: string, daysLater = 0): Date {
  const noon = new Date(Date.parse(`${localDay}T12:00Z`) + daysLater * day);
  return new Date(fromLocalMoment(`${noon.toISOString().slice(0, 10)}T00:00`) ?? noon);
}

/** Creating a formatter takes longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function format(at: string | number | Date, options: Intl.DateTimeFormatOptions, locale?: string): string {
  const all = { timeZone: timeZone.get(), hourCycle: 'h23', ...options } as const;
  const key = `${locale} ${JSON.stringify(all)}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, all);
  formatters.set(key, formatter);
  return formatter.format(new Date(at));
}

/** `3 d`, `2 h`, `12 min` */
export function formatLargestUnit(lengthMs: number): string {
  const length = Math.abs(lengthMs);
  if (length >= day) return `${Math.floor(length / day)} d`;
  if (length >= hour) return `${Math.floor(length / hour)} h`;
  return `${Math.floor(length / minute)} min`;
}
