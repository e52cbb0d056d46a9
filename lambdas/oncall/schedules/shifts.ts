import { weekdays } from '../../../contract/on-call-values.ts';
import type { Override } from '../../../contract/schedule-overrides.ts';
import type { Restriction, ScheduleLayer } from '../../../contract/schedules.ts';
import { isBefore, type LocalTime, parseLocalTime, toInstantMs, toLocalTime } from '../../platform/local-time.ts';

// Who is on call, as a pure function of a schedule. Rotations and restrictions are computed in local time and then
// converted to instants, so a hand-off at 09:00 stays at 09:00 local time. Overrides come first, the newest first; then
// the layers in their order, each of which covers only what the ones before it left open.

export interface OnCallSchedule {
  time_zone: string;
  layers: readonly ScheduleLayer[];
  overrides: readonly Override[];
}

export type ShiftSource =
  | { kind: 'override'; id: string }
  /** The first layer is number 1. */
  | { kind: 'layer'; number: number }
  | { kind: 'gap' };

export interface Shift {
  startMs: number;
  endMs: number;
  /** Null in a gap. */
  person: string | null;
  source: ShiftSource;
}

/** The final shifts of a period, without holes: where nobody is on call, there is a gap. */
export function computeShifts(schedule: OnCallSchedule, fromMs: number, toMs: number): Shift[] {
  const found: Shift[] = [];
  let open: Period[] = fromMs < toMs ? [{ startMs: fromMs, endMs: toMs }] : [];
  for (const shifts of listByPrecedence(schedule, fromMs, toMs)) {
    if (open.length === 0) break;
    const covered = coverOpenPeriods(open, shifts);
    found.push(...covered.shifts);
    open = covered.open;
  }
  const gaps = open.map((period): Shift => ({ ...period, person: null, source: { kind: 'gap' } }));
  return mergeShifts([...found, ...gaps].sort((a, b) => a.startMs - b.startMs));
}

/** The person on call; null in a gap. */
export function findOnCall(schedule: OnCallSchedule, atMs: number): string | null {
  return computeShifts(schedule, atMs, atMs + 1)[0]?.person ?? null;
}

interface Period {
  startMs: number;
  endMs: number;
}

/** Later ones are computed only if earlier ones leave something open. */
function* listByPrecedence({ overrides, layers, time_zone }: OnCallSchedule, fromMs: number, toMs: number) {
  // The order of creation is the order of the list, so equal times of creation do not matter.
  for (const override of overrides.toReversed()) yield [toOverrideShift(override)];
  for (const [index, layer] of layers.entries()) {
    const source: ShiftSource = { kind: 'layer', number: index + 1 };
    yield computeLayer(layer, time_zone, fromMs, toMs).map((turn): Shift => ({ ...turn, source }));
  }
}

function toOverrideShift({ id, person, starts_at, ends_at }: Override): Shift {
  return { startMs: Date.parse(starts_at), endMs: Date.parse(ends_at), person, source: { kind: 'override', id } };
}

/** Both lists are in order of time and without overlaps. */
function coverOpenPeriods(open: readonly Period[], shifts: readonly Shift[]): { shifts: Shift[]; open: Period[] } {
  const covered: Shift[] = [];
  const stillOpen: Period[] = [];
  let next = 0;
  for (const { startMs, endMs } of open) {
    let uncoveredMs = startMs;
    while (next < shifts.length && (shifts[next]?.endMs ?? 0) <= startMs) next++;
    for (let index = next; index < shifts.length; index++) {
      const shift = shifts[index];
      if (!shift || shift.startMs >= endMs) break;
      const part = { ...shift, startMs: Math.max(shift.startMs, startMs), endMs: Math.min(shift.endMs, endMs) };
      if (part.startMs > uncoveredMs) stillOpen.push({ startMs: uncoveredMs, endMs: part.startMs });
      covered.push(part);
      uncoveredMs = part.endMs;
    }
    if (uncoveredMs < endMs) stillOpen.push({ startMs: uncoveredMs, endMs });
  }
  return { shifts: covered, open: stillOpen };
}

/** Joins neighbours with the same person and source, such as two turns of the only person of a layer. */
function mergeShifts(shifts: readonly Shift[]): Shift[] {
  const merged: Shift[] = [];
  for (const shift of shifts) {
    const last = merged.at(-1);
    const continues =
      last?.endMs === shift.startMs && last.person === shift.person && isSame(last.source, shift.source);
    if (last && continues) last.endMs = shift.endMs;
    else merged.push({ ...shift });
  }
  return merged;
}

function isSame(a: ShiftSource, b: ShiftSource): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Turn extends Period {
  person: string;
}

interface LocalPeriod {
  start: LocalTime;
  end: LocalTime;
}

