// Reads "since Monday", "this week", "in the last 3 days", "yesterday", "next week" and dates as a span of time.

export interface TimeSpan {
  /** The first moment of it. */
  fromMs?: number;
  /** The first moment after it. */
  untilMs?: number;
  /** Where the words stand that said so. */
  at: { from: number; until: number };
}

/** Whether days are looked for behind now or ahead of it: a meeting on Friday is to come, a failure on Friday was. */
export type Direction = 'past' | 'future';

type Bounds = Omit<TimeSpan, 'at'>;

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
};
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = 'january february march april may june july august september october november december'.split(' ');
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const amount = `(\\d{1,3}|${numbers.slice(1).join('|')}|an?|few|couple of)`;
const unit = '(minute|hour|day|week|month)s?';
const day = `(?:last |next |this |coming )?(?:${weekdays.join('|')})|today|yesterday|tomorrow|\\d{4}-\\d{2}-\\d{2}`;
const month = `(${months.join('|')})(?: (\\d{4}))?`;

interface Now {
  nowMs: number;
  direction: Direction;
}

type Reading = readonly [pattern: string, span: (found: readonly string[], now: Now) => Bounds];

const readings: readonly Reading[] = [
  [
    `between (${day}) and (${day})|from (${day}) (?:to|until|till) (${day})`,
    ([from, until, from2, until2], now) => ({
      fromMs: startOf(from ?? from2!, now),
      untilMs: startOf(until ?? until2!, now) + dayMs,
    }),
  ],
  [`(?:since|starting|from) (${day})`, ([from], now) => ({ fromMs: startOf(from!, now) })],
  [`after (${day})`, ([from], now) => ({ fromMs: startOf(from!, now) + dayMs })],
  [`(?:since|from) ${month}`, ([name, year], now) => ({ fromMs: monthOf(name!, year, now).fromMs! })],
  [
    '(?:since|from) (?:the (?:start|beginning) of )?(this|last) (week|month|year)',
    ([which, period], now) => ({ fromMs: periodOf(period!, which!, now).fromMs! }),
  ],
  [`(?:before|until|till) (${day})`, ([until], now) => ({ untilMs: startOf(until!, now) })],
  [`(?:before|until) ${month}`, ([name, year], now) => ({ untilMs: monthOf(name!, year, now).fromMs! })],
  [
    `(?:older than|more than|over) ${amount} ${unit}(?: (?:old|ago))?`,
    ([count, name], { nowMs }) => ({ untilMs: nowMs - lengthOf(count, name) }),
  ],
  [
    `(?:newer than|less than|younger than) ${amount} ${unit}(?: (?:old|ago))?`,
    ([count, name], { nowMs }) => ({ fromMs: nowMs - lengthOf(count, name) }),
  ],
  [
    `(?:in |over |during |within |for |from |of )?(?:the )?(?:last|past|previous) (?:${amount} ${unit}|(minute|hour|day))`,
    ([count, name, single], { nowMs }) => ({ fromMs: nowMs - lengthOf(count, name ?? single) }),
  ],
  [
    `(?:in |over |during |within |for )?(?:the )?(?:next|coming) (?:${amount} ${unit}|(hour|day))`,
    ([count, name, single], { nowMs }) => ({ fromMs: nowMs, untilMs: nowMs + lengthOf(count, name ?? single) }),
  ],
  [
    '(?:in |during |for |of )?(?:the )?(this|current|last|previous|past|next|coming) (weekend|week|month|year)',
    ([which, period], now) => periodOf(period!, which!, now),
  ],
  [`(?:in |during |of )${month}`, ([name, year], now) => monthOf(name!, year, now)],
  [
    `(?:on |for |of |from )?(${day}|this (?:morning|afternoon|evening)|tonight)(?:['’]s)?`,
    ([which], now) => {
      const from = startOf(/^(this (morning|after|even)|tonight)/i.test(which!) ? 'today' : which!, now);
      return { fromMs: from, untilMs: from + dayMs };
    },
  ],
];

export function timeSpanIn(question: string, nowMs: number, direction: Direction = 'past'): TimeSpan | undefined {
  for (const [pattern, span] of readings) {
    const match = new RegExp(`\\b(?:${pattern})(?![\\w-])`, 'i').exec(question);
    if (!match) continue;
    const at = { from: match.index, until: match.index + match[0].length };
    return { ...span(match.slice(1), { nowMs, direction }), at };
  }
  return undefined;
}

function startOf(which: string, { nowMs, direction }: Now): number {
  const said = which.toLowerCase();
  if (/^\d/.test(said)) return Date.parse(`${said}T00:00:00Z`);
  const today = nowMs - (nowMs % dayMs);
  if (said === 'today') return today;
  if (said === 'yesterday') return today - dayMs;
  if (said === 'tomorrow') return today + dayMs;
  const name = said.split(' ').at(-1)!;
  // The nearest day of that name, today included unless it is the last or the next one.
  const back = (new Date(today).getUTCDay() - weekdays.indexOf(name) + 7) % 7;
  if (said.startsWith('last')) return today - (back || 7) * dayMs;
  if (/^(next|coming)/.test(said)) return today + (7 - back) * dayMs;
  if (direction === 'past' || back === 0) return today - back * dayMs;
  return today + (7 - back) * dayMs;
}

function periodOf(unitName: string, which: string, now: Now): Bounds {
  const date = new Date(now.nowMs);
  const step = /last|previous|past/i.test(which) ? -1 : /next|coming/i.test(which) ? 1 : 0;
  const name = unitName.toLowerCase();
  if (name.startsWith('week')) {
    const monday = startOf('monday', { ...now, direction: 'past' }) + step * 7 * dayMs;
    const first = name === 'weekend' ? monday + 5 * dayMs : monday;
    return { fromMs: first, untilMs: monday + 7 * dayMs };
  }
  const start = (ahead: number) =>
    name === 'month'
      ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead)
      : Date.UTC(date.getUTCFullYear() + ahead, 0);
  return { fromMs: start(step), untilMs: start(step + 1) };
}

/** The latest month of that name, or the one of a year. */
function monthOf(name: string, year: string | undefined, { nowMs }: Now): Bounds {
  const now = new Date(nowMs);
  const index = months.indexOf(name.toLowerCase());
  const from = year ? Number(year) : now.getUTCFullYear() - (index > now.getUTCMonth() ? 1 : 0);
  return { fromMs: Date.UTC(from, index), untilMs: Date.UTC(from, index + 1) };
}

function lengthOf(count: string | undefined, name: string | undefined): number {
  const said = count?.toLowerCase() ?? 'one';
  const word = numbers.indexOf(said);
  const few = { a: 1, an: 1, few: 3, 'couple of': 2 }[said];
  return (few ?? (word >= 0 ? word : Number(said))) * unitMs[name!.toLowerCase()]!;
}
