import { type Weekday, weekdays } from '../../contract/on-call-values.ts';
import { parseLocalTime, toInstantMs, toLocalTime } from '../platform/local-time.ts';

// The open hours of a calendar as instants. Hours are local times of the calendar and are converted day by day, so 09:00 stays
// 09:00 when the clocks change. A local time that is skipped happens at the end of the gap; one that occurs twice, the first time.

export interface Hours {
  time_zone: string;
  hours: readonly { weekdays: readonly Weekday[]; from: string; to: string }[];
  holidays: readonly { date: string; yearly: boolean }[];
}

export interface Period {
  fromMs: number;
  toMs: number;
}

export interface OpenHours {
  /** The open periods between two instants, in order; periods that touch are one. */
  list(fromMs: number, toMs: number): Period[];
  /** Open time between two instants. */
  sum(fromMs: number, toMs: number): number;
  /** The instant at which this much open time has passed. */
  findTime(fromMs: number, openMs: number): number;
}

export const alwaysOpen: OpenHours = {
  list: (fromMs, toMs) => (fromMs < toMs ? [{ fromMs, toMs }] : []),
  sum: (fromMs, toMs) => Math.max(0, toMs - fromMs),
  findTime: (fromMs, openMs) => fromMs + openMs,
};

/** Targets end within 400 days when they are saved; later holidays can only move them by their own number. */
const maxDays = 4_000;

const dayMinutes = 24 * 60;

export function createOpenHours({ time_zone, hours, holidays }: Hours): OpenHours {
  const dates = new Set(holidays.filter(({ yearly }) => !yearly).map(({ date }) => date));
  const yearly = new Set(holidays.filter((each) => each.yearly).map(({ date }) => date.slice(5)));
  const byWeekday = weekdays.map((weekday) => listMinutes(hours, weekday));
  const known = new Map<string, Period[]>();

  const listDay = (date: LocalDate): Period[] => {
    const name = date.toString();
    const found = known.get(name);
    if (found) return found;
    const isClosed = dates.has(name) || yearly.has(name.slice(5));
    const periods = isClosed ? [] : (byWeekday[date.dayOfWeek - 1] ?? []);
    const toMs = (minute: number) => {
      const day = minute === dayMinutes ? date.add({ days: 1 }) : date;
      return toInstantMs(parseLocalTime(day.toString(), formatTimeOfDay(minute % dayMinutes)), time_zone);
    };
    const open = periods
      .map(([from, to]) => ({ fromMs: toMs(from), toMs: toMs(to) }))
      // A period inside a skipped hour has no length.
      .filter((period) => period.fromMs < period.toMs);
    if (known.size >= maxDays) known.clear();
    known.set(name, open);
    return open;
  };

  function* listFrom(fromMs: number): Iterable<Period> {
    // An instant after a clock change may lie on the day before the one whose hours contain it.
    let date = toLocalTime(fromMs, time_zone).toPlainDate().subtract({ days: 1 });
    for (let day = 0; day < maxDays; day++) {
      for (const period of listDay(date)) {
        if (period.toMs > fromMs) yield { fromMs: Math.max(period.fromMs, fromMs), toMs: period.toMs };
      }
      date = date.add({ days: 1 });
    }
  }

  const list = (fromMs: number, toMs: number): Period[] => {
    const periods: Period[] = [];
    for (const period of listFrom(fromMs)) {
      if (period.fromMs >= toMs) break;
      const last = periods.at(-1);
      const end = Math.min(period.toMs, toMs);
      if (last?.toMs === period.fromMs) last.toMs = end;
      else periods.push({ fromMs: period.fromMs, toMs: end });
    }
    return periods;
  };

  return {
    list,
    sum: (fromMs, toMs) => list(fromMs, toMs).reduce((sum, period) => sum + period.toMs - period.fromMs, 0),
    findTime(fromMs, openMs) {
      if (openMs <= 0) return fromMs;
      let [left, endMs] = [openMs, fromMs];
      for (const period of listFrom(fromMs)) {
        endMs = period.toMs;
        if (endMs - period.fromMs >= left) return period.fromMs + left;
        left -= endMs - period.fromMs;
      }
      return endMs;
    },
  };
}

type LocalDate = ReturnType<ReturnType<typeof toLocalTime>['toPlainDate']>;

/** The open minutes of a weekday, in order and without overlaps. Hours that end on the next day are split at midnight. */
function listMinutes(hours: Hours['hours'], weekday: Weekday): [number, number][] {
  const previous = weekdays[(weekdays.indexOf(weekday) + 6) % 7] ?? weekday;
  const periods = hours.flatMap(({ weekdays: days, from, to }): [number, number][] => {
    const [start, end] = [parseTimeOfDay(from), parseTimeOfDay(to)];
    const isOvernight = end <= start;
    return [
      ...(days.includes(weekday) ? [[start, isOvernight ? dayMinutes : end] satisfies [number, number]] : []),
      ...(isOvernight && end > 0 && days.includes(previous) ? [[0, end] satisfies [number, number]] : []),
    ];
  });
  const merged: [number, number][] = [];
  for (const [from, to] of periods.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function parseTimeOfDay(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

function formatTimeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
