// Reads "since Monday", "this week", "in the last 3 days", "yesterday", "next week" and dates as a span of time. The text is in
// lower case, with single spaces.

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

interface Now {
  nowMs: number;
  direction: Direction;
}

const dayMs = 86_400_000;
const unitMinutes = { m: 1, h: 60, d: 1_440, w: 10_080, f: 20_160, mo: 43_200, q: 131_040, y: 525_600 };
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = 'january february march april may june july august september october november december'.split(' ');
export const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const amount = `(?:\\d{1,4} ?|(?:${numbers.slice(1).join('|')}|half(?: an?)?|an?|the|(?:a )?few|several|(?:a )?couple(?: of)?) )`;
const unit = '(?:minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|fortnights?|months?|quarters?|years?)';
const length = `(${amount}${unit})`;
const monthName = `(?:${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`;
const dayOfMonth = '(?:the )?\\d{1,2}(?:st|nd|rd|th)?';
const date = `${dayOfMonth} (?:of )?${monthName}(?: \\d{4})?|${monthName} ${dayOfMonth}(?: \\d{4})?|\\d{4}-\\d{2}-\\d{2}`;
const weekday = `(?:last |next |this |coming )?(?:${weekdays.join('|')}|mon|tue|tues|wed|thu|thurs|fri)`;
const day = `${weekday}|today|(?:day before )?yesterday|tomorrow|${date}`;
const clockTime = '(?:\\d{1,2} ?[ap]m|noon)';
const month = `(?:${monthName}|q[1-4])(?: \\d{4})?`;
const periodName = '(?:weekend|week|month|quarter|year)';
const period = `(?:this|current|last|previous|past|next|coming|upcoming|following) ${periodName}`;
const around = '(?:(?:in|over|during|within|for|from|of|since|on|at|this) )?';
const partOfDay = 'this (?:morning|afternoon|evening)|tonight|midnight|end of (?:the )?day|eod';

type Effect = (said: string, now: Now, last: string) => Bounds;

/** What the words around a time or a length of time make of it. */
const effects: Readonly<Record<string, Effect>> = {
  between: (said, now, last) => {
    // "between 20 and 25 November": the first day is of the month of the last one.
    const isDay = /^\D*\d{1,2}\D{0,2}$/.test(said);
    const first = isDay ? last.replace(/\d{1,2}(?:st|nd|rd|th)?/, said.replace('the ', '')) : said;
    return { fromMs: toSpan(first, now).fromMs, untilMs: toSpan(last, now).untilMs };
  },
  aged: (said, { nowMs }, last) => ({
    fromMs: nowMs - toMs(last),
    untilMs: nowMs - toMs(`${said} ${last.replace(/^.*[ \d]/, '')}`),
  }),
  since: (said, now) => {
    const { fromMs } = toSpan(said, now);
    // "Since 6pm" in the morning is since yesterday.
    return { fromMs: now.direction === 'past' && fromMs > now.nowMs ? fromMs - dayMs : fromMs };
  },
  after: (said, now) => ({ fromMs: toSpan(said, now).untilMs }),
  before: (said, now) => ({ untilMs: toSpan(said, now).fromMs }),
  during: (said, now) => toSpan(said, now),
  overnight: (_, now) => ({ fromMs: toSpan('yesterday', now).fromMs + 0.75 * dayMs }),
  older: (said, { nowMs }) => ({ untilMs: nowMs - toMs(said) }),
  newer: (said, { nowMs }) => ({ fromMs: nowMs - toMs(said) }),
  next: (said, { nowMs }) => ({ fromMs: nowMs, untilMs: nowMs + toMs(said) }),
  within: (said, { nowMs, direction }) =>
    direction === 'future' ? { fromMs: nowMs, untilMs: nowMs + toMs(said) } : { fromMs: nowMs - toMs(said) },
  ago: (said, { nowMs }) => {
    const fromMs = nowMs - toMs(said);
    return { fromMs: toMs(said) < dayMs ? fromMs : fromMs - (fromMs % dayMs) };
  },
};

