// Turns the labelled words of a question into the input of a search tool: fixed values, time bounds, and names as the
// records spell them.
import type { Schema } from '../../local/bedrock/converse.ts';
import { finalStates } from './describe-call.ts';
import { unwrapNullable } from './fill-schema.ts';
import { readTime } from './read-time.ts';
import type { Span, TaggedQuestion } from './tag-question.ts';
import { toWords } from './time-words.ts';

export interface Filters {
  input: Record<string, unknown>;
  /** Words that no filter can express. */
  unsupported: readonly string[];
}

interface Context {
  input: Filters['input'];
  properties: Readonly<Record<string, Schema>>;
  nowMs: number;
}

export function readFilters({ spans }: TaggedQuestion, { properties = {} }: Schema, nowMs: number): Filters {
  const context: Context = { input: {}, properties, nowMs };
  const { input } = context;
  const own = spans.filter((span) => !isCovered(span, spans));
  // Read these last: in "the 3 oldest" the number is the limit, and after "breached" a time is in the past.
  const isLate = ({ label }: Span) => Number(label === 'limit=1' || label === 'sla_breach');
  const ordered = [...own].sort((a, b) => isLate(a) - isLate(b));
  const failed = ordered.filter((span) => !readSpan(span, context));
  const isRead = (span: Span) => own.some((each) => !failed.includes(each) && overlaps(each, span));
  if (/^(priority|planned_start|sla_breach_at)$/.test(String(input.sort))) input.order ??= 'asc';
  // Resolved incidents close after a while, so those that were resolved last month are closed today.
  if (String(input.state) === 'resolved' && (input.resolved_after ?? input.resolved_before) !== undefined)
    input.state = listValues(properties.state).filter((state) => /^(resolved|closed)$/.test(state));
  // "In the test environment" is a filter, not a grouping.
  const isFixed = (field: unknown) => String(field) in input && [input[String(field)]].flat().length === 1;
  for (const name of ['then_by', 'by']) if (isFixed(input[name])) delete input[name];
  // "Which team has the most" shows the others as well.
  if (input.by !== undefined && input.limit === 1) delete input.limit;
  const unsupported = failed.filter((span) => !isRead(span)).map(({ text }) => text);
  return { input, unsupported: [...new Set(unsupported)] };
}

function overlaps(a: Span, b: Span): boolean {
  return a.from < b.until && b.from < a.until;
}

/** Whether a longer span contains these words: "my team" in "not assigned to my team", or "VPN" in "VPN access". */
function isCovered(span: Span, spans: readonly Span[]): boolean {
  const isCopied = !span.label.includes('=');
  return spans.some(({ label, from, until }) => {
    const covers = from <= span.from && until >= span.until && until - from > span.until - span.from;
    return covers && (label === 'unsupported' || (isCopied && !label.includes('=') && label !== 'count'));
  });
}

/** Returns false if no filter can express the words. */
function readSpan(span: Span, context: Context): boolean {
  const { input, properties } = context;
  const { label, text } = span;
  const [name = '', value] = label.split('=');
  if (value !== undefined) return readFixedValue(name, value, context);
  if (label === 'count') return true;
  if (label === 'unsupported') return false;
  if (/^(created|updated|resolved|planned|sla_breach)$/.test(label)) return readTimeBounds(span, context);
  if (label === 'limit') {
    const limit = readNumber(text);
    return limit === undefined || setOnce(input, label, Math.min(limit, properties.limit?.maximum ?? limit));
  }
  if (label === 'id') return !('ci' in properties) || setOnce(input, 'ci', text.toUpperCase());
  const words = trimName(text);
  const { field, value: known } = findValue(label, words, properties) ?? { field: label };
  // "In the data centre in Berlin" is one place; its second part becomes a search term.
  const isSecondPlace = field === 'location' && field in input;
  if (label !== 'text' && field in properties && !isSecondPlace)
    return setOnce(input, field, known ?? (/^ci\d{7}$/.test(words) ? words.toUpperCase() : words));
  if (!('text' in properties)) return false;
  // A search needs every word in the text, so small words ("wifi in Vienna") would exclude records. "Log in" ends with one.
  const terms = words.split(' ').filter((word, place, all) => place === all.length - 1 || !beforeName.has(word));
  input.text = [input.text, ...terms].filter(Boolean).join(' ');
  return true;
}

function setOnce(input: Filters['input'], name: string, value: unknown): boolean {
  if (!(name in input)) input[name] = value;
  return input[name] === value;
}

function readFixedValue(name: string, value: string, { input, properties, nowMs }: Context): boolean {
  if (name === 'by') return setOnce(input, name, value) || setOnce(input, 'then_by', value);
  if (name === 'planned' && 'planned_after' in properties)
    return 'planned_after' in input || setOnce(input, 'planned_after', new Date(nowMs).toISOString());
  const property = properties[name];
  if (!property) return false;
  if (value === 'null') return setOnce(input, name, null);
  const values = listValues(property);
  if (unwrapNullable(property).type !== 'array') {
    const isKnown = values.length === 0 || values.includes(value);
    return isKnown && setOnce(input, name, name === 'limit' ? Number(value) : value);
  }
  const open = values.filter((each) => !finalStates.test(each));
  const added = value === 'open' ? open : [value];
  // Another kind of record has this value.
  if (!added.every((each) => values.includes(each))) return false;
  const chosen = [input[name] ?? []].flat().map(String);
  const both = [...chosen, ...added];
  // "Open tickets on hold" are those on hold.
  const isNarrowed = name === 'state' && chosen.length > 0 && both.every((each) => open.includes(each));
  const hasAllOpen = Math.max(chosen.length, added.length) === open.length;
  const narrow = chosen.length < added.length ? chosen : added;
  input[name] = values.filter((each) => (isNarrowed && hasAllOpen ? narrow : both).includes(each));
  return true;
}

