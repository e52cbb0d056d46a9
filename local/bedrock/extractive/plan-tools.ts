// Plans tool calls with a small grammar: a question names a kind of record, values of fields, a time, an order and what to
// group by, each as a phrase of the vocabulary or of the tools' schemas. The longest phrase wins, and every word is used
// once. Words that are left over are searched for in texts, and named in the answer.
import type { ToolSpec } from '../converse.ts';
import { applies, apply, phrasesFor, widen } from './field-values.ts';
import { findRun, hasPhrase, listWords, splitWords, take, takeRun, type Word } from './question-words.ts';
import {
  asksForDependencies,
  readGrouping,
  readItem,
  readLimit,
  readNames,
  readText,
  readTime,
  readUnknownTeam,
} from './read-question.ts';
import { fillers, kinds } from './vocabulary.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface Plan {
  calls: ToolCall[];
  /** What the answer must say about how the question was read. */
  remarks: readonly string[];
}

export interface Conversation {
  /** Earlier questions, oldest first. */
  questions: readonly string[];
  /** The latest answer, empty without one. */
  lastAnswer: string;
}

const recordId = /\b(?:INC|CHG|REQ)[0-9A-HJKMNP-TV-Z]{7}\b|\bCI\d{7}\b/gi;
const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

export function planTools(question: string, tools: readonly ToolSpec[], nowMs: number, talk: Conversation): Plan {
  const previous = talk.questions.at(-1);
  const isFollowUp = previous !== undefined && (continues.test(question) || !namesKind(question, tools));
  const ids = [...new Set((question.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  const pointed =
    ids.length === 0 && /\b(it|this one|that one)\b/i.test(question)
      ? talk.lastAnswer.match(recordId)?.slice(0, 1)
      : ids;
  const getter = tools.find(({ name }) => name.startsWith('get_'));
  const plan = read(question, tools, nowMs);
  const isAboutItem = plan.input.ci !== undefined && namesKind(question, tools);
  const asksForRecord = !isAboutItem && !plan.input.depends_on && !plan.input.needed_by;
  if (getter && pointed && pointed.length > 0 && asksForRecord) {
    return { calls: pointed.slice(0, 4).map((id) => ({ name: getter.name, input: { id } })), remarks: [] };
  }
  if (!isFollowUp) return toPlan(plan, []);
  const before = read(previous, tools, nowMs);
  const isCount =
    plan.name.startsWith('count_') || (before.name.startsWith('count_') && !plan.name.startsWith('search_knowledge'));
  const kind = namesKind(question, tools) ? kindOf(plan.name) : kindOf(before.name);
  const name = `${isCount ? 'count' : 'search'}_${kind}`;
  const tool = tools.find((each) => each.name === name);
  if (!tool || (kindOf(plan.name) === 'knowledge' && asksHow.test(question))) return toPlan(plan, []);
  const own = read(question, tools, nowMs, tool);
  const kept = Object.fromEntries(
    Object.entries(before.input).filter(([key]) => key in (tool.schema.properties ?? {}) && key !== 'limit'),
  );
  const input = { ...kept, ...own.input };
  const carried = Object.keys(kept).filter((key) => !(key in own.input));
  const about =
    carried.length > 0 ? ` with ${describeFilters(Object.fromEntries(carried.map((key) => [key, kept[key]])))}` : '';
  return toPlan({ ...own, name, input }, [`Continuing with ${kind.replaceAll('_', ' ')}${about}.`]);
}

const continues =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but)\b/i;
const asksHow =
  /^\s*(how (do|can|to|does|should|would|long|often)\b|why\b|what (does|do|is|are) .{0,80}\b(mean|for)\b|what (do|should|can|must) (i|we|you) do (when|if|about|with|after)\b|what to do\b|what happens (if|when)\b|where (do|can|is)\b|(can|may|could) (i|we)\b|am i allowed\b|is it (ok|okay|allowed|possible)\b|explain\b|steps (to|for)\b|instructions?\b|help (me )?with\b)/i;

function toPlan({ name, input, leftOver }: Reading, remarks: readonly string[]): Plan {
  const said =
    leftOver.length > 0 ? [`Words that I looked for in texts: ${leftOver.map((word) => `"${word}"`).join(', ')}.`] : [];
  return { calls: [{ name, input }], remarks: [...remarks, ...said] };
}

/** What was not found in texts is left out, and said. */
export function withoutWords({ name, input }: ToolCall): { call: ToolCall; remark: string } | undefined {
  if (name === 'search_knowledge' || typeof input.text !== 'string') return undefined;
  const { text, ...rest } = input;
  const kind = kindOf(name).replaceAll('_', ' ');
  const filters = describeFilters(rest);
  const shown = filters === '' ? `all ${kind}` : `${kind} with ${filters}`;
  return { call: { name, input: rest }, remark: `I did not understand "${text}"; showing ${shown}.` };
}

export function kindOf(name: string): string {
  return name.replace(/^[a-z]+_/, '');
}

export function describeFilters(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .filter(([name]) => !/^(limit|sort|order|by)$/.test(name))
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')} ${value === null ? 'none' : [value].flat().join(' or ').replaceAll('_', ' ')}`,
    )
    .join(', ');
}

interface Reading {
  name: string;
  input: Record<string, unknown>;
  leftOver: readonly string[];
}

/** More words than this are a story; longer ones are no words. */
const maxLeftOver = 6;
const maxWordLength = 30;

function read(question: string, tools: readonly ToolSpec[], nowMs: number, given?: ToolSpec): Reading {
  const words = splitWords(question);
  for (const verb of ['show', 'give', 'tell', 'get', 'let']) take(words, [verb, 'me']);
  const input: Record<string, unknown> = {};
  const kind = given ? kindOf(given.name) : chooseKind(question, words, tools);
  if (kind === 'knowledge') return { name: 'search_knowledge', input: { text: question.trim() }, leftOver: [] };
  const search = given ?? tools.find(({ name }) => name === `search_${kind}`) ?? tools[0];
  if (!search) return { name: 'search_incidents', input: {}, leftOver: [] };
  const counter = tools.find(({ name }) => name === `count_${kind}`);
  const has = (name: string) =>
    name in (search.schema.properties ?? {}) || (counter !== undefined && name in (counter.schema.properties ?? {}));
  const properties = search.schema.properties ?? {};
  readTime(question, words, input, has, nowMs, kind);
  readLimit(question, words, input);
  readText(words, input, has);
  readNames(words, input, has);
  for (const found of question.match(email) ?? []) {
    const field = ['assigned_to', 'requested_for', 'requested_by', 'owner'].find(
      (name) => has(name) && !(name in input),
    );
    if (field && take(words, listWords(found))) input[field] = found;
  }
  readItem(question, words, input, has, kind);
  const by = readGrouping(words, counter);
  for (const [meaning, phrase] of phrasesFor(properties)) {
    if (!applies(meaning, input, has, properties)) continue;
    const run = takeRun(words, phrase.split(' '));
    if (!run) continue;
    const meant = widen(meaning, words, run, properties);
    apply(meant, input, properties, has, nowMs);
  }
  readUnknownTeam(words, input, has);
  for (const name of kinds[kind] ?? []) take(words, name.split(' '));
  const isContent = ({ text, isFree }: Word) =>
    isFree && !fillers.has(text) && text.length > 1 && text.length <= maxWordLength;
  const leftOver = [...new Set(words.filter(isContent).map(({ text }) => text))].slice(0, maxLeftOver);
  if (leftOver.length > 0 && has('text')) input.text = [input.text, ...leftOver].filter(Boolean).join(' ');
  const counts =
    by !== undefined ||
    (counter !== undefined &&
      /\bhow (?:many|much)\b|\bnumber of\b|\bcount\b|\bhow often\b|\btotal of\b/i.test(question));
  if (!counts || !counter) return { name: search.name, input, leftOver };
  const { sort: _, order: __, limit: ___, ...filters } = input;
  return { name: counter.name, input: { ...filters, ...(by && { by }) }, leftOver };
}

function namesKind(question: string, tools: readonly ToolSpec[]): boolean {
  const words = splitWords(question);
  return Object.entries(kinds).some(
    ([kind, names]) => tools.some(({ name }) => kindOf(name) === kind) && names.some((name) => hasPhrase(words, name)),
  );
}

/** The kind that the question names; otherwise the one whose words it uses. */
function chooseKind(question: string, words: readonly Word[], tools: readonly ToolSpec[]): string {
  const known = (kind: string) => tools.some(({ name }) => kindOf(name) === kind);
  if (known('configuration_items') && asksForDependencies(question)) return 'configuration_items';
  if (known('knowledge') && asksHow.test(question)) return 'knowledge';
  const named = Object.entries(kinds)
    .filter(([kind]) => known(kind))
    .flatMap(([kind, names]) =>
      names
        .filter((name) => hasPhrase(words, name))
        .map((name) => ({ kind, place: findRun(words, name.split(' '))?.from ?? 0, length: name.length })),
    )
    .sort((a, b) => a.place - b.place || b.length - a.length);
  const [first] = named;
  if (first) return first.kind;
  if (/\bapprov/i.test(question) && known('changes')) return 'changes';
  if (known('configuration_items') && namesClass(words, tools)) return 'configuration_items';
  return known('incidents') ? 'incidents' : kindOf(tools[0]?.name ?? 'search_incidents');
}

/** "staging databases": a class of items that records really have. */
function namesClass(words: readonly Word[], tools: readonly ToolSpec[]): boolean {
  const property = tools.find(({ name }) => name === 'search_configuration_items')?.schema.properties?.class;
  return (property?.examples ?? []).some((value) => hasPhrase(words, String(value).toLowerCase()));
}
