import { readScheduleExpression } from '../../../../local/scheduler/schedule-expression.ts';

const from = Date.parse('2026-01-15T10:30:00Z'); // a Thursday

function occurrences(expression: string, count: number, startMs = from): string[] {
  const times = readScheduleExpression(expression);
  const found: string[] = [];
  for (let at = times.first(startMs); at !== undefined && found.length < count; at = times.next(at)) {
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe('schedule expressions', () => {
  it.each([
    ['rate(1 minute)', ['2026-01-15T10:31', '2026-01-15T10:32']],
    ['rate(2 hours)', ['2026-01-15T12:30', '2026-01-15T14:30']],
    ['rate(7 days)', ['2026-01-22T10:30', '2026-01-29T10:30']],
    ['cron(0 12 * * ? *)', ['2026-01-15T12:00', '2026-01-16T12:00']],
    ['cron(0/15 * * * ? *)', ['2026-01-15T10:45', '2026-01-15T11:00']],
    ['cron(5,35 10-11 * * ? *)', ['2026-01-15T10:35', '2026-01-15T11:05', '2026-01-15T11:35', '2026-01-16T10:05']],
    ['cron(0 18 ? * MON-FRI *)', ['2026-01-15T18:00', '2026-01-16T18:00', '2026-01-19T18:00']],
    ['cron(0 8 1 * ? *)', ['2026-02-01T08:00', '2026-03-01T08:00']],
    ['cron(0 0 L * ? *)', ['2026-01-31T00:00', '2026-02-28T00:00']],
    ['cron(0 9 ? * 6L *)', ['2026-01-30T09:00', '2026-02-27T09:00']],
    ['cron(0 9 ? * 3#2 *)', ['2026-02-10T09:00', '2026-03-10T09:00']],
    ['cron(0 9 ? * MON#5 *)', ['2026-03-30T09:00', '2026-06-29T09:00']],
    ['cron(0 9 1W * ? *)', ['2026-02-02T09:00', '2026-03-02T09:00', '2026-04-01T09:00']],
    ['cron(0 9 31W * ? *)', ['2026-01-30T09:00', '2026-02-27T09:00']],
    ['cron(0 9 LW * ? *)', ['2026-01-30T09:00', '2026-02-27T09:00']],
    ['cron(0 0 29 2 ? *)', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['cron(0 0 1 JAN ? 2027-2028)', ['2027-01-01T00:00', '2028-01-01T00:00']],
    ['cron(30 10 15 1 ? 2026)', []],
    ['at(2026-01-15T10:30:30)', ['2026-01-15T10:30']],
    ['at(2020-01-01T00:00:00)', []],
  ])('%s', (expression, expected) => {
    expect(occurrences(expression, Math.max(expected.length, 1))).toEqual(expected);
  });

  it.each([
    'rate(0 minutes)',
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(5 weeks)',
    'cron(0 12 * * *)',
    'cron(0 12 * * * *)',
    'cron(0 12 ? * ? *)',
    'cron(60 12 * * ? *)',
    'cron(0 12 ? * 8 *)',
    'cron(0 12 ? * 2#6 *)',
    'cron(0 12 5-1 * ? *)',
    'cron(0/0 12 * * ? *)',
    'at(tomorrow)',
    'every minute',
  ])('refuses %s', (expression) => {
    expect(() => readScheduleExpression(expression)).toThrow();
  });

  it('finds the latest of many missed occurrences', () => {
    const now = Date.parse('2026-06-01T00:00:30Z');
    const latest = (expression: string) => {
      const times = readScheduleExpression(expression);
      return new Date(times.latest(times.first(from)!, now)).toISOString().slice(0, 16);
    };
    expect(latest('rate(1 minute)')).toBe('2026-06-01T00:00');
    expect(latest('cron(0/10 * * * ? *)')).toBe('2026-06-01T00:00');
    expect(latest('cron(0 8 1 * ? *)')).toBe('2026-05-01T08:00');
    expect(latest('cron(0 12 * * ? *)')).toBe('2026-05-31T12:00');
  });
});
