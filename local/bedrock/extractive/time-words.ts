// The words of expressions of time. Idioms, short forms and typing errors are rewritten first; then every word has a kind and
// a value.

export interface Word {
  kind: string;
  value: number;
}

/** Only the company knows when these are, unless a month is named. */
const company =
  /\b(?:semester|term|sprint|academic|fiscal|financial|fy ?\d\d|holidays?|break|freeze|season|black friday|working days?|business days?|run-up|end weekend)\b/;
const monthNames = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]*(?:ry|ch|il|st|er))?\b/;

/** In this order. */
const rewrites: readonly (readonly [RegExp, string])[] = [
  [/’/g, "'"],
  [/'s\b|\bo'?clock\b|\bor so\b|\b(?:calendar|very|whole) /g, ''],
  [/\b(?:2day|tod(?:ay|y|ya|a))\b/g, 'today'],
  [/\b(?:2ni(?:te|ght)|toni(?:te|ght))\b/g, 'this night'],
  [/\b(?:ye?st\w*|y'?day)\b/g, 'yesterday'],
  [/\b(?:tomm?o\w*|tmrw?|tmw|2moro?)\b/g, 'tomorrow'],
  [/\bday before yesterday\b/g, 'ereyesterday'],
  [/\bday after tomorrow\b/g, 'overmorrow'],
  [/\b(week|weekend|month|quarter|year) before last\b/g, 'penultimate $1'],
  [/\b(week|weekend|month|quarter|year) after next\b/g, 'overnext $1'],
  [/[ -]to[ -]date\b/g, ''],
  [/\bmtd\b/g, 'this month'],
  [/\b([wqy])td\b/g, 'this $1'],
  [/\b(half|quarter) (past|to) (?=\d|[a-z])/g, '$1$2 '],
  [/\bquarter of an hour\b/g, '15 minutes'],
  [/\bhalf[- ]year\b/g, 'halfyear'],
  [/\b(?:end|close) of (?:business|(?:the )?day)\b|\b(?:eod|cob)\b/g, 'eod'],
  [/\b(?:start|beginning) of\b/g, 'startof'],
  [/\bend of\b/g, 'endof'],
  [/\b(week|month|quarter|year)[- ]end\b/g, 'endof $1'],
  [/\beow\b/g, 'endof week'],
  [/\beom\b/g, 'endof month'],
  [/\b(?:of|in|during) the day\b/g, 'today'],
  [/\bnight from\b/g, 'night of'],
  [/\b(\d{1,2}\.\d{1,2})$/g, '$1.'],
  [/\b(?:small|early) hours\b/g, 'smallhours'],
  [/\bthis a\.?m\b/g, 'this morning'],
  [/\blast (\w{0,6}day|week|weekend) (?:of|in)\b/g, 'final $1 of'],
  [/\bweek (?:starting|beginning|ending)\b/g, 'week of'],
  [/\bfirst thing\b/g, 'early'],
  [/ from now\b/g, ''],
  [/\b(?:the )?coming weekend\b/g, 'this weekend'],
  // "Last week" is one of the calendar, "the last week" are seven days.
  [/\b(?:the last|past) (hour|day|week|wk|month|fortnight|halfyear|year)\b/g, 'last 1 $1'],
  [/\bthe (?:next|coming|following) (hour|day|week|wk|month|fortnight|year)\b/g, 'next 1 $1'],
  [/\bwithin the (hour|day|week|month)\b/g, 'within 1 $1'],
  [/\bthe other day\b/g, 'few days ago'],
  [/\b(?:recently|lately|l8ly|these days)\b|\brecent$/g, '7 days'],
  [/\bin the past$/g, 'until now'],
  [/\b(?:no|not|nothing) (?:more|older|longer) than\b/g, 'newer than'],
  [/\bn(?:o|ot) later than\b|\bup (?:to|until)\b|\bor earlier\b/g, 'until'],
  [/\blater than\b/g, 'after'],
  [/\bnot (?:before|until)\b|\bas (?:of|from)\b|\bon or after\b|\bor later\b| on$/g, ' onwards'],
  [/\b(?:or|and) (?:more|older|longer|counting)\b|(?<=\d)\+|\+$/g, ' more'],
  [/\bgoing back to\b|>=? ?(?=\d{4}-)/g, 'since '],
  [/<=? ?(?=\d{4}-)|\bearlier than\b/g, 'before '],
  [/\bb\/w\b/g, 'between'],
  [/\bmid-|\bmiddle of\b/g, 'mid '],
  [/\.\./g, ' to '],
  [/\b(and|to) (\d{1,2}) ?h$/g, '$1 $2:00'],
  [/\bchristmas eve\b/g, '24 december'],
  [/\bchristmas\b/g, '25 december'],
  [/\bnew year eve\b/g, '31 december'],
  [/\bnew year\b/g, '1 january'],
  [/\bhalloween\b/g, '31 october'],
];

const tokens =
  /\d{5,}|\d{4}[/-]\d\d(?:[/-]\d\d)?|\d{1,2}:\d\d(?: ?[ap]\.?m\b)?|\d{1,2} ?[ap]\.?m\b|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}\/\d{1,2}|\d{1,2}\.\d{1,2}\.|\d+(?:\.\d+)+|[qh][1-4]\b|\d{1,4}(?:st|nd|rd|th)?|[a-z][a-z'0-9]*|[<>+&-]/g;

/** In the order of the vocabulary. */
export const units = {
  minute: 0,
  hour: 1,
  day: 2,
  week: 3,
  fortnight: 4,
  month: 5,
  quarter: 6,
  halfyear: 7,
  year: 8,
  weekend: 9,
};

/** Each kind's words, by value: the first number is the value before the first bar. */
const vocabulary: readonly (readonly [kind: string, first: number, words: string])[] = [
  ['near', -2, 'ereyesterday|yesterday|today|tomorrow|overmorrow'],
  [
    'weekday',
    0,
    'sunday sun|monday mon|tuesday tue tues|wednesday wed wensday|thursday thu thur thurs|friday fri|saturday sat',
  ],
  [
    'month',
    0,
    'january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct',
  ],
  ['month', 10, 'november nov|december dec'],
  ['months', 0, 'q1|q2|q3|q4|h1|h2|spring|summer|autumn fall|winter'],
  ['part', 0, 'morning|afternoon arvo|evening|night nite overnight|smallhours'],
  [
    'unit',
    0,
    'minute minutes min mins m|hour hours hr hrs h|day days d nights|week weeks wk wks w kw cw|fortnight fortnights',
  ],
  ['unit', 5, 'month months mo mnth|quarter quarters q|halfyear|year years y yr yrs|weekend weekends wknd'],
  ['which', -2, 'penultimate|last lst previous past recent|this current|next nxt coming upcoming following|overnext'],
  ['number', 1, 'one|two couple|three few|four several some|five|six|seven|eight|nine|ten|eleven|twelve'],
  ['article', 1, 'a an'],
  ['half', 1, 'half'],
  ['ordinal', -1, 'final||first|second|third|fourth'],
  ['edge', 0, 'startof|early|mid|late|endof|rest later'],
  ['now', 0, 'now'],
  ['more', 1, 'more older longer exceeding beyond upwards least >'],
  ['over', 1, 'over'],
  ['less', 1, 'less fewer under newer younger most <'],
  ['ago', 1, 'ago'],
  ['back', 1, 'back'],
  ['for', 1, 'for old'],
  ['relation', 0, 'since sinse sinc|from frm form|starting|after|before b4 prior|until till by|between btw btwn'],
  ['relation', 7, 'to and or through thru & + -|onwards onward'],
];

export const relationNames = ['since', 'from', 'starting', 'after', 'before', 'until', 'between', 'to', 'onwards'];

const tens = { fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 };
const clocks = { midnight: 0, dawn: 360, noon: 720, midday: 720, lunch: 720, lunchtime: 720, eod: 1_440 };
const minutesPast = { halfpast: 30, quarterpast: 15, quarterto: -15 };

const meanings = new Map<string, Word>([
  ...vocabulary.flatMap(([kind, first, words]) =>
    words
      .split('|')
      .flatMap((row, place) => row.split(' ').map((word) => [word, { kind, value: first + place }] as const)),
  ),
  ...toRows('number', tens),
  ...toRows('clock', clocks),
  ...toRows('past', minutesPast),
]);

function toRows(kind: string, values: Readonly<Record<string, number>>) {
  return Object.entries(values).map(([word, value]) => [word, { kind, value }] as const);
}

/** No expression is longer. */
const maxCharacters = 300;

/** The words of a time; none if it depends on what only the company knows. */
export function toWords(text: string): Word[] {
  const said = text.slice(0, maxCharacters).toLowerCase().replace(/\s+/g, ' ').trim();
  if (company.test(said) && !monthNames.test(said)) return [];
  const plain = rewrites.reduce((words, [pattern, replacement]) => words.replace(pattern, replacement), said);
  return (plain.match(tokens) ?? []).flatMap(toWord);
}

function toWord(token: string): Word[] {
  if (/^[a-z<>+&-]/.test(token)) return toNamed(token);
  const numbers = (token.match(/\d+/g) ?? []).map(Number);
  const [first = 0, second = 0, third] = numbers;
  if (token.includes(':') || token.endsWith('m')) {
    const half = /([ap])\.?m$/.exec(token)?.[1];
    const hour = half === undefined ? first : (first % 12) + (half === 'p' ? 12 : 0);
    const clock = { kind: 'clock', value: hour > 24 || second > 59 ? Number.NaN : hour * 60 + second };
    return half === 'p' ? [clock, { kind: 'pm', value: 1 }] : [clock];
  }
  if (/^\d+\.\d+$/.test(token)) return [{ kind: 'decimal', value: Number(token) }];
  if (numbers.length === 2 || numbers.length === 3)
    return toDate(/^\d{4}/.test(token) ? [third, second, first] : [first, second, third]);
  if (token.length > 4 || numbers.length > 3) return [];
  if (/[a-z]$/.test(token)) return [{ kind: 'ordinal', value: first }];
  return [{ kind: /^(?:19|20)\d\d$/.test(token) ? 'year' : 'number', value: first }];
}

/** The day comes first, unless there is no such month. */
function toDate([day, month = 0, year]: readonly (number | undefined)[]): Word[] {
  const isSwapped = month > 12 && day !== undefined && day <= 12;
  const parts = { day: isSwapped ? month : day, month: (isSwapped ? day : month) - 1, year };
  return Object.entries(parts).flatMap(([kind, value]) => (value === undefined ? [] : [{ kind, value }]));
}

function toNamed(token: string): Word[] {
  const word = meanings.get(token) ?? { kind: 'other', value: 0 };
  if (word.kind === 'unit' && token.length > 1 && token.endsWith('s')) return [word, { kind: 'plural', value: 1 }];
  return /^(?:few|several|some|couple)$/.test(token) ? [{ kind: 'vague', value: 1 }, word] : [word];
}
