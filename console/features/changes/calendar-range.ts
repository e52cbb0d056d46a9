// The days that the calendar shows, as the address tells it.

export const lengths = [7, 14, 31, 92] as const;

export interface CalendarRange {
  /** The first day, `2026-03-01`. */
  from: string;
  days: (typeof lengths)[number];
}

const dayMs = 86_400_000;

export function parseRange(query: string, nowMs: number): CalendarRange {
  const given = new URLSearchParams(query);
  const from = given.get('from') ?? '';
  const known = /^\d{4}-\d\d-\d\d$/.test(from) && !Number.isNaN(Date.parse(from));
  return {
    from: known ? from : getMonday(nowMs),
    days: lengths.find((length) => String(length) === given.get('days')) ?? 14,
  };
}

export function toQuery({ from, days }: CalendarRange): string {
  return `from=${from}&days=${days}`;
}

export function moved({ from, days }: CalendarRange, ranges: number): CalendarRange {
  return { from: formatDay(Date.parse(from) + ranges * days * dayMs), days };
}

/** The first day after the range. */
export function getEnd({ from, days }: CalendarRange): string {
  return formatDay(Date.parse(from) + days * dayMs);
}

export function getLastDay({ from, days }: CalendarRange): string {
  return formatDay(Date.parse(from) + (days - 1) * dayMs);
}

/** The position of a window in percent of the range, clipped to the range. */
export function toPosition(
  { planned_start, planned_end }: { planned_start: string; planned_end: string },
  { from, days }: CalendarRange,
): { left: number; width: number } {
  const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - Date.parse(from)) / (days * dayMs)));
  const [left, right] = [share(planned_start), share(planned_end)];
  return { left: left * 100, width: (right - left) * 100 };
}

function getMonday(nowMs: number): string {
  const weekday = (new Date(nowMs).getUTCDay() + 6) % 7;
  return formatDay(nowMs - weekday * dayMs);
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
