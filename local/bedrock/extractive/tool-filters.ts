// Finds values for the parameters of a tool in a question: values of an enum by their words, dates by their meaning, teams,
// addresses and numbers by how people write them; what is left over is what to search for.
import type { Schema } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { timeSpanIn } from './time-span.ts';
import { plainWords, stem, wordsOf } from './words.ts';

/** One set of parameters per call: a parameter that takes one value, where several are meant, makes several calls. */
export type Filters = Record<string, unknown>;

interface Reading {
  question: string;
  nowMs: number;
  /** Words of the question that some parameter took. */
  taken: Set<string>;
  filters: Filters;
  /** Values of which each needs a call of its own. */
  alternatives: { name: string; values: readonly unknown[] } | undefined;
}

const finalStates =
  /^(resolved|closed|cancell?ed|rejected|completed?|done|retired|failed|fulfilled|declined|archived)$/;
const openWords = /\b(open|active|unresolved|ongoing|unfinished|current)\b/i;
const freeText = /^(q|query|text|words|search|question|terms|keywords)$/;
const mostCalls = 4;

export function filtersFor(schema: Schema, question: string, nowMs: number, about: readonly string[]): Filters[] {
  const reading: Reading = { question, nowMs, taken: new Set(about), filters: {}, alternatives: undefined };
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    return { name, schema: withoutNull(property).schema };
  });
  for (const { name, schema: each } of properties) readValue(name, each, reading);
  readTime(properties, reading);
  for (const { name, schema: each } of properties) {
    if (freeText.test(name)) readRest(name, each, schema.required?.includes(name) ?? false, reading);
  }
  const { filters, alternatives } = reading;
  if (!alternatives) return [filters];
  return alternatives.values.slice(0, mostCalls).map((value) => ({ ...filters, [alternatives.name]: value }));
}

function readValue(name: string, schema: Schema, reading: Reading): void {
  const values = (schema.items ? withoutNull(schema.items).schema.enum : schema.enum)?.filter(isText);
  if (/^(sort|sort_by|order|order_by)$/.test(name)) return;
  if (values) readEnum(name, schema, values, reading);
  else take(name, valueIn(name, schema, reading), reading);
}

function valueIn(name: string, { type, maximum = 200 }: Schema, reading: Reading): unknown {
  const { question } = reading;
  if (/group|team/.test(name)) return teamIn(question, reading);
  if (/assign|owner|mail|author|requested|opened/.test(name)) return /[\w.+-]+@[\w-]+\.[\w.-]+\w/.exec(question)?.[0];
  if (/category|class|location|environment|type/.test(name)) return namedIn(question, name);
  if (!/limit|top|count|size/.test(name) || !/integer|number/.test(String(type))) return undefined;
  const wanted = /\b(?:top|first|last|latest|newest) (\d{1,3})\b(?! (?:minute|hour|day|week|month))/i.exec(
    question,
  )?.[1];
  return wanted && Math.min(Number(wanted), maximum);
}

function readEnum(name: string, schema: Schema, values: readonly string[], reading: Reading): void {
  const said = ` ${plainWords(reading.question).join(' ')} `;
  const phrase = (value: string) => plainWords(value.replaceAll('_', ' ')).join(' ');
  let found = values.filter((value) => said.includes(` ${phrase(value)} `) || said.includes(` ${phrase(value)}s `));
  // A longer value that contains a shorter one is what was meant.
  found = found.filter((value) => !found.some((other) => other !== value && phrase(other).includes(phrase(value))));
  const open = openWords.exec(reading.question);
  if (found.length === 0 && open && /state|status/.test(name) && values.some((value) => finalStates.test(value))) {
    found = values.filter((value) => !finalStates.test(value));
    reading.taken.add(stem(open[0].toLowerCase()));
  }
  if (found.length === 0 && /priority|severity/.test(name)) {
    const urgent = /\b(critical|highest|most urgent)\b/i.exec(reading.question);
    if (urgent) {
      found = values.slice(0, 1);
      for (const word of wordsOf(urgent[0])) reading.taken.add(word);
    }
  }
  if (found.length === 0) return;
  for (const value of found) for (const word of wordsOf(value.replaceAll('_', ' '))) reading.taken.add(word);
  for (const word of wordsOf(name.replaceAll('_', ' '))) reading.taken.add(word);
  if (schema.type === 'array') reading.filters[name] = found;
  else if (found.length === 1) reading.filters[name] = found[0];
  else if (/comma/i.test(schema.description ?? '')) reading.filters[name] = found.join(',');
  else reading.alternatives ??= { name, values: found };
}

