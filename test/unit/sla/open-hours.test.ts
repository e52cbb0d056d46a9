import { type Weekday, weekdays } from '../../../contract/on-call-values.ts';
import { createOpenHours, type Hours } from '../../../lambdas/sla/open-hours.ts';
import fc from '../../support/properties.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Zones with gaps and folds of an hour and of half an hour, at midnight, in the south, and without any. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'UTC',
];

const timeOfDay = fc
  .tuple(fc.nat(23), fc.constantFrom('00', '15', '30', '59'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);

/** A day between 2025 and 2028. */
const date = fc
  .integer({ min: 0, max: 1_200 })
  .map((day) => new Date(Date.UTC(2025, 0, 1) + day * dayMs).toISOString().slice(0, 10));

const calendar: fc.Arbitrary<Hours> = fc.record({
  time_zone: fc.constantFrom(...zones),
  hours: fc.array(
    fc.record({ weekdays: fc.subarray<Weekday>([...weekdays], { minLength: 1 }), from: timeOfDay, to: timeOfDay }),
    { minLength: 1, maxLength: 3 },
  ),
  holidays: fc.array(fc.record({ date, yearly: fc.boolean() }), { maxLength: 20 }),
});

const fromMs = fc.integer({ min: 0, max: 1_100 * 1_440 }).map((minute) => Date.UTC(2025, 0, 1) + minute * minuteMs);

/**
 * Whether each minute is open, by reading a clock on the wall. A local time has been reached once the clock has shown it or a
 * later one, which decides what happens when the clock is set forward or back.
 */
function* readMinutes({ time_zone, hours, holidays }: Hours, startMs: number, endMs: number): Iterable<boolean> {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: time_zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const isHoliday = (day: string) =>
    holidays.some(({ date, yearly }) => (yearly ? date.slice(5) === day.slice(5) : date === day));
  const opens = (day: string, time: string) => {
    const name = weekdays[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7]!;
    const before = weekdays[(weekdays.indexOf(name) + 6) % 7]!;
    return hours.some(({ weekdays: days, from, to }) => {
      const isOvernight = to <= from;
      const isToday = days.includes(name) && time >= from && (isOvernight || time < to);
      return isToday || (isOvernight && days.includes(before) && time < to);
    });
  };
  let latest = '';
  // Three hours earlier, for a clock that was just set back.
  for (let atMs = startMs - 180 * minuteMs; atMs < endMs; atMs += minuteMs) {
    const shown = format.format(atMs);
    if (shown > latest) latest = shown;
    const [day = '', time = ''] = latest.split(' ');
    if (atMs >= startMs) yield !isHoliday(day) && opens(day, time);
  }
}

/** SLA_RUNS=1000 runs longer. */
const numRuns = Number(process.env.SLA_RUNS ?? 20);

describe('open hours', () => {
  it('equal a reading of the clock minute by minute', () => {
    const days = fc.constantFrom(1, 3, 10);
    fc.assert(
      fc.property(calendar, fromMs, days, fc.nat(20_000), (given, startMs, length, amount) => {
        const endMs = startMs + length * dayMs;
        const minutes = [...readMinutes(given, startMs, endMs)];
        const open = createOpenHours(given);
        expect(open.sum(startMs, endMs)).toBe(minutes.filter(Boolean).length * minuteMs);
        const listed = open.list(startMs, endMs).flatMap((period) => [period.fromMs, period.toMs]);
        const changes = minutes.flatMap((is, index) =>
          is === (minutes[index - 1] ?? false) ? [] : [startMs + index * minuteMs],
        );
        expect(listed).toEqual(minutes.at(-1) ? [...changes, endMs] : changes);
        // The end of the minute in which the amount is used up.
        const total = minutes.filter(Boolean).length;
        const wanted = total === 0 ? 0 : (amount % total) + 1;
        let left = wanted;
        const last = minutes.findIndex((is) => is && --left === 0);
        if (wanted > 0) expect(open.findTime(startMs, wanted * minuteMs)).toBe(startMs + (last + 1) * minuteMs);
      }),
      { numRuns },
    );
  });

  it('cover targets across 400 days', () => {
    fc.assert(
      fc.property(calendar, fromMs, (given, startMs) => {
        const endMs = startMs + 400 * dayMs;
        const open = [...readMinutes(given, startMs, endMs)].reduce((sum, is) => sum + Number(is), 0) * minuteMs;
        const hours = createOpenHours(given);
        expect(hours.sum(startMs, endMs)).toBe(open);
        if (open > 0) expect(hours.sum(startMs, hours.findTime(startMs, open))).toBe(open);
      }),
      { numRuns: Math.ceil(numRuns / 20) },
    );
  });

  const office: Hours = {
    time_zone: 'Europe/Berlin',
    hours: [{ weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], from: '09:00', to: '17:00' }],
    holidays: [
      { date: '2024-12-25', yearly: true },
      { date: '2026-12-28', yearly: false },
    ],
  };

  it.each([
    ['a weekend', '2026-03-06T15:00:00Z', 120, '2026-03-09T09:00:00Z'],
    ['the start of summer time', '2026-03-27T15:00:00Z', 120, '2026-03-30T08:00:00Z'],
    ['holidays at the end of a year', '2026-12-24T15:00:00Z', 120, '2026-12-29T09:00:00Z'],
    ['a yearly holiday of a later year', '2028-12-22T15:00:00Z', 120 + 960, '2028-12-28T09:00:00Z'],
  ])('skip %s', (_what, from, minutes, to) => {
    expect(new Date(createOpenHours(office).findTime(Date.parse(from), minutes * minuteMs)).toISOString()).toBe(
      new Date(to).toISOString(),
    );
  });

  it('are an hour longer in the night in which clocks are set back', () => {
    const night = { ...office, hours: [{ weekdays: ['saturday' as const], from: '22:00', to: '06:00' }], holidays: [] };
    const [start, end] = [Date.parse('2026-10-24T12:00:00Z'), Date.parse('2026-10-26T00:00:00Z')];
    expect(createOpenHours(night).sum(start, end)).toBe(9 * 60 * minuteMs);
  });
});
