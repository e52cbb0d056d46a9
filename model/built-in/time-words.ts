// The words of time expressions. Idioms, short forms and typing errors are rewritten first; then every word gets a kind and
// a value.

export interface Word {
  kind: string;
  value: number;
}

/** Only the company knows these times, unless the text names a month. */
const company =
  /\b(?:semester|term|sprint|academic|fiscal|financial|fy ?\d\d|holidays?|break|freeze|season|black friday|working days?|business days?|run-up|end weekend)\b/;
const monthNames = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]*(?:ry|ch|il|st|er))?\b/;

/** Applied in this order. */
const rewrites: readonly (readonly [RegExp, string])[] = [
  [/\b(?:heute nacht|ce soir|cette nuit|esta noche)\b/g, 'tonight'],
  [/\b(?:heute|aujourd['’]hui|hoy)\b/g, 'today'],
  [/\b(?:gestern|hier|ayer)\b/g, 'yesterday'],
  [/(?<![\p{L}])(?:morgen|demain|mañana)(?![\p{L}])/gu, 'tomorrow'],
  [
    /(?<![\p{L}])(?:letzte[nrs]?|vorige) woche(?![\p{L}])|\bla semaine (?:dernière|passée)(?![\p{L}])|\bla semana pasada\b/gu,
    'last week',
  ],
  [/\b(?:diese[r]?) woche\b|\bcette semaine\b|\besta semana\b/g, 'this week'],
  [
    /(?<![\p{L}])nächste[rn]? woche\b|\bla semaine prochaine\b|\bla (?:próxima semana|semana que viene)\b/gu,
    'next week',
  ],
  [/\b(?:letzte[nrs]?|vorige[nrs]?) monat\b|\ble mois (?:dernier|passé)(?![\p{L}])|\bel mes pasado\b/gu, 'last month'],
  [/\bdiese[nrs]? monat\b|\bce mois(?:-ci)?\b|\beste mes\b/g, 'this month'],
  [/(?<![\p{L}])nächsten monat\b|\ble mois prochain\b|\bel (?:próximo mes|mes que viene)\b/gu, 'next month'],
  [/\b(?:am|dieses) wochenende\b|\bce week-?end\b|\beste fin de semana\b/g, 'this weekend'],
  [/\b(?:im|en) (?:oktober|octobre|octubre)\b/g, 'in october'],
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
  // "Last week" is a calendar week; "the last week" is seven days.
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

/** The value of a unit is its length in days. */
export const units = { hour: 1 / 24, day: 1, weekend: 2, week: 7, fortnight: 14, month: 30, halfyear: 182, year: 365 };

/** Words by kind. Bars separate values, which count up from the number. */
const sequences: readonly (readonly [kind: string, first: number, words: string])[] = [
  ['near', -2, 'ereyesterday|yesterday|today|tomorrow|overmorrow'],
  ['weekday', 0, 'sunday sun|monday mon|tuesday tue tues|wednesday wed wensday|thursday thu thur thurs'],
  ['weekday', 5, 'friday fri|saturday sat'],
  ['month', 0, 'january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept'],
  ['month', 9, 'october oct|november nov|december dec'],
  ['part', 0, 'morning|afternoon arvo|evening|night nite overnight|smallhours'],
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

/** Words with other values, by kind: the first month of three or six, and times of day in minutes. */
const values: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  unit: {
    'minute minutes min mins m': 1 / 1_440,
    'hour hours hr hrs h': units.hour,
    'day days d nights': units.day,
    'weekend weekends wknd': units.weekend,
    'week weeks wk wks w kw cw': units.week,
    'fortnight fortnights': units.fortnight,
    'month months mo mnth': units.month,
    'quarter quarters q': 91,
    halfyear: units.halfyear,
    'year years y yr yrs': units.year,
  },
  quarter: { q1: 0, q2: 3, q3: 6, q4: 9, spring: 2, summer: 5, 'autumn fall': 8, winter: 11 },
  halfyear: { h1: 0, h2: 6 },
  number: { fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 },
  clock: { midnight: 0, dawn: 360, 'noon midday lunch lunchtime': 720, eod: 1_440 },
  past: { halfpast: 30, quarterpast: 15, quarterto: -15 },
};

const vocabulary = new Map<string, Word>();
const addWords = (kind: string, words: string, value: number) => {
  for (const word of words.split(' ')) vocabulary.set(word, { kind, value });
};
for (const [kind, first, rows] of sequences)
  for (const [index, words] of rows.split('|').entries()) addWords(kind, words, first + index);
for (const [kind, rows] of Object.entries(values))
  for (const [words, value] of Object.entries(rows)) addWords(kind, words, value);

/** The rest of a longer text is ignored. */
const maxCharacters = 300;

/** Returns no words for a time that only the company knows. */
export function toWords(text: string): Word[] {
  const plain = text.slice(0, maxCharacters).toLowerCase().replace(/\s+/g, ' ').trim();
  if (company.test(plain) && !monthNames.test(plain)) return [];
  const rewritten = rewrites.reduce((words, [pattern, replacement]) => words.replace(pattern, replacement), plain);
  return (rewritten.match(tokens) ?? []).flatMap(toWord);
}

function toWord(token: string): Word[] {
  if (/^[a-z<>+&-]/.test(token)) return findWord(token);
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

/** The day comes first unless the second number is no month. */
function toDate([day, month = 0, year]: readonly (number | undefined)[]): Word[] {
  const isSwapped = month > 12 && day !== undefined && day <= 12;
  const parts = { day: isSwapped ? month : day, month: (isSwapped ? day : month) - 1, year };
  return Object.entries(parts).flatMap(([kind, value]) => (value === undefined ? [] : [{ kind, value }]));
}

function findWord(token: string): Word[] {
  const word = vocabulary.get(token) ?? { kind: 'other', value: 0 };
  if (word.kind === 'unit' && token.length > 1 && token.endsWith('s')) return [word, { kind: 'plural', value: 1 }];
  return /^(?:few|several|some|couple)$/.test(token) ? [{ kind: 'vague', value: 1 }, word] : [word];
}
