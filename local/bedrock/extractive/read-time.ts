// Reads an expression of time ("since Monday", "by 16:30", "in week 45", "older than thirty days") as a span of time, in UTC.
// Words between relations ("since", "between", "and") make a moment, in any order; what one side of a range leaves out is
// taken from the other one. Decision 85.
import {
  type Bounds,
  type Direction,
  dayMs,
  isDay,
  isEmpty,
  isTime,
  type Moment,
  type Now,
  night,
  resolveMoment,
  startOfDay,
  toMs,
} from './resolve-moment.ts';
import { relationNames, toWords, units, type Word } from './time-words.ts';

export interface TimeSpan {
  /** The first moment of it. */
  fromMs?: number;
  /** The first moment after it. */
  untilMs?: number;
}

interface Group {
  relation: string;
  moment: Moment;
}

/** How exact a moment without a relation is: "at 14:00". */
const nearbyMs = 1_800_000;
const [minMs, maxMs] = [Date.UTC(1970), Date.UTC(2200)];

export function readTime(text: string, nowMs: number, direction: Direction = 'past'): TimeSpan | undefined {
  const groups = toGroups(toWords(text));
  const span = readGroups(groups, { nowMs, anchorMs: nowMs, direction });
  if (!span) return undefined;
  const { fromMs = span.untilMs ?? Number.NaN, untilMs = fromMs } = span;
  return fromMs >= minMs && fromMs <= untilMs && untilMs < maxMs ? span : undefined;
}

/** The moments of the expression, each with the relation before it. */
function toGroups(words: readonly Word[]): Group[] {
  const groups: Group[] = [{ relation: '', moment: {} }];
  for (const [place, word] of words.entries()) {
    const last = groups.at(-1) ?? { relation: '', moment: {} };
    if (word.kind !== 'relation') last.moment = addWord(last.moment, word, words[place - 1], words.slice(place + 1));
    else {
      const relation = relationNames[word.value] ?? '';
      const isRange = relation === 'until' && /^(?:from|since|between)$/.test(last.relation);
      // "Since before October" is before October.
      if (!isEmpty(last.moment)) groups.push({ relation: isRange ? 'to' : relation, moment: {} });
      else if (relation !== 'to') last.relation = relation;
    }
  }
  // "Monday or later", "from 16 November on".
  const [before, end] = groups.slice(-2);
  if (before && end && isEmpty(end.moment) && /^(?:onwards|until)$/.test(end.relation)) before.relation = end.relation;
  return groups.filter(({ moment }) => !isEmpty(moment));
}

function addWord(moment: Moment, { kind, value }: Word, before: Word | undefined, after: readonly Word[]): Moment {
  const { number, ...rest } = moment;
  const [next, second] = after.filter((word) => word.kind !== 'vague').map((word) => word.kind);
  if (kind === 'unit') {
    const count = number ?? moment.decimal ?? (moment.half && moment.nth === undefined ? 0.5 : moment.article);
    if (moment.nth !== undefined && moment.slice === undefined)
      return { ...rest, slice: value, count: undefined, parts: number ?? 1 };
    // "Yesterday 14h".
    if (value === units.hour && number !== undefined && isDay(moment)) return moment;
    return { ...rest, unit: value, ...(count !== undefined && { count }) };
  }
  if (kind === 'number' && before?.kind === 'unit' && before.value === units.week && moment.count === undefined)
    return { ...moment, week: value };
  if (kind === 'number' && moment.month !== undefined && moment.day === undefined) return { ...moment, day: value };
  if (kind === 'month' && number !== undefined && moment.day === undefined)
    return { ...rest, month: value, day: number };
  if (kind === 'ordinal') {
    const isSlice = /unit|half|weekday/.test(next ?? '') || (next === 'number' && second === 'unit');
    return { ...moment, [isSlice ? 'nth' : 'day']: value };
  }
  if (kind === 'half' && moment.nth !== undefined) return { ...moment, slice: units.halfyear };
  // "Over the weekend", "last edited", "back in summer".
  if (kind === 'over')
    return /^(?:number|article|half) (?:unit|number|article|half)/.test(`${next} ${second}`)
      ? { ...moment, more: 1 }
      : moment;
  // "For weeks", "in recent days".
  if (kind === 'plural')
    return moment.count === undefined && moment.unit !== undefined ? { ...moment, count: 3, vague: 1 } : moment;
  if (kind === 'which' && next === 'other') return moment;
  if (kind === 'back') return /unit|plural/.test(before?.kind ?? '') ? { ...moment, ago: 1 } : moment;
  return kind === 'other' ? moment : { ...moment, [kind]: value };
}

