// Turns the labelled words of a question into the input of a search tool: fixed values as they are, times as moments, names
// as the records spell them.
import type { Schema } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { readTime } from './read-time.ts';
import type { Span, TaggedQuestion } from './tag-question.ts';
import { toWords } from './time-words.ts';

export interface Filters {
  input: Record<string, unknown>;
  /** Words that no filter can express. */
  unsupported: readonly string[];
}

export function readFilters({ spans }: TaggedQuestion, schema: Schema, nowMs: number): Filters {
  const properties = schema.properties ?? {};
  const input: Record<string, unknown> = {};
  const own = spans.filter((span) => !isCovered(span, spans));
  // Read these last: in "the 3 oldest" the number counts, and after "breached" a time is in the past.
  const isLate = ({ label }: Span) => Number(label === 'limit=1' || label === 'sla_breach');
  const ordered = [...own].sort((a, b) => isLate(a) - isLate(b));
  const failed = ordered.filter((span) => !readSpan(span, input, properties, nowMs));
  const isRead = (span: Span) => own.some((each) => !failed.includes(each) && overlaps(each, span));
  if (/^(priority|planned_start|sla_breach_at)$/.test(String(input.sort))) input.order ??= 'asc';
  // Resolved incidents close after a while: those that were resolved last month are closed today.
  if (String(input.state) === 'resolved' && (input.resolved_after ?? input.resolved_before) !== undefined)
    input.state = listValues(properties.state).filter((state) => /^(resolved|closed)$/.test(state));
  // "In the test environment" is a filter, not a grouping.
  if (String(input.by) in input) delete input.by;
  const unsupported = failed.filter((span) => !isRead(span)).map(({ text }) => text);
  return { input, unsupported: [...new Set(unsupported)] };
}

/** Returns false if no filter can express the words. */
function readSpan(span: Span, input: Filters['input'], properties: Properties, nowMs: number): boolean {
  const [name = '', value] = span.label.split('=');
  if (name === 'count') return true;
  if (name === 'by') return setOnce(input, 'by', value);
  return value === undefined
    ? readCopied(span, input, properties, nowMs)
    : readFixed(name, value, input, properties, nowMs);
}

function overlaps(a: Span, b: Span): boolean {
  return a.from < b.until && b.from < a.until;
}

type Properties = Readonly<Record<string, Schema>>;

function setOnce(input: Record<string, unknown>, name: string, value: unknown): boolean {
  if (!(name in input)) input[name] = value;
  return input[name] === value;
}

function readFixed(
  name: string,
  value: string,
  input: Filters['input'],
  properties: Properties,
  nowMs: number,
): boolean {
  if (name === 'planned' && 'planned_after' in properties)
    return 'planned_after' in input || setOnce(input, 'planned_after', new Date(nowMs).toISOString());
  const property = properties[name];
  if (!property) return false;
  if (value === 'null') return setOnce(input, name, null);
  const values = listValues(property);
  if (withoutNull(property).schema.type !== 'array') {
    const isKnown = values.length === 0 || values.includes(value);
    return isKnown && setOnce(input, name, name === 'limit' ? Number(value) : value);
  }
  const added = value === 'open' ? openStates(property) : [value];
  // The value belongs to another kind of record.
  if (!added.every((each) => values.includes(each))) return false;
  const both = [...(Array.isArray(input[name]) ? input[name] : []), ...added];
  input[name] = values.filter((each) => both.includes(each));
  return true;
}

const times = /^(created|updated|resolved|planned|sla_breach)$/;

function readCopied(span: Span, input: Filters['input'], properties: Properties, nowMs: number): boolean {
  const { label, text } = span;
  if (label === 'unsupported') return false;
  if (times.test(label)) return readTimeFilter(span, input, properties, nowMs);
  if (label === 'limit') {
    const count = readNumber(text);
    return count === undefined || setOnce(input, 'limit', Math.min(count, properties.limit?.maximum ?? count));
  }
  if (label === 'id') return !('ci' in properties) || setOnce(input, 'ci', text.toUpperCase());
  const words = trimName(text);
  if (label === 'text') return appendText(input, words);
  const known = findValue(label, words, properties);
  const field = known?.field ?? label;
  if (!(field in properties)) return 'text' in properties && appendText(input, words);
  return setOnce(input, field, known?.value ?? (/^ci\d{7}$/.test(words) ? words.toUpperCase() : words));
}

const beforeName = new Set('in on at of for with by from to about a an the our my this that ci word words'.split(' '));
const afterName = new Set('team group folks guys people department queue crew squad category'.split(' '));