/** The first row that matches counts. */
const readings: readonly [effect: string, ...patterns: string[]][] = [
  ['between', `(?:between|from) (${day}|${dayOfMonth}) (?:and|to|until|till|through) (${day})`],
  ['aged', `(?:between|from) (\\d{1,4}|${numbers.slice(1).join('|')}) (?:and|to) ${length}(?: old| ago)?`],
  [
    'since',
    `(?:since|after) (${clockTime})`,
    `since (?:the (?:start|beginning) of )?(?:the )?(midnight|${day}|${month}|${period}|${periodName}|20\\d\\d)(?: on)?`,
    `(?:starting|from|on or after) (${day})(?: on)?`,
  ],
  ['after', `after (${day})`],
  ['overnight', `(?:since |during |in |over )?(?:the |last )night|overnight`],
  ['before', `(?:before|until|till|prior to|earlier than) (${day}|${clockTime}|${month}|${period})`],
  [
    'newer',
    `(?:newer than|less than|younger than|under|fewer than|not? older than|at most) ${length}(?: (?:old|ago))?`,
  ],
  [
    'older',
    `(?:for )?(?:older than|more than|over|longer than|at least|exceeding|beyond|upwards of) ${length}(?: (?:old|ago))?`,
    `${length} (?:(?:old |ago )?or (?:more|older|longer)|old|plus|and (?:older|counting))`,
    `for (?:\\w+ ){0,2}${length}`,
  ],
  [
    'newer',
    `since ${length}(?: ago)?`,
    `${around}(?:the )?(?:last|past|previous|recent) (?:${length}|(minute|hours?|days?|weeks|fortnight))`,
  ],
  ['within', `(?:within|before) ${length}`],
  [
    'next',
    `${around}(?:the )?(?:next|coming|upcoming|following) (?:${length}|(hours?|days?|weeks))`,
    `in (?:under |less than |about |around )?${length}`,
  ],
  ['ago', `${length} ago`],
  [
    'during',
    `(?:${around}|so far |earlier |later |(?:by|at) the end of )(?:the )?(${period})`,
    `(?:in|during|of|for|from) (${month}|20\\d\\d|the ${periodName})`,
    `(?:${around}the )?(weekend)`,
  ],
  [
    'during',
    `(?:on |for |of |from |by |earlier |later )?(${day}|${partOfDay})(?: (?:morning|afternoon|evening|night))?`,
  ],
];

const patterns = readings.map(([effect, ...alternatives]) => {
  return [effect, new RegExp(`(?<![\\w-])(?:${alternatives.join('|')})(?![\\w-])`)] as const;
});

export function timeSpanIn(question: string, nowMs: number, direction: Direction = 'past'): TimeSpan | undefined {
  for (const [effect, pattern] of patterns) {
    const match = pattern.exec(question);
    if (!match) continue;
    const at = { from: match.index, until: match.index + match[0].length };
    const [said = '', last = ''] = match.slice(1).filter((group) => group !== undefined);
    return { ...effects[effect]?.(said, { nowMs, direction }, last), at };
  }
  return undefined;
}

/** A day, a month, a year or a period. */
function toSpan(said: string, now: Now): Required<Bounds> {
  const words = said.split(' ');
  const name = words.at(-1) ?? '';
  if (new RegExp(`^${periodName}$`).test(name)) return toPeriod(name, words[0] ?? '', now);
  const index = months.findIndex((each) => words.some((word) => /^[a-z]{3}/.test(word) && each.startsWith(word)));
  const year = Number(/\b\d{4}\b/.exec(said)?.[0]) || undefined;
  if (year !== undefined && words.length === 1 && !said.includes('-'))
    return { fromMs: Date.UTC(year, 0), untilMs: Date.UTC(year + 1, 0) };
  const isMonth = index >= 0 && !/\b\d{1,2}(?:st|nd|rd|th)?\b/.test(said);
  if (isMonth) return toMonth(index, year, now);
  const quarter = /^q[1-4]\b/.test(said) ? Number(said[1]) : undefined;
  if (quarter !== undefined) {
    const { fromMs } = toMonth(3 * quarter - 3, year, now);
    return { fromMs, untilMs: new Date(fromMs).setUTCMonth(3 * quarter) };
  }
  const fromMs = index >= 0 ? toDate(said, index, year, now) : toDay(said, now);
  return { fromMs, untilMs: fromMs + dayMs };
}