function readGroups(groups: readonly Group[], now: Now): TimeSpan | undefined {
  const end = groups.findIndex(({ relation }, place) => relation === 'to' && place > 0);
  const place = end > 0 ? end - 1 : groups.length - 1;
  const [own, last, around] = [groups[place], groups[end], groups[place - 1]];
  if (!own) return undefined;
  const moment = around ? inherit(own.moment, around.moment) : own.moment;
  const span = last ? readRange(moment, last.moment, now) : readMoment({ ...own, moment }, now);
  // "Tomorrow before 8" begins with tomorrow.
  return span && around ? { ...readMoment(around, now), ...span } : span;
}

function readMoment({ relation, moment }: Group, now: Now): TimeSpan | undefined {
  if (isLength(moment)) return readLength(relation, moment, now);
  if (moment.ago) return undefined;
  const name = moment.more ? 'before' : moment.less ? 'since' : relation;
  const direction = name === 'since' ? 'past' : now.direction;
  const isToday = name === 'before' && direction === 'past' && isTime(moment) && !isDay(moment);
  const span = resolveEdge(isToday ? { ...moment, near: 0 } : moment, name, { ...now, direction });
  return span && (relations[name]?.(span, moment, direction) ?? takeAround(span));
}

/** What the word before a moment makes of it. */
const relations: Readonly<Record<string, (span: Bounds, moment: Moment, direction: Direction) => TimeSpan>> = {
  since: ({ fromMs }) => ({ fromMs }),
  onwards: ({ fromMs }) => ({ fromMs }),
  after: ({ untilMs }) => ({ fromMs: untilMs }),
  until: ({ untilMs }) => ({ untilMs }),
  // "Before noon" is of that day.
  before: ({ fromMs, untilMs }, moment, direction) =>
    fromMs === untilMs && (moment.part !== undefined || (direction === 'past' && !isDay(moment)))
      ? { fromMs: startOfDay(fromMs - 1), untilMs: fromMs }
      : { untilMs: fromMs },
  // Incidents starting on Monday go on; changes starting on Monday are of that day.
  starting: (span, _, direction) => (direction === 'past' ? { fromMs: span.fromMs } : span),
  // A ticket from Monday is of that day; works from Monday go on.
  from: (span, moment, direction) => {
    const goesOn = direction === 'future' && (moment.day ?? moment.weekday) !== undefined;
    return goesOn || span.fromMs === span.untilMs ? { fromMs: span.fromMs } : span;
  },
};

/** "At 14:00" is about then. */
function takeAround(span: Bounds): Bounds {
  return span.fromMs < span.untilMs ? span : { fromMs: span.fromMs - nearbyMs, untilMs: span.untilMs + nearbyMs };
}

const rest = 5;

/** "Early October" are its first ten days; "since the end of October" starts when it is over. */
function resolveEdge(moment: Moment, relation: string, now: Now): Bounds | undefined {
  const span = resolveMoment(moment, now);
  const { edge } = moment;
  if (!span || edge === undefined) return span;
  const { fromMs, untilMs } = span;
  const days = (untilMs - fromMs) / dayMs;
  const thirdMs = Math.max(3, Math.round(days / 3)) * dayMs;
  if (days <= 2 && edge !== rest) return span;
  const edgeMs = relation === '' ? Math.min(thirdMs, 31 * dayMs) : 0;
  const edges: readonly Bounds[] = [
    { fromMs, untilMs: fromMs + edgeMs },
    { fromMs, untilMs: fromMs + thirdMs },
    { fromMs: fromMs + thirdMs, untilMs: untilMs - thirdMs },
    { fromMs: untilMs - thirdMs, untilMs },
    { fromMs: untilMs - edgeMs, untilMs },
    { fromMs: now.nowMs, untilMs },
  ];
  return edges[edge] ?? span;
}

