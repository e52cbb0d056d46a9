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

const dayMs = 86_400_000;
const units: readonly [pattern: RegExp, ms: number][] = [
  [/^m(in(ute)?s?)?$/, 60_000],
  [/^h(rs?|ours?)?$/, 3_600_000],
  [/^d(ays?)?$/, dayMs],
  [/^w(eeks?|ks?)?$/, 7 * dayMs],
  [/^fortnight/, 14 * dayMs],
  [/^month/, 30 * dayMs],
  [/^quarter/, 91 * dayMs],
  [/^year/, 365 * dayMs],
];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = 'january february march april may june july august september october november december'.split(' ');
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const amount = `(\\d{1,4} ?|(?:${numbers.slice(1).join('|')}|half an?|an?|the|few|a few|several|couple(?: of)?|a couple(?: of)?) )`;
const unit = '(minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|fortnights?|months?|quarters?|years?)';
const dayNames = `(?:${weekdays.join('|')}|mon|tue|tues|wed|thu|thurs|fri)`;
const monthNames = months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|');
const date = `(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${monthNames})(?: \\d{4})?|(?:${monthNames}) (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: \\d{4})?|\\d{4}-\\d{2}-\\d{2}`;
const day = `(?:last |next |this |coming )?${dayNames}|today|yesterday|tomorrow|day before yesterday|${date}`;
const month = `(${monthNames})(?: (\\d{4}))?`;
const period = '(weekend|week|month|quarter|year)';

interface Now {
  nowMs: number;
  direction: Direction;
}

type Reading = readonly [pattern: string, span: (found: readonly string[], now: Now) => Bounds];