function toDay(said: string, { nowMs, direction }: Now): number {
  if (/^\d{4}-/.test(said)) return Date.parse(`${said}T00:00:00Z`);
  const today = nowMs - (nowMs % dayMs);
  if (new RegExp(`^(${partOfDay})$`).test(said)) return today;
  const hour = /^(\d{1,2}) ?([ap])m$/.exec(said.replace('noon', '12pm'));
  if (hour) return today + ((Number(hour[1]) % 12) + (hour[2] === 'p' ? 12 : 0)) * 3_600_000;
  const near = ['day before yesterday', 'yesterday', 'today', 'tomorrow'].indexOf(said);
  if (near >= 0) return today + (near - 2) * dayMs;
  // The nearest day of that name, today included unless it is the last or the next one.
  const name = said.split(' ').at(-1) ?? '';
  const index = weekdays.findIndex((each) => each.startsWith(name.slice(0, 3)));
  const back = (new Date(today).getUTCDay() - index + 7) % 7;
  if (said.startsWith('last')) return today - (back || 7) * dayMs;
  const isAhead = /^(next|coming)/.test(said) || (direction === 'future' && back > 0);
  return today + (isAhead ? 7 - back : -back) * dayMs;
}

/** "1 March", "March 3rd 2026": the latest such day, or the next one when looking ahead. */
function toDate(said: string, month: number, year: number | undefined, { nowMs, direction }: Now): number {
  const inYear = (number: number) => Date.UTC(number, month, Number(/\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(said)?.[1]));
  const thisYear = new Date(nowMs).getUTCFullYear();
  const atMs = inYear(year ?? thisYear);
  if (year !== undefined) return atMs;
  if (direction === 'past') return atMs > nowMs ? inYear(thisYear - 1) : atMs;
  return atMs < nowMs - dayMs ? inYear(thisYear + 1) : atMs;
}

/** The latest month of that name, or the one of a year. */
function toMonth(month: number, year: number | undefined, { nowMs }: Now): Required<Bounds> {
  const now = new Date(nowMs);
  const from = year ?? now.getUTCFullYear() - (month > now.getUTCMonth() ? 1 : 0);
  return { fromMs: Date.UTC(from, month), untilMs: Date.UTC(from, month + 1) };
}

function toPeriod(name: string, which: string, now: Now): Required<Bounds> {
  const date = new Date(now.nowMs);
  const step = /last|previous|past/.test(which) ? -1 : /next|coming|following/.test(which) ? 1 : 0;
  if (name.startsWith('week')) {
    const isOver = name === 'weekend' && step === 0 && now.direction === 'past' && ![0, 6].includes(date.getUTCDay());
    const monday = toDay('monday', { ...now, direction: 'past' }) + (step - (isOver ? 1 : 0)) * 7 * dayMs;
    return { fromMs: name === 'weekend' ? monday + 5 * dayMs : monday, untilMs: monday + 7 * dayMs };
  }
  const monthCount = name === 'month' ? 1 : name === 'quarter' ? 3 : 12;
  const first = Math.floor(date.getUTCMonth() / monthCount) * monthCount;
  const start = (ahead: number) => Date.UTC(date.getUTCFullYear(), first + ahead * monthCount);
  return { fromMs: start(step), untilMs: start(step + 1) };
}

/** "3 days", "half an hour", "a couple of weeks", "days". */
function toMs(said: string): number {
  const name = said.replace(/^.*[ \d]/, '');
  const count = said.slice(0, said.length - name.length).trim();
  const key = name.startsWith('mo') ? 'mo' : name.slice(0, 1);
  const ms = unitMinutes[key as keyof typeof unitMinutes] * 60_000;
  if (count === '') return (name.endsWith('s') ? 3 : 1) * ms;
  if (count.startsWith('half')) return 0.5 * ms;
  if (/few|several/.test(count)) return 3 * ms;
  if (count.includes('couple')) return 2 * ms;
  const word = numbers.indexOf(count);
  return (/^\d/.test(count) ? Number(count) : word > 0 ? word : 1) * ms;
}
