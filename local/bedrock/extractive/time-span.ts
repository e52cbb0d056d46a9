// Reads "since Monday", "this week", "in the last 3 days", "yesterday" and dates as a span of time.

export interface TimeSpan {
  /** The first moment of it. */
  fromMs?: number;
  /** The first moment after it. */
  untilMs?: number;
  /** The words that said so. */
  said: string;
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
};
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const day = `(?:${weekdays.join('|')}|today|yesterday|\\d{4}-\\d{2}-\\d{2})`;

type Reading = readonly [pattern: RegExp, span: (match: RegExpExecArray, nowMs: number) => Omit<TimeSpan, 'said'>];

const readings: readonly Reading[] = [
  [
    new RegExp(`\\bbetween (${day}) and (${day})`, 'i'),
    ([, from, until], nowMs) => ({ fromMs: startOf(from!, nowMs), untilMs: startOf(until!, nowMs) + dayMs }),
  ],
  [new RegExp(`\\b(?:since|after|from) (${day})`, 'i'), ([, from], nowMs) => ({ fromMs: startOf(from!, nowMs) })],
  [new RegExp(`\\b(?:before|until) (${day})`, 'i'), ([, until], nowMs) => ({ untilMs: startOf(until!, nowMs) })],
  [
    /\b(?:in |over |during |within )?(?:the )?(?:last|past|previous) (\d{1,3}|one|two|three)? ?(minute|hour|day|week|month)s?\b(?<!last week|last month)/i,
    ([, amount, unit], nowMs) => ({ fromMs: nowMs - amountOf(amount) * unitMs[unit!.toLowerCase()]! }),
  ],
  [
    /\b(this|current|last|previous) (week|month|year)\b/i,
    ([, which, unit], nowMs) => periodOf(unit!.toLowerCase(), /last|previous/i.test(which!), nowMs),
  ],
  [
    new RegExp(`\\b(?:on |for )?(${day})\\b`, 'i'),
    ([, which], nowMs) => ({ fromMs: startOf(which!, nowMs), untilMs: startOf(which!, nowMs) + dayMs }),
  ],
];

export function timeSpanIn(question: string, nowMs: number): TimeSpan | undefined {
  for (const [pattern, span] of readings) {
    const match = pattern.exec(question);
    if (match) return { ...span(match, nowMs), said: match[0] };
  }
  return undefined;
}

function startOf(which: string, nowMs: number): number {
  const name = which.toLowerCase();
  if (/^\d/.test(name)) return Date.parse(`${name}T00:00:00Z`);
  const today = nowMs - (nowMs % dayMs);
  if (name === 'today') return today;
  if (name === 'yesterday') return today - dayMs;
  // The latest day of that name, today included.
  const back = (new Date(today).getUTCDay() - weekdays.indexOf(name) + 7) % 7;
  return today - back * dayMs;
}

function periodOf(unit: string, before: boolean, nowMs: number): { fromMs: number; untilMs?: number } {
  const now = new Date(nowMs);
  const monday = startOf('monday', nowMs);
  const month = (ahead: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead);
  const year = (ahead: number) => Date.UTC(now.getUTCFullYear() + ahead, 0);
  if (unit === 'week') return before ? { fromMs: monday - 7 * dayMs, untilMs: monday } : { fromMs: monday };
  const start = unit === 'month' ? month : year;
  return before ? { fromMs: start(-1), untilMs: start(0) } : { fromMs: start(0) };
}

function amountOf(text: string | undefined): number {
  return { one: 1, two: 2, three: 3 }[text?.toLowerCase() ?? 'one'] ?? Number(text);
}
