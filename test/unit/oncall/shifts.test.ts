import { shiftUnits, weekdays } from '../../../contract/on-call-values.ts';
import type { ScheduleLayer } from '../../../contract/schedules.ts';
import {
  computeShifts,
  findOnCall,
  type OnCallSchedule,
  type Shift,
} from '../../../lambdas/oncall/schedules/shifts.ts';
import fc from '../../support/properties.ts';
import { describeMinute, readScheduleClock, type ScheduleClock } from './reference-shifts.ts';

// SCHEDULE_RUNS=500 compares that many schedules over the whole year instead of a few around the clock changes.

const runs = Number(process.env.SCHEDULE_RUNS ?? 0);
const minuteMs = 60_000;
const dayMs = 86_400_000;
const yearStart = Date.UTC(2026, 0, 1);

/** Days of the clock changes. Lord Howe moves by half an hour, Santiago and Cairo change at midnight. */
const zones = {
  'Europe/Berlin': ['2026-03-29', '2026-10-25'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'Australia/Lord_Howe': ['2026-04-04', '2026-10-03'],
  'America/Santiago': ['2026-04-04', '2026-09-05'],
  'Africa/Cairo': ['2026-04-23', '2026-10-29'],
} as const;

/** Whole years, or the days around the clock changes. */
const periods = Object.entries(zones).flatMap(([timeZone, changes]) => {
  if (runs > 0) return [{ timeZone, name: 'the whole year', fromMs: yearStart, toMs: yearStart + 365 * dayMs }];
  return changes.map((day) => ({
    timeZone,
    name: `around ${day}`,
    fromMs: Date.parse(day) - 2 * dayMs,
    toMs: Date.parse(day) + 3 * dayMs,
  }));
});

const twoDigits = (value: number) => String(value).padStart(2, '0');
/** Often in the hours in which clocks change. */
const timeOfDay = fc
  .tuple(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 23 })), fc.constantFrom(0, 15, 30, 59))
  .map(([hour, minute]) => `${twoDigits(hour)}:${twoDigits(minute)}`);
const date = fc
  .integer({ min: -400, max: 300 })
  .map((days) => new Date(yearStart + days * dayMs).toISOString().slice(0, 10));
const person = fc.constantFrom('ana@example.com', 'ben@example.com', 'cleo@example.com', 'dan@example.com');

const layer: fc.Arbitrary<ScheduleLayer> = fc
  .record({
    name: fc.constant('Layer'),
    people: fc.array(person, { minLength: 1, maxLength: 5 }),
    shift_length: fc.integer({ min: 1, max: 13 }),
    shift_unit: fc.constantFrom(...shiftUnits),
    handoff_time: timeOfDay,
    handoff_weekday: fc.constantFrom(...weekdays),
    starts_on: date,
    ends_on: fc.option(date, { freq: 3 }),
    restrictions: fc.array(
      fc.record({ weekdays: fc.subarray([...weekdays], { minLength: 1 }), from: timeOfDay, to: timeOfDay }),
      { maxLength: 3 },
    ),
  })
  .map((given) => ({
    ...given,
    handoff_weekday: given.shift_unit === 'weeks' ? given.handoff_weekday : null,
    ends_on: given.ends_on !== null && given.ends_on > given.starts_on ? given.ends_on : null,
  }));

const draft = fc.record({
  layers: fc.array(layer, { minLength: 1, maxLength: 4 }),
  overrides: fc.array(
    fc.record({
      person,
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      minutes: fc.integer({ min: 1, max: 4_000 }),
    }),
    { maxLength: 4 },
  ),
});

function toSchedule(
  { layers, overrides }: { layers: ScheduleLayer[]; overrides: { person: string; at: number; minutes: number }[] },
  { timeZone, fromMs, toMs }: (typeof periods)[number],
): OnCallSchedule {
  return {
    time_zone: timeZone,
    layers,
    overrides: overrides.map((one, index) => {
      const startMs = fromMs + Math.floor((one.at * (toMs - fromMs)) / minuteMs) * minuteMs;
      const times = [startMs, startMs + one.minutes * minuteMs].map((ms) => new Date(ms).toISOString());
      const created = { reason: null, created_by: one.person, created_at: new Date(yearStart).toISOString() };
      return { id: `ovr_${index}`, person: one.person, starts_at: times[0]!, ends_at: times[1]!, ...created };
    }),
  };
}

function describeShift({ person: who, source }: Shift): string {
  if (source.kind === 'gap') return 'nobody';
  return source.kind === 'layer' ? `${who} layer ${source.number}` : `${who} override ${source.id}`;
}

/** The first minute in which both differ. */
function findDifference(schedule: OnCallSchedule, clock: ScheduleClock, fromMs: number, toMs: number) {
  const shifts = computeShifts(schedule, fromMs, toMs);
  let atMs = fromMs;
  for (const shift of shifts) {
    if (shift.startMs !== atMs) return `a hole at ${new Date(atMs).toISOString()}`;
    for (; atMs < shift.endMs; atMs += minuteMs) {
      const expected = describeMinute(schedule, atMs, clock(atMs));
      const actual = describeShift(shift);
      if (actual !== expected) return `${new Date(atMs).toISOString()}: ${actual} instead of ${expected}`;
    }
  }
  if (atMs !== toMs) return `the shifts end at ${new Date(atMs).toISOString()}`;
  const isSplit = shifts.some(
    (shift, index) => index > 0 && describeShift(shift) === describeShift(shifts[index - 1]!),
  );
  return isSplit ? 'neighbours are not merged' : undefined;
}

describe('computeShifts', () => {
  it.each(periods)(
    'agrees with a minute-by-minute reference in $timeZone, $name',
    (period) => {
      const { timeZone, fromMs, toMs } = period;
      const clock = readScheduleClock(timeZone, fromMs - 2 * dayMs, toMs);
      fc.assert(
        fc.property(draft, (given) => {
          expect(findDifference(toSchedule(given, period), clock, fromMs, toMs)).toBeUndefined();
        }),
        { numRuns: runs > 0 ? runs : 5 },
      );
    },
    runs > 0 ? 3_600_000 : 20_000,
  );

  const weekly: ScheduleLayer = {
    name: 'Weekly',
    people: ['ana@example.com', 'ben@example.com'],
    shift_length: 1,
    shift_unit: 'weeks',
    handoff_time: '02:30',
    handoff_weekday: 'sunday',
    starts_on: '2026-01-04',
    ends_on: null,
    restrictions: [],
  };
  const schedule = { time_zone: 'Europe/Berlin', layers: [weekly], overrides: [] };
  const listHandoffs = (from: string, to: string) =>
    computeShifts(schedule, Date.parse(from), Date.parse(to))
      .slice(1)
      .map(({ startMs }) => new Date(startMs).toISOString());

  it('hands off at the end of a skipped hour', () => {
    expect(listHandoffs('2026-03-23', '2026-04-01')).toEqual(['2026-03-29T01:00:00.000Z']);
  });

  it('hands off once in a repeated hour, the first time', () => {
    expect(listHandoffs('2026-10-20', '2026-10-31')).toEqual(['2026-10-25T00:30:00.000Z']);
  });

  it('is empty for an empty period', () => {
    expect(computeShifts(schedule, 5, 5)).toEqual([]);
  });

  it('does not depend on the period', () => {
    const [from, to] = [Date.parse('2026-03-20'), Date.parse('2026-04-20')];
    for (const { startMs, endMs, person: who } of computeShifts(schedule, from, to)) {
      for (const atMs of [startMs, endMs - 1]) expect(findOnCall(schedule, atMs)).toBe(who);
    }
  });
});