/** Removes quotation marks, articles and nouns such as "team", which are not part of a name. */
function trimName(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/["“”‘’]/g, '')
    .split(' ')
    .filter(Boolean);
  while (words.length > 1 && beforeName.has(words[0] ?? '')) words.shift();
  while (words.length > 1 && afterName.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ').replace(/^'|'$/g, '');
}

/** A search wants every word in the text, so small words ("wifi in Vienna") would exclude records. */
function appendText(input: Filters['input'], said: string): boolean {
  const words = said.split(' ').filter((word) => !beforeName.has(word));
  input.text = [input.text, ...(words.length > 0 ? words : [said])].filter(Boolean).join(' ');
  return true;
}

const alternatives: Readonly<Record<string, readonly string[]>> = {
  category: ['category', 'assignment_group'],
  assignment_group: ['assignment_group', 'category'],
  class: ['class', 'environment', 'owner'],
  environment: ['environment', 'class'],
  location: ['location'],
  owner: ['owner'],
};

/** Finds the value as records have it: "mail" is email, "switches" is switch, "messaging tickets" are those of a team. */
function findValue(label: string, words: string, properties: Properties): { field: string; value: string } | undefined {
  for (const field of alternatives[label] ?? []) {
    for (const example of properties[field]?.examples ?? []) {
      const value = String(example);
      if (sayings(value.toLowerCase()).includes(words)) return { field, value };
    }
  }
  return undefined;
}

/** Short forms that people use for common values. */
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

function sayings(value: string): readonly string[] {
  return [value, ...(shortForms[value] ?? [])].flatMap((each) => [
    each,
    `${each}s`,
    `${each}es`,
    each.replace(/s$/, ''),
  ]);
}

function readTimeFilter(
  { label, text }: Span,
  input: Filters['input'],
  properties: Properties,
  nowMs: number,
): boolean {
  const isAhead = label === 'planned' || (label === 'sla_breach' && input.sla !== 'breached');
  const span = readTime(text, nowMs, isAhead ? 'future' : 'past');
  if (!span) return false;
  const { fromMs, untilMs } = span;
  const iso = (ms: number) => new Date(ms).toISOString();
  if (label === 'updated' && stale.test(text.toLowerCase()))
    return setOnce(input, 'updated_before', iso(fromMs ?? untilMs ?? nowMs));
  const dueMinutes = Math.round(((untilMs ?? nowMs) - nowMs) / 60_000);
  const isDue = label === 'sla_breach' && isAhead && (fromMs ?? nowMs) <= nowMs && dueMinutes > 0;
  const { maximum = dueMinutes } = properties.sla_due_within_minutes ?? {};
  if (isDue && dueMinutes <= maximum) return setOnce(input, 'sla_due_within_minutes', dueMinutes);
  const field = `${label}_after` in properties ? label : label === 'resolved' ? 'updated' : 'created';
  const isOpen = field === label && isAhead;
  if (!(`${field}_after` in properties) || (!isOpen && fromMs !== undefined && fromMs >= nowMs)) return false;
  // "After" leaves out the moment itself. Nothing was created after now.
  const bounds = {
    ...(fromMs !== undefined && { [`${field}_after`]: iso(fromMs - 1) }),
    ...(untilMs !== undefined && (isOpen || untilMs < nowMs) && { [`${field}_before`]: iso(untilMs) }),
  };
  const isFree = Object.entries(bounds).every(([name, value]) => (input[name] ?? value) === value);
  if (isFree) Object.assign(input, bounds);
  return isFree;
}

const stale =
  /\b(not|no|nobody|nothing|never|without|stale|idle|quiet|silent|inactive|dormant|un(?:touched|changed|modified|moved|edited))\b|n't\b/;

function readNumber(text: string): number | undefined {
  const words = (text.toLowerCase().match(/[a-z]+|\d{1,4}/g) ?? []).flatMap(toWords);
  return words.find(({ kind, value }) => kind === 'number' && value > 0)?.value;
}

/** Whether a longer span contains these words: "my team" in "not assigned to my team", or "VPN" in "VPN access". */
function isCovered(span: Span, spans: readonly Span[]): boolean {
  const isCopied = !span.label.includes('=');
  return spans.some(({ label, from, until }) => {
    const covers = from <= span.from && until >= span.until && until - from > span.until - span.from;
    return covers && (label === 'unsupported' || (isCopied && !label.includes('=') && label !== 'count'));
  });
}

function listValues(property: Schema | undefined): string[] {
  const { schema } = withoutNull(property ?? {});
  const values = schema.type === 'array' ? withoutNull(schema.items ?? {}).schema.enum : schema.enum;
  return (values ?? []).map(String);
}

const finalStates = /^(resolved|closed|cancelled|completed|rejected|fulfilled|draft|retired)$/;

function openStates(property: Schema): string[] {
  return listValues(property).filter((value) => !finalStates.test(value));
}
