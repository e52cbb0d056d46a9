// Reads a time expression ("since Monday", "by 16:30", "in week 45", "older than thirty days") as a time span in UTC.
// Relations ("since", "between", "and") separate its moments, whose words may have any order. Each side of a range takes
// what it lacks from the other side. See decision 85.
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

/** A missing bound is open; `untilMs` is exclusive. */
export type TimeSpan = Partial<Bounds>;

interface Group {
  relation: string;
  moment: Moment;
}

const toleranceMs = 1_800_000;
const [minMs, maxMs] = [Date.UTC(1970), Date.UTC(2200)];

export function readTime(text: string, nowMs: number, direction: Direction = 'past'): TimeSpan | undefined {
  const span = readGroups(toGroups(toWords(text)), { nowMs, anchorMs: nowMs, direction });
  if (!span) return undefined;
  const { fromMs = span.untilMs ?? Number.NaN, untilMs = fromMs } = span;
  return fromMs >= minMs && fromMs <= untilMs && untilMs < maxMs ? span : undefined;
}

/** Groups the words into moments, each with the relation before it. */
function toGroups(words: readonly Word[]): Group[] {
  let last: Group = { relation: '', moment: {} };
  const groups = [last];
  for (const [index, word] of words.entries()) {
    const relation = word.kind === 'relation' ? relationNames[word.value] : undefined;
    if (relation === undefined) last.moment = addWord(last.moment, word, words[index - 1], words.slice(index + 1));
    else if (!isEmpty(last.moment)) {
      const endsRange = relation === 'until' && /^(?:from|since|between)$/.test(last.relation);
      last = { relation: endsRange ? 'to' : relation, moment: {} };
      groups.push(last);
      // "Since before October" is before October.
    } else if (relation !== 'to') last.relation = relation;
  }
  // "Monday or later", "from 16 November on".
  const before = groups.at(-2);
  if (before && isEmpty(last.moment) && /^(?:onwards|until)$/.test(last.relation)) before.relation = last.relation;
  return groups.filter(({ moment }) => !isEmpty(moment));
}

function addWord(moment: Moment, { kind, value }: Word, before: Word | undefined, after: readonly Word[]): Moment {
  const { number, ...rest } = moment;
  const { nth, month, day, unit, count } = moment;
  const [next = '', second = ''] = after.filter((word) => word.kind !== 'vague').map((word) => word.kind);
  if (kind === 'unit' && nth !== undefined && moment.slice === undefined)
    return { ...rest, slice: value, count: undefined, parts: number ?? 1 };
  // "Yesterday 14h".
  if (kind === 'unit' && value === units.hour && number !== undefined && isDay(moment)) return moment;
  if (kind === 'unit') {
    const said = number ?? moment.decimal ?? (moment.half && nth === undefined ? 0.5 : moment.article);
    return { ...rest, unit: value, ...(said !== undefined && { count: said }) };
  }
  const isWeekNumber = before?.kind === 'unit' && before.value === units.week && count === undefined;
  if (kind === 'number' && isWeekNumber) return { ...moment, week: value };
  if (kind === 'number' && month !== undefined && day === undefined) return { ...moment, day: value };
  if (kind === 'month' && number !== undefined && day === undefined) return { ...rest, month: value, day: number };
  if (kind === 'ordinal') {
    const isSlice = /unit|half|weekday/.test(next) || (next === 'number' && second === 'unit');
    return { ...moment, [isSlice ? 'nth' : 'day']: value };
  }
  if (kind === 'half' && nth !== undefined) return { ...moment, slice: units.halfyear };
  // "For weeks", "in recent days".
  if (kind === 'plural') return count === undefined && unit !== undefined ? { ...moment, count: 3, vague: 1 } : moment;
  // "Over the weekend", "back in summer" and "last edited" have another meaning.
  const isLonger = /^(?:number|article|half) (?:unit|number|article|half)/.test(`${next} ${second}`);
  if (kind === 'over') return isLonger ? { ...moment, more: 1 } : moment;
  if (kind === 'back') return /unit|plural/.test(before?.kind ?? '') ? { ...moment, ago: 1 } : moment;
  return kind === 'other' || (kind === 'which' && next === 'other') ? moment : { ...moment, [kind]: value };
}

function readGroups(groups: readonly Group[], now: Now): TimeSpan | undefined {
  const end = groups.findIndex(({ relation }, index) => relation === 'to' && index > 0);
  const index = end > 0 ? end - 1 : groups.length - 1;
  const [own, last, around] = [groups[index], groups[end], groups[index - 1]];
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
  const bounds = resolveEdge(isToday ? { ...moment, near: 0 } : moment, name, { ...now, direction });
  return bounds && (relations[name] ?? widen)(bounds, moment, direction);
}

type ApplyRelation = (bounds: Bounds, moment: Moment, direction: Direction) => TimeSpan;

const relations: Readonly<Record<string, ApplyRelation>> = {
  since: ({ fromMs }) => ({ fromMs }),
  onwards: ({ fromMs }) => ({ fromMs }),
  after: ({ untilMs }) => ({ fromMs: untilMs }),
  until: ({ untilMs }) => ({ untilMs }),
  // "Before noon" starts with that day.
  before: ({ fromMs, untilMs }, moment, direction) =>
    fromMs === untilMs && (moment.part !== undefined || (direction === 'past' && !isDay(moment)))
      ? { fromMs: startOfDay(fromMs - 1), untilMs }
      : { untilMs: fromMs },
  // Incidents starting on Monday include later ones; changes starting on Monday are on that day.
  starting: (bounds, _, direction) => (direction === 'past' ? { fromMs: bounds.fromMs } : bounds),
  // A ticket from Monday is of that day; maintenance from Monday continues.
  from: (bounds, moment, direction) => {
    const continues = direction === 'future' && (moment.day ?? moment.weekday) !== undefined;
    return continues || bounds.fromMs === bounds.untilMs ? { fromMs: bounds.fromMs } : bounds;
  },
};

