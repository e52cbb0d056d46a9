// AWS cron expressions: minutes hours day-of-month month day-of-week year, in UTC, with ? L W and #.

export interface Cron {
  /** The first time after `timeMs` that the expression names; undefined when there is none any more. */
  after(timeMs: number): number | undefined;
}

interface Field {
  least: number;
  most: number;
  names?: readonly string[];
}

type DayMatch = (day: Day) => boolean;

interface Day {
  year: number;
  month: number;
  date: number;
  /** 1 is Sunday. */
  weekday: number;
  lastDate: number;
}

const dayMs = 86_400_000;
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const fields = {
  minute: { least: 0, most: 59 },
  hour: { least: 0, most: 23 },
  date: { least: 1, most: 31 },
  month: { least: 1, most: 12, names: months },
  weekday: { least: 1, most: 7, names: weekdays },
  year: { least: 1970, most: 2199 },
} satisfies Record<string, Field>;

/** Throws when the expression is not one. `text` is what stands between the parentheses. */
export function readCron(text: string): Cron {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 6) throw new Error(`cron(${text}) needs six fields`);
  const [minute, hour, date, month, weekday, year] = parts as [string, string, string, string, string, string];
  if ((date === '?') === (weekday === '?')) {
    throw new Error(`cron(${text}) needs ? as either its day of the month or its day of the week`);
  }
  const minutes = readSet(minute, fields.minute);
  const hours = readSet(hour, fields.hour);
  const inMonth = readSet(month, fields.month);
  const inYear = readSet(year, fields.year);
  const onDay = weekday === '?' ? readDates(date) : readWeekdays(weekday);
  return {
    after(timeMs) {
      const from = Math.floor(timeMs / 60_000) * 60_000 + 60_000;
      const end = Date.UTC(fields.year.most + 1, 0, 1);
      for (let dayStart = Math.floor(from / dayMs) * dayMs; dayStart < end; dayStart += dayMs) {
        const day = dayOf(dayStart);
        if (!inYear.has(day.year) || !inMonth.has(day.month) || !onDay(day)) continue;
        const found = firstTime(hours, minutes, from - dayStart);
        if (found !== undefined) return dayStart + found;
      }
      return undefined;
    },
  };
}

function firstTime(hours: ReadonlySet<number>, minutes: ReadonlySet<number>, notBeforeMs: number): number | undefined {
  for (const hour of [...hours].sort((a, b) => a - b)) {
    for (const minute of [...minutes].sort((a, b) => a - b)) {
      const timeMs = (hour * 60 + minute) * 60_000;
      if (timeMs >= notBeforeMs) return timeMs;
    }
  }
  return undefined;
}

function readDates(text: string): DayMatch {
  if (text === 'L') return (day) => day.date === day.lastDate;
  if (text === 'LW') return (day) => day.date === nearestWeekday(day, day.lastDate);
  const nearest = /^(\d+)W$/.exec(text)?.[1];
  if (nearest !== undefined) {
    const date = readNumber(nearest, fields.date);
    return (day) => day.date === nearestWeekday(day, Math.min(date, day.lastDate));
  }
  const before = /^L-(\d+)$/.exec(text)?.[1];
  if (before !== undefined) return (day) => day.date === day.lastDate - Number(before);
  const dates = readSet(text, fields.date);
  return (day) => dates.has(day.date);
}

function readWeekdays(text: string): DayMatch {
  const last = /^(\w+)L$/.exec(text)?.[1];
  if (last !== undefined) {
    const weekday = readNumber(last, fields.weekday);
    return (day) => day.weekday === weekday && day.date + 7 > day.lastDate;
  }
  if (text === 'L') return (day) => day.weekday === 7;
  const [, name, nth] = /^(\w+)#(\d)$/.exec(text) ?? [];
  if (name !== undefined && nth !== undefined) {
    const weekday = readNumber(name, fields.weekday);
    if (Number(nth) < 1 || Number(nth) > 5) throw new Error(`${text} names a week that no month has`);
    return (day) => day.weekday === weekday && Math.ceil(day.date / 7) === Number(nth);
  }
  const set = readSet(text, fields.weekday);
  return (day) => set.has(day.weekday);
}

function readSet(text: string, field: Field): Set<number> {
  const set = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...rest] = part.split('/');
    if (rest.length > 0 || (step !== undefined && !/^[1-9]\d*$/.test(step)))
      throw new Error(`${part} is not a cron field`);
    const [first = '', last, ...more] = range.split('-');
    if (more.length > 0) throw new Error(`${part} is not a cron field`);
    const from = first === '*' ? field.least : readNumber(first, field);
    const to = last !== undefined ? readNumber(last, field) : first === '*' || step !== undefined ? field.most : from;
    if (to < from) throw new Error(`the range ${range} runs backwards`);
    for (let value = from; value <= to; value += Number(step ?? 1)) set.add(value);
  }
  return set;
}

function readNumber(text: string, { least, most, names }: Field): number {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + 1 : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new Error(`${text} is not between ${least} and ${most}`);
  return value;
}

function dayOf(timeMs: number): Day {
  const date = new Date(timeMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    year,
    month: month + 1,
    date: date.getUTCDate(),
    weekday: date.getUTCDay() + 1,
    lastDate: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  };
}

/** The Monday to Friday nearest to a date, without leaving the month. */
function nearestWeekday({ year, month, lastDate }: Day, date: number): number {
  const weekday = new Date(Date.UTC(year, month - 1, date)).getUTCDay();
  if (weekday === 6) return date > 1 ? date - 1 : date + 2;
  if (weekday === 0) return date < lastDate ? date + 1 : date - 2;
  return date;
}