/** The turns of one layer between two instants, in order. */
function computeLayer(layer: ScheduleLayer, timeZone: string, fromMs: number, toMs: number): Turn[] {
  const start = parseLocalTime(layer.starts_on, layer.handoff_time);
  const end = layer.ends_on === null ? undefined : parseLocalTime(layer.ends_on, layer.handoff_time);
  // A clock change moves local times by at most a day, so a margin of two days misses nothing.
  const from = latest(start, toLocalTime(fromMs, timeZone).subtract({ days: 2 }));
  const to = earliest(end, toLocalTime(toMs, timeZone).add({ days: 2 }));
  const windows = listWindows(layer.restrictions, from, to);
  const turns: Turn[] = [];
  let next = 0;
  for (const { person, ...turn } of listRotation(layer, start, from, to)) {
    while (windows[next] && !isBefore(turn.start, windows[next]?.end ?? turn.start)) next++;
    for (const part of intersect(turn, windows, next)) {
      const startMs = Math.max(fromMs, toInstantMs(part.start, timeZone));
      const endMs = Math.min(toMs, toInstantMs(part.end, timeZone));
      // A turn that lies in a skipped hour has no length.
      if (startMs < endMs) turns.push({ startMs, endMs, person });
    }
  }
  return turns;
}

/** The turns of a rotation without restrictions. The first person has the turn that contains the start. */
function* listRotation(
  { people, shift_length, shift_unit, handoff_weekday }: ScheduleLayer,
  start: LocalTime,
  from: LocalTime,
  to: LocalTime,
): Iterable<LocalPeriod & { person: string }> {
  const anchor = handoff_weekday === null ? start : findPreviousWeekday(start, weekdays.indexOf(handoff_weekday) + 1);
  const length = { [shift_unit]: shift_length };
  const passed = anchor.until(from, { largestUnit: shift_unit === 'hours' ? 'hours' : 'days' });
  const unitsPassed = { hours: passed.hours, days: passed.days, weeks: passed.days / 7 }[shift_unit];
  let turn = Math.floor(unitsPassed / shift_length);
  let begins = anchor.add({ [shift_unit]: turn * shift_length });
  while (isBefore(begins, to)) {
    const ends = begins.add(length);
    const period = { start: latest(begins, from), end: earliest(ends, to) };
    if (isBefore(period.start, period.end)) yield { ...period, person: people[turn % people.length] ?? '' };
    begins = ends;
    turn++;
  }
}

/** The same time of day on the last given day of the week, up to the day itself. Monday is 1. */
function findPreviousWeekday(local: LocalTime, dayOfWeek: number): LocalTime {
  return local.subtract({ days: (local.dayOfWeek - dayOfWeek + 7) % 7 });
}

/** The periods of the restrictions, in order and without overlaps; everything if there are no restrictions. */
function listWindows(restrictions: readonly Restriction[], from: LocalTime, to: LocalTime): LocalPeriod[] {
  if (restrictions.length === 0) return [{ start: from, end: to }];
  const windows: LocalPeriod[] = [];
  const lastDay = to.toPlainDate();
  // A window of the day before may reach into the first day.
  let day = from.toPlainDate().subtract({ days: 1 });
  while (day.until(lastDay).sign >= 0) {
    const weekday = weekdays[day.dayOfWeek - 1];
    for (const restriction of restrictions) {
      if (!weekday || !restriction.weekdays.includes(weekday)) continue;
      const endDay = restriction.to > restriction.from ? day : day.add({ days: 1 });
      windows.push({
        start: parseLocalTime(day.toString(), restriction.from),
        end: parseLocalTime(endDay.toString(), restriction.to),
      });
    }
    day = day.add({ days: 1 });
  }
  return mergePeriods(windows);
}

function mergePeriods(periods: LocalPeriod[]): LocalPeriod[] {
  const merged: LocalPeriod[] = [];
  for (const period of periods.sort((a, b) => (isBefore(a.start, b.start) ? -1 : 1))) {
    const last = merged.at(-1);
    if (last && !isBefore(last.end, period.start)) last.end = latest(last.end, period.end);
    else merged.push(period);
  }
  return merged;
}

/** The windows are in order; those before `first` end before the period. */
function* intersect(
  { start, end }: LocalPeriod,
  windows: readonly LocalPeriod[],
  first: number,
): Iterable<LocalPeriod> {
  for (let index = first; index < windows.length; index++) {
    const window = windows[index];
    if (!window || !isBefore(window.start, end)) return;
    yield { start: latest(start, window.start), end: earliest(end, window.end) };
  }
}

function latest(a: LocalTime, b: LocalTime): LocalTime {
  return isBefore(a, b) ? b : a;
}

function earliest(a: LocalTime | undefined, b: LocalTime): LocalTime {
  return a && isBefore(a, b) ? a : b;
}