function readTime(properties: readonly { name: string; schema: Schema }[], reading: Reading): void {
  const span = timeSpanIn(reading.question, reading.nowMs);
  if (!span) return;
  for (const word of wordsOf(span.said)) reading.taken.add(word);
  const times = properties.filter(({ schema }) => /date|time/.test(`${schema.format} ${schema.description}`));
  const verb = /\b(updated|changed|resolved|closed|planned|scheduled|started)\b/i
    .exec(reading.question)?.[1]
    ?.toLowerCase();
  const find = (edge: RegExp) => {
    const fitting = times.filter(({ name }) => edge.test(name));
    const meant = verb && fitting.find(({ name }) => name.startsWith(verb.slice(0, 4)));
    return meant || (fitting.find(({ name }) => /creat|open/.test(name)) ?? fitting[0]);
  };
  const from = span.fromMs !== undefined && find(/after|since|from|start|min/);
  const until = span.untilMs !== undefined && find(/before|until|to$|end|max/);
  // "After" leaves out the moment itself, so it is the one before the first.
  if (from) reading.filters[from.name] = new Date(span.fromMs! - (/after/.test(from.name) ? 1 : 0)).toISOString();
  if (until) reading.filters[until.name] = new Date(span.untilMs!).toISOString();
}

/** For a search by words: those that nothing else took. For one by meaning: the question. */
function readRest(name: string, schema: Schema, required: boolean, reading: Reading): void {
  const { question, taken, filters } = reading;
  const byMeaning = /question|meaning|semantic|natural/i.test(`${name} ${schema.description ?? ''}`);
  const left = (question.match(/[\p{L}\p{N}][\p{L}\p{N}._@-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []).filter((word) => {
    const stems = wordsOf(word);
    return stems.length > 0 && stems.every((each) => !taken.has(each) && !fillers.has(each));
  });
  const text = byMeaning ? question.trim() : left.join(' ');
  if (text !== '') filters[name] = text;
  else if (required) filters[name] = question.trim();
}

const fillers = new Set(
  'record records ticket tickets item items case cases issue issues entry entries currently right there team group assigned number count total latest newest recent recently created opened since today yesterday week weeks day days month hour hours available related regarding concerning overview status state kind thing top first last'
    .split(' ')
    .map(stem),
);

/** "of the network team": the words before it, back to the last small word. */
function teamIn(question: string, { taken }: Reading): string | undefined {
  const named = /\b(?:team|group) (?:called |named )?["“']([^"”']{2,60})["”']/i.exec(question)?.[1];
  if (named) return named;
  const before = /((?:[\p{L}\p{N}&/-]+ ){1,5})(?:team|group)\b/iu.exec(question)?.[1];
  const words = (before ?? '').trim().split(/\s+/);
  const start = words.findLastIndex((word) => smallWords.test(word) || taken.has(stem(word.toLowerCase())));
  const name = words.slice(start + 1).join(' ');
  return name === '' ? undefined : name.replace(/['’]s$/, '');
}

const smallWords =
  /^(the|of|by|for|from|with|to|in|at|on|our|my|a|an|is|are|does|do|has|have|which|what|assigned|belonging)$/i;

function namedIn(question: string, name: string): string | undefined {
  const word = name.split('_').at(-1)!;
  const quoted = new RegExp(`\\b${word} (?:is |of |= ?|: ?)?["“'\`]?([\\p{L}\\p{N}-]+)["”'\`]?`, 'iu').exec(
    question,
  )?.[1];
  const before = new RegExp(`\\b([\\p{L}\\p{N}-]+) ${word}\\b`, 'iu').exec(question)?.[1];
  return [quoted, before].find((value) => value !== undefined && !smallWords.test(value) && wordsOf(value).length > 0);
}

function take(name: string, value: unknown, { filters, taken }: Reading): void {
  if (value === undefined) return;
  filters[name] = value;
  for (const word of wordsOf(`${String(value)} ${name.replaceAll('_', ' ')}`)) taken.add(word);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