/** "At 14:00" is about then. */
const widen: ApplyRelation = ({ fromMs, untilMs }) =>
  fromMs < untilMs ? { fromMs, untilMs } : { fromMs: fromMs - toleranceMs, untilMs: untilMs + toleranceMs };

const restEdge = 5;

/** "Early October" is its first ten days; "since the end of October" starts after it. */
function resolveEdge(moment: Moment, relation: string, now: Now): Bounds | undefined {
  const bounds = resolveMoment(moment, now);
  const { edge } = moment;
  if (!bounds || edge === undefined) return bounds;
  const { fromMs, untilMs } = bounds;
  const days = (untilMs - fromMs) / dayMs;
  if (days <= 2 && edge !== restEdge) return bounds;
  const thirdMs = Math.max(3, Math.round(days / 3)) * dayMs;
  const edgeMs = relation === '' ? Math.min(thirdMs, 31 * dayMs) : 0;
  const edges: readonly Bounds[] = [
    { fromMs, untilMs: fromMs + edgeMs },
    { fromMs, untilMs: fromMs + thirdMs },
    { fromMs: fromMs + thirdMs, untilMs: untilMs - thirdMs },
    { fromMs: untilMs - thirdMs, untilMs },
    { fromMs: untilMs - edgeMs, untilMs },
    { fromMs: now.nowMs, untilMs },
  ];
  return edges[edge];
}

function isLength({ count, unit, which = 0, near, quarter, halfyear }: Moment): boolean {
  const isNamed = which !== 0 || (near ?? quarter ?? halfyear) !== undefined;
  return !isNamed && unit !== undefined && (count !== undefined || unit === units.fortnight);
}

/** "Older than 3 days", "in 2 hours", "two weeks ago". */
function readLength(relation: string, moment: Moment, { nowMs, direction }: Now): TimeSpan {
  const { ago, less, vague } = moment;
  const lengthMs = toMs(moment);
  const pastMs = nowMs - lengthMs;
  const isAhead = direction === 'future' && relation !== 'since' && !ago;
  const isMore = moment.more ?? (isAhead ? undefined : moment.for);
  if (!less && (isMore || relation === 'after' || (relation === 'before' && !isAhead)))
    return isAhead ? { fromMs: nowMs + lengthMs } : { untilMs: pastMs };
  if (isAhead) return { fromMs: nowMs, untilMs: nowMs + lengthMs };
  if (ago && relation === 'until') return { untilMs: pastMs };
  if (!ago || less || relation !== '') return { fromMs: pastMs };
  // "Two weeks ago" is a week, "10 days ago" a day, "an hour ago" an hour.
  const isShort = lengthMs < dayMs;
  const spreadMs = vague ? lengthMs : isShort ? lengthMs / 2 : Math.min(toMs({ ...moment, count: 0.5 }), 30 * dayMs);
  if (isShort) return { fromMs: pastMs - spreadMs, untilMs: pastMs + spreadMs };
  const [dayStartMs, daysMs] = [startOfDay(pastMs), startOfDay(spreadMs)];
  return { fromMs: dayStartMs - daysMs, untilMs: dayStartMs + dayMs + daysMs };
}

function readRange(left: Moment, right: Moment, now: Now): TimeSpan | undefined {
  const { nowMs, direction } = now;
  if (isLength(right)) {
    if (left.which !== undefined) return resolveMoment({ ...right, which: left.which }, now);
    const nearMs = toMs({ unit: left.unit ?? right.unit, count: left.count ?? left.number });
    const farMs = toMs(right);
    if (direction === 'future' && !right.ago) return { fromMs: nowMs + nearMs, untilMs: nowMs + farMs };
    return { fromMs: nowMs - farMs, untilMs: nowMs - nearMs };
  }
  const [first, last] = completeRange(left, right);
  const from = resolveEdge(first, 'from', now);
  if (!from || (left.part === night && left.which === undefined && !isTime(last))) return from;
  const until = resolveEdge(last, 'to', { nowMs, anchorMs: from.fromMs, direction: 'future', isEnd: true });
  if (!until) return undefined;
  return { fromMs: Math.min(from.fromMs, until.fromMs), untilMs: Math.max(from.untilMs, until.untilMs) };
}

/** Gives each side what only the other side says: "20 to 25 November", "5 to 7pm", "this week and next". */
function completeRange(left: Moment, right: Moment): [Moment, Moment] {
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

/** Kinds of words, from small to large times. */
const ranks: readonly (readonly string[])[] = [
  ['number', 'clock'],
  ['part'],
  ['near', 'weekday', 'day'],
  ['week', 'month', 'quarter', 'halfyear', 'unit', 'which'],
  ['year'],
];

/** Takes the larger times that the moment lacks (its day, month or year) from the other one. */
function inherit(moment: Moment, other: Moment): Moment {
  const own = ranks.findLastIndex((kinds) => kinds.some((kind) => moment[kind] !== undefined));
  const larger = ranks.slice(own + 1).flat();
  return { ...Object.fromEntries(Object.entries(other).filter(([kind]) => larger.includes(kind))), ...moment };
}
