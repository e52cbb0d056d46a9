import {
  getDay,
  getEnd,
  lengths,
  moveRange,
  parseRange,
  toPosition,
} from '../../../console/features/changes/calendar-range.ts';
import { maxCalendarDays } from '../../../contract/change-calendar.ts';

const at = (text: string) => new Date(text).getTime();

describe('the range of the calendar', () => {
  it('starts today on a Sunday, so that the coming week is visible', () => {
    const range = parseRange('days=7', at('2026-03-08T12:00:00'));
    expect(range).toEqual({ from: '2026-03-08', days: 7 });
    expect(getEnd(range).getTime()).toBe(at('2026-03-15T00:00:00'));
  });

  it('follows the URL, and ignores invalid days', () => {
    const now = at('2026-03-08T12:00:00');
    expect(parseRange('from=2026-02-01&days=31', now)).toEqual({ from: '2026-02-01', days: 31 });
    expect(parseRange('from=2026-02-99&days=8', now)).toEqual({ from: '2026-03-08', days: 14 });
  });

  it('moves by its own length across months', () => {
    expect(moveRange({ from: '2026-02-22', days: 14 }, 1).from).toBe('2026-03-08');
    expect(moveRange({ from: '2026-03-08', days: 14 }, -1).from).toBe('2026-02-22');
  });

  it('is accepted by the service even with a day of 25 hours', () => {
    expect(Math.max(...lengths) * 24 + 1).toBeLessThanOrEqual(maxCalendarDays * 24);
  });

  it('clips windows to its ends', () => {
    const range = { from: '2026-03-08', days: 7 } as const;
    const position = (from: Date, to: Date) =>
      toPosition({ planned_start: from.toISOString(), planned_end: to.toISOString() }, range);
    expect(position(getDay(range, -3), getDay(range, 20))).toEqual({ left: 0, width: 100 });
    expect(position(getDay(range, 20), getDay(range, 21))).toEqual({ left: 100, width: 0 });
  });
});