const readings: readonly Reading[] = [
  [
    `between (${day}) and (${day})|from (${day}) (?:to|until|till|through) (${day})`,
    ([from, until, from2 = '', until2 = ''], now) => ({
      fromMs: toStart(from ?? from2, now),
      untilMs: toStart(until ?? until2, now) + dayMs,
    }),
  ],
  [
    `(?:between|from) (?:the )?(\\d{1,2})(?:st|nd|rd|th)? (?:and|to|until|till|through) (${date})`,
    ([from = '', until = ''], now) => ({
      fromMs: toStart(until.replace(/\b\d{1,2}(?=st|nd|rd|th|\b)/, from), now),
      untilMs: toStart(until, now) + dayMs,
    }),
  ],
  [`since midnight`, (_, now) => ({ fromMs: toStart('today', now) })],
  [`(?:since|starting|from|on or after) (${day})(?: on)?`, ([from = ''], now) => ({ fromMs: toStart(from, now) })],
  [`after (${day})`, ([from = ''], now) => ({ fromMs: toStart(from, now) + dayMs })],
  [`(?:since|from) ${month}`, ([name = '', year], now) => ({ fromMs: toMonth(name, year, now).fromMs })],
  [
    `since (?:the (?:start|beginning) of )?(?:the )?(this|last) ${period}`,
    ([which = '', name = ''], now) => ({ fromMs: toPeriod(name, which, now).fromMs }),
  ],
  [
    `since (?:the )?(?:start|beginning) of (?:the )?${period}`,
    ([name = ''], now) => ({ fromMs: toPeriod(name, 'this', now).fromMs }),
  ],
  [
    `since (?:last night|noon|lunch)|overnight|(?:during |in |over )?(?:the |last )night|last night`,
    (_, now) => ({ fromMs: toStart('yesterday', now) + 0.75 * dayMs }),
  ],
  [`(?:before|until|till|prior to|earlier than) (${day})`, ([until = ''], now) => ({ untilMs: toStart(until, now) })],
  [`(?:before|until|prior to) ${month}`, ([name = '', year], now) => ({ untilMs: toMonth(name, year, now).fromMs })],
  [
    `(?:before|prior to) (this|last) ${period}`,
    ([which = '', name = ''], now) => ({ untilMs: toPeriod(name, which, now).fromMs }),
  ],
  [
    `(?:newer than|less than|younger than|under|fewer than|not older than|no older than|at most) ${amount}${unit}(?: (?:old|ago))?`,
    ([count, name], { nowMs }) => ({ fromMs: nowMs - lengthOf(count, name) }),
  ],
  [
    `(?:for )?(?:older than|more than|over|longer than|at least|exceeding|beyond|upwards of) ${amount}${unit}(?: (?:old|ago))?|${amount}${unit} (?:old|ago) or (?:more|older|longer)|${amount}${unit} (?:old|or older|or more|or longer|plus)|for (?:\\w+ ){0,2}${amount}${unit}|${amount}${unit} and (?:older|counting)`,
    ([count, name, count2, name2, count3, name3, count4, name4, count5, name5], { nowMs }) => ({
      untilMs:
        nowMs - lengthOf(count ?? count2 ?? count3 ?? count4 ?? count5, name ?? name2 ?? name3 ?? name4 ?? name5),
    }),
  ],
  [`since ${amount}${unit}(?: ago)?`, ([count, name], { nowMs }) => ({ fromMs: nowMs - lengthOf(count, name) })],
  [
    `(?:in |over |during |within |for |from |of |since )?(?:the )?(?:last|past|previous|recent) (?:${amount}${unit}|(minute|hour|day|hours|days|weeks))|within ${amount}${unit}`,
    ([count, name, single, count2, name2], { nowMs, direction }) => {
      const length = lengthOf(count ?? count2, name ?? name2 ?? single);
      const isAhead = direction === 'future' && count2 !== undefined;
      return isAhead ? { fromMs: nowMs, untilMs: nowMs + length } : { fromMs: nowMs - length };
    },
  ],
  [
    `(?:in |over |during |within |for )?(?:the )?(?:next|coming|upcoming|following) (?:${amount}${unit}|(hour|day|days|hours|weeks))|in (?:under |less than |about |around )?${amount}${unit}`,
    ([count, name, single, count2, name2], { nowMs }) => ({
      fromMs: nowMs,
      untilMs: nowMs + lengthOf(count ?? count2, name ?? name2 ?? single),
    }),
  ],
  [
    `(?:(\\d{1,3}) |${amount})${unit} ago`,
    ([digits, count, name = ''], now) => {
      const at = now.nowMs - lengthOf(digits ?? count, name);
      const from = /^(m|h)/.test(name) && !/^month/.test(name) ? at : at - (at % dayMs);
      return { fromMs: from };
    },
  ],
  [
    `(?:in |during |for |of |over |so far |earlier |later |by the end of |at the end of )?(?:the )?(this|current|last|previous|past|next|coming|upcoming|following) ${period}`,
    ([which = '', name = ''], now) => toPeriod(name, which, now),
  ],
  [
    `(?:this|over the|on the|at the|the|during the|for the|in the)? ?(weekend)`,
    ([name = ''], now) => toPeriod(name, 'this', now),
  ],
  [`(?:in |during |of |for )${month}`, ([name = '', year], now) => toMonth(name, year, now)],
  [`since (20\\d\\d)`, ([year]) => ({ fromMs: Date.UTC(Number(year), 0) })],
  [
    `(?:in|during|of|from|for) (20\\d\\d)`,
    ([year]) => ({ fromMs: Date.UTC(Number(year), 0), untilMs: Date.UTC(Number(year) + 1, 0) }),
  ],
  [`(?:of|for|in|during) the ${period}`, ([name = ''], now) => toPeriod(name, 'this', now)],
  [
    `(?:on |for |of |from |by |earlier |later |until )?(${day}|this (?:morning|afternoon|evening)|tonight|end of (?:the )?day|eod)(?: (?:morning|afternoon|evening|night))?`,
    ([which = ''], now) => {
      const from = toStart(/^(this (morning|after|even)|tonight|end of|eod)/.test(which) ? 'today' : which, now);
      return { fromMs: from, untilMs: from + dayMs };
    },
  ],
];