function isLength({ count, unit, which = 0, near, months }: Moment): boolean {
  const isNamed = which !== 0 || near !== undefined || months !== undefined;
  return !isNamed && unit !== undefined && (count !== undefined || unit === units.fortnight);
}

/** "Older than 3 days", "in 2 hours", "two weeks ago". */
function readLength(relation: string, moment: Moment, { nowMs, direction }: Now): TimeSpan {
  const lengthMs = toMs(moment);
  const isAhead = direction === 'future' && relation !== 'since' && !moment.ago;
  const isMore = moment.more ?? (isAhead ? undefined : moment.for);
  if (!moment.less && (isMore || relation === 'after' || (relation === 'before' && !isAhead)))
    return isAhead ? { fromMs: nowMs + lengthMs } : { untilMs: nowMs - lengthMs };
  if (isAhead) return { fromMs: nowMs, untilMs: nowMs + lengthMs };
  if (moment.ago && relation === 'until') return { untilMs: nowMs - lengthMs };
  if (!moment.ago || moment.less || relation !== '') return { fromMs: nowMs - lengthMs };
  // "Two weeks ago" is a week, "10 days ago" a day, "an hour ago" an hour.
  const atMs = nowMs - lengthMs;
  const someMs = moment.vague ? lengthMs : lengthMs / 2;
  if (lengthMs < dayMs) return { fromMs: atMs - someMs, untilMs: atMs + someMs };
  const spreadMs = startOfDay(moment.vague ? lengthMs : Math.min(toMs({ ...moment, count: 0.5 }), 30 * dayMs));
  return { fromMs: startOfDay(atMs) - spreadMs, untilMs: startOfDay(atMs) + dayMs + spreadMs };
}

function readRange(left: Moment, right: Moment, now: Now): TimeSpan | undefined {
  if (isLength(right)) {
    if (left.which !== undefined) return resolveMoment({ ...right, which: left.which }, now);
    const near = toMs({ unit: left.unit ?? right.unit, count: left.count ?? left.number });
    const far = toMs(right);
    if (now.direction === 'future' && !right.ago) return { fromMs: now.nowMs + near, untilMs: now.nowMs + far };
    return { fromMs: now.nowMs - far, untilMs: now.nowMs - near };
  }
  const [first, last] = fillIn(left, right);
  const from = resolveEdge(first, 'from', now);
  if (!from || (left.part === night && left.which === undefined && !isTime(last))) return from;
  const until = resolveEdge(last, 'to', { ...now, anchorMs: from.fromMs, direction: 'future', isEnd: true });
  if (!until) return undefined;
  return { fromMs: Math.min(from.fromMs, until.fromMs), untilMs: Math.max(from.untilMs, until.untilMs) };
}

/** What one side of a range leaves out: "20 to 25 November", "5 to 7pm", "this week and next". */
function fillIn(left: Moment, right: Moment): [Moment, Moment] {
  const { number: start, ...first } = left;
  const { number: end, ...last } = right;
  if (start !== undefined && right.day !== undefined && !isTime(right))
    return [inherit({ ...first, day: start }, right), right];
  if (end !== undefined && left.day !== undefined && !isTime(left)) return [left, { ...last, day: end }];
  if (right.which !== undefined && Object.keys(right).length === 1) return [left, { ...right, unit: left.unit }];
  const endHour = right.clock === undefined ? (end ?? 0) : right.clock / 60;
  if (start === undefined || (endHour <= 12 && right.clock === undefined)) return [inherit(left, right), right];
  const isPm = right.pm !== undefined && start + 12 < endHour;
  return [inherit({ ...first, clock: (isPm ? start + 12 : start) * 60 }, right), right];
}

const ranks: readonly (readonly string[])[] = [
  ['number', 'clock'],
  ['part'],
  ['near', 'weekday', 'day'],
  ['week', 'month', 'months', 'unit', 'which'],
  ['year'],
];

/** With the day, month or year of the other moment if it says only something smaller itself. */
function inherit(moment: Moment, other: Moment): Moment {
  const own = ranks.findLastIndex((kinds) => kinds.some((kind) => moment[kind] !== undefined));
  const larger = ranks.slice(own + 1).flat();
  return { ...Object.fromEntries(Object.entries(other).filter(([kind]) => larger.includes(kind))), ...moment };
}