function listValues(property: Schema = {}): string[] {
  const { items, enum: values = items?.enum ?? [] } = unwrapNullable(property);
  return values.map(String);
}

function readNumber(text: string): number | undefined {
  const words = (text.toLowerCase().match(/[a-z]+|\d{1,4}/g) ?? []).flatMap(toWords);
  return words.find(({ kind, value }) => kind === 'number' && value > 0)?.value;
}

/** Extends a span that is only "in" of "in Lisbon" by the next word, or drops it if the next word has its own label. */
export function completeSpans(question: string, spans: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const words = span.text.toLowerCase().split(' ');
    if (span.label.includes('=') || !words.every((word) => beforeName.has(word))) return [span];
    const [next = ''] = /^\s*[^\s,.;?!]*/.exec(question.slice(span.until)) ?? [];
    const until = span.until + next.length;
    const isTaken = spans.some((each) => each.from >= span.until && each.from < until);
    return next.trim() === '' || isTaken ? [] : [{ ...span, until, text: question.slice(span.from, until) }];
  });
}

const beforeName = new Set('in on at of for with by from to about a an the our my this that ci word words'.split(' '));
const afterName = new Set('team group folks guys people department queue crew squad category'.split(' '));

/** Removes quotation marks, articles and nouns such as "team", which are not part of a name. */
function trimName(text: string): string {
  const plain = text.toLowerCase().replace(/["“”‘’]/g, '');
  const words = plain.split(' ').filter(Boolean);
  while (words.length > 1 && beforeName.has(words[0] ?? '')) words.shift();
  while (words.length > 1 && afterName.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ').replace(/^'|'$/g, '');
}

/** Fields that may have the value, for each label. */
const candidates: Readonly<Record<string, readonly string[]>> = {
  category: ['category', 'assignment_group'],
  assignment_group: ['assignment_group', 'category'],
  class: ['class', 'environment', 'owner'],
  environment: ['environment', 'class'],
  location: ['location'],
  owner: ['owner'],
};

/** Finds the value of the records: "mail" is email, "switches" is switch, "messaging tickets" are those of a team. */
function findValue(label: string, words: string, properties: Context['properties']) {
  const known = (candidates[label] ?? []).flatMap((field) =>
    (properties[field]?.examples ?? []).map((value) => ({ field, value: String(value) })),
  );
  return known.find(({ value }) => listForms(value.toLowerCase()).includes(words));
}

const shortForms: Readonly<Record<string, readonly string[]>> = {
  email: ['mail', 'e-mail'],
  hardware: ['hw'],
  software: ['sw', 'app', 'application'],
  network: ['networking'],
  access: ['permission'],
  production: ['prod', 'live'],
  development: ['dev'],
  staging: ['stage'],
  database: ['db'],
  'database administration': ['dba', 'database', 'databases'],
  'service desk': ['helpdesk', 'help desk', 'servicedesk'],
  'identity and access': ['iam', 'identity', 'identity & access'],
};

function listForms(value: string): string[] {
  const names = [value, ...(shortForms[value] ?? [])];
  return names.flatMap((name) => [name, `${name}s`, `${name}es`, name.replace(/s$/, '')]);
}

const stale =
  /\b(not|no|nobody|nothing|never|without|stale|idle|quiet|silent|inactive|dormant|un(?:touched|changed|modified|moved|edited))\b|n't\b/;

/** For records without the time of the label. */
const similarTimes: Readonly<Record<string, string>> = { resolved: 'updated', planned: 'created' };

function readTimeBounds({ label, text }: Span, { input, properties, nowMs }: Context): boolean {
  const isAhead = label === 'planned' || (label === 'sla_breach' && input.sla !== 'breached');
  const span = readTime(text, nowMs, isAhead ? 'future' : 'past');
  if (!span) return false;
  const { fromMs, untilMs } = span;
  const toIso = (ms: number) => new Date(ms).toISOString();
  if (label === 'updated' && stale.test(text.toLowerCase()))
    return setOnce(input, 'updated_before', toIso(fromMs ?? untilMs ?? nowMs));
  const dueMinutes = Math.round(((untilMs ?? nowMs) - nowMs) / 60_000);
  const isDue = label === 'sla_breach' && isAhead && (fromMs ?? nowMs) <= nowMs && dueMinutes > 0;
  const { maximum = 0 } = properties.sla_due_within_minutes ?? {};
  if (isDue && dueMinutes <= maximum) return setOnce(input, 'sla_due_within_minutes', dueMinutes);
  const field = `${label}_after` in properties ? label : (similarTimes[label] ?? '');
  const mayBeAhead = field === label && isAhead;
  if (!(`${field}_after` in properties) || (!mayBeAhead && fromMs !== undefined && fromMs >= nowMs)) return false;
  // The bounds are exclusive. Records that exist were created before now.
  const bounds = {
    ...(fromMs !== undefined && { [`${field}_after`]: toIso(fromMs - 1) }),
    ...(untilMs !== undefined && (mayBeAhead || untilMs < nowMs) && { [`${field}_before`]: toIso(untilMs) }),
  };
  const hasConflict = Object.entries(bounds).some(([name, value]) => (input[name] ?? value) !== value);
  if (!hasConflict) Object.assign(input, bounds);
  return !hasConflict;
}