const patterns = readings.map(([pattern, span]) => [new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`), span] as const);

export function timeSpanIn(question: string, nowMs: number, direction: Direction = 'past'): TimeSpan | undefined {
  for (const [pattern, span] of patterns) {
    const match = pattern.exec(question);
    if (!match) continue;
    const at = { from: match.index, until: match.index + match[0].length };
    return { ...span(match.slice(1), { nowMs, direction }), at };
  }
  return undefined;
}

function toStart(said: string, { nowMs, direction }: Now): number {
  if (/^\d{4}-/.test(said)) return Date.parse(`${said}T00:00:00Z`);
  const today = nowMs - (nowMs % dayMs);
  if (said === 'today') return today;
  if (said === 'day before yesterday') return today - 2 * dayMs;
  if (said === 'yesterday') return today - dayMs;
  if (said === 'tomorrow') return today + dayMs;
  if (/\d/.test(said)) return parseDate(said, nowMs, direction);
  const name = said.split(' ').at(-1) ?? '';
  // The nearest day of that name, today included unless it is the last or the next one.
  const index = weekdays.findIndex((weekday) => weekday.startsWith(name.slice(0, 3)));
  const back = (new Date(today).getUTCDay() - index + 7) % 7;
  if (said.startsWith('last')) return today - (back || 7) * dayMs;
  if (/^(next|coming)/.test(said)) return today + (7 - back) * dayMs;
  if (direction === 'past' || back === 0) return today - back * dayMs;
  return today + (7 - back) * dayMs;
}

/** "1 March", "March 3rd 2026": the latest such day, or the next one when looking ahead. */
function parseDate(said: string, nowMs: number, direction: Direction): number {
  const dayOfMonth = Number(/\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(said)?.[1]);
  const index = months.findIndex((name) =>
    said.split(' ').some((word) => /^[a-z]{3,}/.test(word) && name.startsWith(word)),
  );
  const year = /\b\d{4}\b/.exec(said)?.[0];
  const thisYear = new Date(nowMs).getUTCFullYear();
  if (year) return Date.UTC(Number(year), index, dayOfMonth);
  const here = Date.UTC(thisYear, index, dayOfMonth);
  if (direction === 'past') return here > nowMs ? Date.UTC(thisYear - 1, index, dayOfMonth) : here;
  return here < nowMs - dayMs ? Date.UTC(thisYear + 1, index, dayOfMonth) : here;
}

function toPeriod(name: string, which: string, now: Now): Required<Bounds> {
  const date = new Date(now.nowMs);
  const step = /last|previous|past/.test(which) ? -1 : /next|coming|following/.test(which) ? 1 : 0;
  if (name.startsWith('week')) {
    const isOver = name === 'weekend' && step === 0 && now.direction === 'past' && ![0, 6].includes(date.getUTCDay());
    const monday = toStart('monday', { ...now, direction: 'past' }) + (step - (isOver ? 1 : 0)) * 7 * dayMs;
    const first = name === 'weekend' ? monday + 5 * dayMs : monday;
    return { fromMs: first, untilMs: monday + 7 * dayMs };
  }
  const length = name === 'month' ? 1 : name === 'quarter' ? 3 : 12;
  const first = Math.floor(date.getUTCMonth() / length) * length;
  const start = (ahead: number) => Date.UTC(date.getUTCFullYear(), first + ahead * length);
  return { fromMs: start(step), untilMs: start(step + 1) };
}

/** The latest month of that name, or the one of a year. */
function toMonth(name: string, year: string | undefined, { nowMs }: Now): Required<Bounds> {
  const now = new Date(nowMs);
  const index = months.findIndex((each) => each.startsWith(name));
  const from = year ? Number(year) : now.getUTCFullYear() - (index > now.getUTCMonth() ? 1 : 0);
  return { fromMs: Date.UTC(from, index), untilMs: Date.UTC(from, index + 1) };
}

function lengthOf(count: string | undefined, name: string | undefined): number {
  const said = (count ?? 'one').trim();
  const word = numbers.indexOf(said);
  const few = /^half/.test(said)
    ? 0.5
    : /few|several/.test(said)
      ? 3
      : /couple/.test(said)
        ? 2
        : /^(an?|the)$/.test(said)
          ? 1
          : undefined;
  const isPlural = count === undefined && /(hours|days|weeks)$/.test(name ?? '');
  const ms = units.find(([pattern]) => pattern.test(name ?? ''))?.[1] ?? dayMs;
  return (few ?? (word >= 0 ? word : isPlural ? 3 : Number(said))) * ms;
}
