// Plans questions about one record: by its id, by a pronoun, or by its place in the last answer.
import { isExpressed } from './coverage.ts';
import { findFieldWords } from './field-words.ts';
import { cannotAnswer, describeUnknown, maxWords, type Plan, type Planner, type Talk, toReply } from './plan.ts';
import { planCalls } from './plan-calls.ts';
import { readSpans } from './read-filters.ts';
import type { Span, TaggedQuestion } from './tag-question.ts';
import { recordId, tagWithIds } from './tag-records.ts';

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];
const record = '(?:one|ticket|incident|change|request|article|problem)';
export const ordinal = new RegExp(`\\bthe (?:${ordinals.join('|')}|last)(?: ${record}\\b|[?.! ]*$)`, 'i');
const maxRecords = 4;

export async function planRecord(
  question: string,
  { spans, unknown }: TaggedQuestion,
  named: readonly string[],
  { earlier, lastAnswer }: Talk,
  planner: Planner,
): Promise<Plan> {
  const last = listRecordIds(lastAnswer);
  const [, word = ''] = new RegExp(`\\b(${ordinals.join('|')}|last)\\b`, 'i').exec(question) ?? [];
  const place = word === 'last' ? last.length - 1 : Math.max(0, ordinals.indexOf(word.toLowerCase()));
  const ids = named.length > 0 ? named : last.slice(place, place + 1);
  if (ids.length === 0 && spans.length === 0 && !ordinal.test(question)) return toReply(cannotAnswer);
  if (ids.length === 0 && last.length > 0) return toReply(`The last answer has only ${last.length} records.`);
  if (ids.length === 0)
    return toReply('I do not know which record you mean. Name its id, such as INC7Q2M4KX, or ask for a list first.');
  const reading = readRecord(question, spans, planner);
  if (reading.fields.length === 0) reading.fields = await continueField(question, earlier.at(-1), planner);
  const include = ['notes', 'history'].filter((part) => reading.fields.includes(part));
  const calls = ids
    .slice(0, maxRecords)
    .map((id) => ({ name: 'get_record', input: { id, ...(include.length > 0 && { include }) } }));
  const known = findFieldWords(question, reading.fields);
  const unsupported = spans.filter(({ label }) => label === 'unsupported').map(({ text }) => text);
  const isRead = (each: string) =>
    known.includes(each) || ordinals.includes(each.toLowerCase()) || isExpressed(each, 'record', reading);
  const missed = [...unsupported, ...unknown].filter((words) => !words.split(' ').some(isRead));
  const isUnclear = reading.fields.length === 0 && missed.length === 0 && interrogative.test(question);
  const isFirst = named.length === 0 && word === '' && last.length > 1;
  const remarks = [
    ...(isUnclear ? ['I do not know which field you mean; this is the record.'] : describeUnknown(missed)),
    ...(isFirst ? [`The last answer has ${last.length} records; this is the first one.`] : []),
  ];
  return { calls, remarks, reading };
}

/** The records that an answer lists; their items are not among them. */
export function listRecordIds(answer: string): string[] {
  return [...new Set([...answer.matchAll(/\*\*(\w+)\*\*/g)].flatMap(([, id = '']) => id.match(recordId) ?? []))];
}

/** One record has no groups: "who requested the first one?" asks for a field. */
export const readRecord = (question: string, spans: readonly Span[], { nowMs }: Planner) =>
  readSpans(
    question,
    spans.map((span) => ({ ...span, label: span.label.replace(/^by=/, 'field=') })),
    'record',
    nowMs,
  );

const interrogative = /\b(?:who|whose|whom|when|where|why|how|which|did|does|is|was|has|have|are)\b/i;

/** "And when?" after "who reported it?". */
async function continueField(question: string, previous: string | undefined, planner: Planner): Promise<string[]> {
  const field = /\bwhen\b/i.test(question) ? 1 : /\bwho(?:m)?\b/i.test(question) ? 0 : undefined;
  if (field === undefined || previous === undefined || question.split(' ').length > maxWords) return [];
  const { spans } = await tagWithIds(previous, planner);
  const before = readRecord(previous, spans, planner).fields;
  return personAndTime.filter((pair) => pair.some((name) => before.includes(name))).map((pair) => pair[field]);
}

const personAndTime: readonly (readonly [person: string, time: string])[] = [
  ['opened_by', 'created_at'],
  ['requested_by', 'created_at'],
  ['resolved_by', 'resolved_at'],
  ['decision', 'decision'],
  ['acknowledged', 'acknowledged'],
];

/** A field that the model does not know, of an item with a number: "IP of core-switch-2". */
export function planItem(question: string, name: string, { nowMs }: Planner): Plan {
  const reading = readSpans(question, [], 'items', nowMs);
  reading.filters.name = [name.toLowerCase()];
  return { calls: planCalls('configuration_items', reading, question, nowMs), remarks: [], reading };
}

/** "Open incidents of CI0000042" asks for incidents. */
export function isAboutRecord(ids: readonly string[], { spans }: TaggedQuestion): boolean {
  return ids.some((id) => !id.startsWith('CI')) || spans.every(({ label }) => label === 'id');
}
