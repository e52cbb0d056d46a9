// Formats times and durations. Times are in UTC, like the service's records, so that people in different time zones see
// the same time. Planned times are in the time zone of the user, who works at that hour, with UTC beside it.

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
  return at.slice(0, 10);
}

export function formatTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** `Sat 2026-03-07 21:00 (20:00 UTC)`; in UTC without the parentheses. */
export function formatPlannedTime(at: string): string {
  const date = new Date(at);
  const day = formatLocalDay(date);
  const text = `${formatWeekday(date)} ${day} ${formatLocalClock(date)}`;
  if (date.getTimezoneOffset() === 0) return `${text} UTC`;
  const utcDay = at.slice(0, 10) === day ? '' : `${at.slice(0, 10)} `;
  return `${text} (${utcDay}${at.slice(11, 16)} UTC)`;
}

export function formatWeekday(date: Date): string {
  return date.toLocaleDateString('en', { weekday: 'short' });
}

/** `2026-03-07` in the user's time zone. */
export function formatLocalDay(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map(padNumber);
  return `${date.getFullYear()}-${month}-${day}`;
}

/** `21:00` in the user's time zone. */
export function formatLocalClock(date: Date): string {
  return `${padNumber(date.getHours())}:${padNumber(date.getMinutes())}`;
}

function padNumber(part: number): string {
  return String(part).padStart(2, '0');
}

function formatLargestUnit(length: number): string {
  if (length >= day) return `${Math.floor(length / day)} d`;
  if (length >= hour) return `${Math.floor(length / hour)} h`;
  return `${Math.floor(length / minute)} min`;
}
