// Who is on call, minute by minute, in the simplest possible way. The clock of a schedule shows local time and never goes
// back: it skips what the wall clock skips, and in a repeated hour it stands still until the wall clock passes it.
// Intl gives the local time, so nothing here is shared with the implementation.
import { weekdays } from '../../../contract/on-call-values.ts';
import type { Restriction, ScheduleLayer } from '../../../contract/schedules.ts';
import type { OnCallSchedule } from '../../../lambdas/oncall/schedules/shifts.ts';

const minuteMs = 60_000;
const dayMinutes = 1_440;

/** Local time of each minute, in minutes since 1970 as if local time were UTC. */
export type ScheduleClock = (atMs: number) => number;

export function readScheduleClock(timeZone: string, fromMs: number, toMs: number): ScheduleClock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const minutes = new Int32Array((toMs - fromMs) / minuteMs);
  let latest = 0;
  for (const index of minutes.keys()) {
    // Such as 29/03/2026, 03:00.
    const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = format
      .format(fromMs + index * minuteMs)
      .split(/\D+/)
      .map(Number);
    latest = Math.max(latest, Date.UTC(year, month - 1, day, hour, minute) / minuteMs);
    minutes[index] = latest;
  }
  return (atMs) => minutes[(atMs - fromMs) / minuteMs]!;
}

/** The person and the source, such as `ana@example.com layer 1`; `nobody` in a gap. */
export function describeMinute({ overrides, layers }: OnCallSchedule, atMs: number, local: number): string {
  for (const { id, person, starts_at, ends_at } of [...overrides].reverse()) {
    if (Date.parse(starts_at) <= atMs && atMs < Date.parse(ends_at)) return `${person} override ${id}`;
  }
  for (const [index, layer] of layers.entries()) {
    const person = findTurn(layer, local);
    if (person !== undefined) return `${person} layer ${index + 1}`;
  }
  return 'nobody';
}

function findTurn(layer: ScheduleLayer, local: number): string | undefined {
  const handoff = toMinutes(layer.handoff_time);
  const start = toDate(layer.starts_on) + handoff;
  if (local < start) return undefined;
  if (layer.ends_on !== null && local >= toDate(layer.ends_on) + handoff) return undefined;
  if (layer.restrictions.length > 0 && !layer.restrictions.some((one) => isInside(one, local))) return undefined;
  let anchor = start;
  while (layer.handoff_weekday !== null && toWeekday(anchor) !== layer.handoff_weekday) anchor -= dayMinutes;
  const length = layer.shift_length * { hours: 60, days: dayMinutes, weeks: 7 * dayMinutes }[layer.shift_unit];
  return layer.people[Math.floor((local - anchor) / length) % layer.people.length];
}

function isInside({ weekdays: days, from, to }: Restriction, local: number): boolean {
  const today = Math.floor(local / dayMinutes) * dayMinutes;
  return [today, today - dayMinutes].some((day) => {
    const end = toMinutes(to) > toMinutes(from) ? toMinutes(to) : toMinutes(to) + dayMinutes;
    return days.includes(toWeekday(day)) && day + toMinutes(from) <= local && local < day + end;
  });
}

function toMinutes(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return hours * 60 + minutes;
}

function toDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / minuteMs;
}

function toWeekday(local: number) {
  // getUTCDay() begins with Sunday.
  return weekdays[(new Date(local * minuteMs).getUTCDay() + 6) % 7]!;
}
