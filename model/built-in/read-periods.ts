// Times as filters, and periods that are compared or shifted.
import { readTime, type TimeSpan } from './read-time.ts';
import { type Filters, type Found, findKind, timeLabel, toIso, type Value } from './reading.ts';
import type { Span } from './tag-question.ts';

/** For records without the time of the label. */
const similarTimes: Readonly<Record<string, string>> = { resolved: 'updated', planned: 'created' };

const stale =
  /\b(not|no|nobody|nothing|never|without|stale|idle|quiet|silent|inactive|dormant|un(?:touched|changed|modified|moved|edited))\b|n't\b/;

export function readTimes({ label, text }: Span, kind: string, nowMs: number, hasBreached: boolean): Found | undefined {
  const isAhead = label === 'planned' || (label === 'sla_breach' && !hasBreached);
  const span = readTime(text, nowMs, isAhead ? 'future' : 'past');
  // The next shift is part of every answer.
  if (kind === 'oncall' && /^(?:the )?next$/i.test(text)) return [];
  if (!span || kind === 'webhooks' || kind === 'oncall') return span ? [{ field: 'time', value: span }] : undefined;
  const known = findKind(kind).times;
  const field = known.includes(label) ? label : (similarTimes[label] ?? '');
  if (!known.includes(field)) return undefined;
  if (label === 'updated' && stale.test(text.toLowerCase()))
    return [{ field: 'updated_before', value: toIso(span.fromMs ?? span.untilMs ?? nowMs) }];
  return toBounds(field, span, nowMs, isAhead && field === label);
}

/** The bounds are exclusive. Records that exist were created before now. */
function toBounds(field: string, { fromMs, untilMs }: TimeSpan, nowMs: number, mayBeAhead: boolean): Found | undefined {
  if (!mayBeAhead && fromMs !== undefined && fromMs >= nowMs) return undefined;
  return [
    ...(fromMs === undefined ? [] : [{ field: `${field}_after`, value: toIso(fromMs - 1) }]),
    ...(untilMs !== undefined && (mayBeAhead || untilMs < nowMs)
      ? [{ field: `${field}_before`, value: toIso(untilMs) }]
      : []),
  ];
}

/**
 * Finds two values of a field or two periods. With one period only, the first one is the current period of the same
 * length.
 */
export function splitCompared(
  values: readonly Value[],
  nowMs: number,
): { values: Value[]; first: Filters } | undefined {
  const isTime = ({ field }: Value) => /_(after|before)$/.test(field);
  const candidates = values.filter(({ isDenied, field }) => !isDenied && field !== 'missing' && field !== 'text');
  for (const { span, field } of candidates) {
    const same = (each: Value) => (isTime(each) ? each.span.label === span.label : each.field === field);
    const second = candidates.findLast((each) => same(each) && each.span !== span);
    // Words between the two may carry both labels.
    const isSecond = (each: Value) =>
      each.span === second?.span || (each.field === second?.field && String(each.value) === String(second.value));
    if (second && !isSecond(values.find((each) => each.span === span) ?? second))
      return { values: values.filter(isSecond), first: {} };
  }
  const period = candidates.find(isTime);
  const name = period && toCurrent(period.span.text);
  const current = name === undefined ? undefined : readTime(name, nowMs, 'past');
  if (!period || !current) return undefined;
  const found = toBounds(period.span.label, current, nowMs, false) ?? [];
  if (found.every(({ field, value }) => values.some((each) => each.field === field && each.value === value)))
    return undefined;
  return {
    values: values.filter(({ span }) => span === period.span),
    first: Object.fromEntries(found.map(({ field, value }) => [field, value])),
  };
}

const comparative = /\b(?:more|fewer|less|faster|slower|quicker|better|worse|than)\b(?! than \d)/i;

/** "More in October than in September" compares two periods of the same time, even if they have different labels. */
export function alignCompared(question: string, spans: readonly Span[]): Span[] {
  const [first, ...others] = spans.filter(({ label }) => timeLabel.test(label));
  const isCompared = spans.some(({ label }) => label === 'vs') || comparesWords(question);
  if (!first || !isCompared) return [...spans];
  return spans.map((span) => (others.includes(span) ? { ...span, label: first.label } : span));
}

/** "More laptops or monitors" compares, even if no word has the label. */
export const comparesWords = (question: string) =>
  (comparative.test(question) && / (?:or|than) /i.test(question)) || comparing.test(question);

const comparing = /\b(?:compare[ds]?|versus|vs|difference between)\b/i;

export function hasTwoValues(values: readonly Value[]): boolean {
  return values.some(({ span, field, isDenied }) =>
    values.some((each) => each.field === field && each.span !== span && !isDenied && !/^(?:text|missing)$/.test(field)),
  );
}

/** The period to compare a past one with: "this week" for "last week", "this month" for "October". */
function toCurrent(text: string): string | undefined {
  const words = text.toLowerCase();
  if (/\byesterday\b/.test(words)) return 'today';
  const unit = /\b(week|month|quarter|year)\b/.exec(words)?.[1];
  const isMonth = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)/.test(words);
  return unit || isMonth ? `this ${unit ?? 'month'}` : undefined;
}

export function renameTimes(filters: Filters, from: string, to: string): void {
  for (const bound of ['after', 'before']) {
    const value = filters[`${from}_${bound}`];
    if (value === undefined) continue;
    filters[`${to}_${bound}`] ??= value;
    delete filters[`${from}_${bound}`];
  }
}

const dayMs = 86_400_000;

/** The period before that of the last question: by calendar months, or by its own length. */
export function shiftPeriod(filters: Filters, question: string, nowMs: number): Filters {
  const name = Object.keys(filters).find((each) => each.endsWith('_after'));
  if (!name) return {};
  const fromMs = Date.parse(String(filters[name])) + 1;
  const end = filters[name.replace('_after', '_before')];
  const untilMs = end === undefined ? nowMs : Date.parse(String(end));
  const from = new Date(fromMs);
  const isMonth = from.getUTCDate() === 1 && (/month/i.test(question) || untilMs - fromMs > 27 * dayMs);
  const months = isMonth ? Math.max(1, Math.round((untilMs - fromMs) / (30.4 * dayMs))) : 0;
  const weekMs = /\bweek/i.test(question) ? 7 * dayMs : Math.ceil((untilMs - fromMs) / dayMs) * dayMs;
  const startMs = isMonth ? Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - months, 1) : fromMs - weekMs;
  return {
    [name]: new Date(startMs - 1).toISOString(),
    [name.replace('_after', '_before')]: new Date(fromMs).toISOString(),
  };
}
