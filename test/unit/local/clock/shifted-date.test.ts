import { installDate } from '../../../../local/clock/shifted-date.ts';

describe('shifted Date', () => {
  const Real = Date;
  const moment = Date.parse('2030-05-06T07:08:09.000Z');

  beforeEach(() => installDate(() => moment));
  afterEach(() => {
    globalThis.Date = Real;
    Real.prototype.constructor = Real;
  });

  it('returns the clock’s time in every form', () => {
    expect(new Date().toISOString()).toBe('2030-05-06T07:08:09.000Z');
    expect(Date.now()).toBe(moment);
    expect(Date()).toContain('2030');
  });

  it('behaves like Date otherwise', () => {
    expect(new Date(7).getTime()).toBe(7);
    expect(new Date(2020, 1, 2, 3).toISOString()).toBe(new Real(2020, 1, 2, 3).toISOString());
    expect(new Date('2020-01-01').getTime()).toBe(Date.UTC(2020, 0));
    expect(Date.parse('2020-01-01')).toBe(Date.UTC(2020, 0));
    expect([Date.name, Date.length]).toEqual(['Date', 7]);
  });

  it('supports instanceof in both directions', () => {
    expect(new Real(7) instanceof Date).toBe(true);
    expect(new Date() instanceof Real).toBe(true);
    expect(new Real(7).constructor).toBe(Date);
  });

  it('can be extended', () => {
    class Day extends Date {
      name(): string {
        return this.toISOString().slice(0, 10);
      }
    }
    expect(new Day().name()).toBe('2030-05-06');
    expect(new Day(0).name()).toBe('1970-01-01');
    expect(new Day() instanceof Day).toBe(true);
  });
});
