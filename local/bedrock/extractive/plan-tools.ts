// Plans tool calls with a small grammar: a question names a kind of record, people, values of fields, a time, an order and
// what to group by, as phrases of the vocabulary or of the tools' schemas. Each word is used once. What the vocabulary does
// not know is searched for in texts, and named in the answer.
import type { ToolSpec } from '../converse.ts';
import { chooseKind, namesKind, toKind } from './choose-kind.ts';
import { describe } from './describe.ts';
import { findPhrase, list } from './phrases.ts';
import { type Reading, splitWords } from './question-words.ts';
import { readQuestion } from './read-question.ts';
import { aliases } from './vocabulary.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface Plan {
  calls: ToolCall[];
  /** What the answer must say about how the question was read. */
  remarks: readonly string[];
  /** Words that are searched for only because nothing else is known about them. */
  unknown: readonly string[];
}

export interface Conversation {
  /** Earlier questions, oldest first. */
  questions: readonly string[];
  /** The latest answer, empty without one. */
  lastAnswer: string;
}

const recordId = /\b(?:INC|CHG|REQ)[0-9A-HJKMNP-TV-Z]{7}\b|\bCI\d{7}\b/gi;

export function planTools(question: string, tools: readonly ToolSpec[], nowMs: number, talk: Conversation): Plan {
  const previous = talk.questions.at(-1);
  const words = splitWords(question, ownWords(tools));
  const isFollowUp = previous !== undefined && (continues.test(question) || !namesKind(words, tools));
  const ids = [...new Set((question.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  const pointed =
    ids.length === 0 && /\b(it|this one|that one)\b/i.test(question)
      ? talk.lastAnswer.match(recordId)?.slice(0, 1)
      : ids;
  const getter = tools.find(({ name }) => name.startsWith('get_'));
  const plan = read(question, tools, nowMs);
  const isAboutItem = plan.input.ci !== undefined && namesKind(words, tools);
  const asksForRecord = !isAboutItem && !plan.input.depends_on && !plan.input.needed_by;
  if (getter && pointed && pointed.length > 0 && asksForRecord) {
    return { calls: pointed.slice(0, 4).map((id) => ({ name: getter.name, input: { id } })), remarks: [], unknown: [] };
  }
  if (!isFollowUp) return toPlan(plan, []);
  const before = read(previous, tools, nowMs);
  const isCount =
    plan.name.startsWith('count_') || (before.name.startsWith('count_') && !plan.name.startsWith('search_knowledge'));
  const kind = namesKind(words, tools) ? toKind(plan.name) : toKind(before.name);
  const name = `${isCount ? 'count' : 'search'}_${kind}`;
  const tool = tools.find((each) => each.name === name);
  if (!tool || toKind(plan.name) === 'knowledge') return toPlan(plan, []);
  const own = read(question, tools, nowMs, kind);
  const kept = Object.fromEntries(
    Object.entries(before.input).filter(([key]) => key in (tool.schema.properties ?? {}) && key !== 'limit'),
  );
  const input = { ...kept, ...own.input };
  const carried = Object.fromEntries(Object.entries(kept).filter(([key]) => !(key in own.input)));
  return toPlan({ ...own, name, input }, [`Continuing with ${describe(name, carried)}.`]);
}

const continues =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but)\b/i;

interface Reread {
  name: string;
  input: Record<string, unknown>;
  corrected: readonly string[];
  unknown: readonly string[];
}

function toPlan({ name, input, corrected, unknown }: Reread, remarks: readonly string[]): Plan {
  return { calls: [{ name, input }], remarks: [...remarks, ...corrected], unknown };
}

/** What was not found in texts is left out, and said. */
export function withoutWords(
  { name, input }: ToolCall,
  unknown: readonly string[],
): { call: ToolCall; remark: string } | undefined {
  if (name === 'search_knowledge' || typeof input.text !== 'string') return undefined;
  const { text, ...rest } = input;
  const isUnknown = text.split(' ').every((word) => unknown.includes(word));
  const reason = isUnknown ? `I did not understand "${text}"` : `No ${describe(name, {})} mention "${text}"`;
  const shown = Object.keys(rest).some((key) => !/^(sort|order|limit|by)$/.test(key)) ? '' : 'all ';
  return { call: { name, input: rest }, remark: `${reason}; showing ${shown}${describe(name, rest)}.` };
}

const countPhrases =
  'how many, how much, number of, the number, count, how often, total of, total number, in total, tally, how big, amount of, quantity, volume of, headcount, sum of, how large';

function read(question: string, tools: readonly ToolSpec[], nowMs: number, given?: string): Reread {
  const words = splitWords(question, ownWords(tools));
  const kind = given ?? chooseKind(words, tools);
  if (kind === 'knowledge')
    return { name: 'search_knowledge', input: { text: question.trim() }, corrected: [], unknown: [] };
  const search = tools.find(({ name }) => name === `search_${kind}`) ?? tools[0];
  if (!search) return { name: 'search_incidents', input: {}, corrected: [], unknown: [] };
  const counter = tools.find(({ name }) => name === `count_${kind}`);
  const properties = search.schema.properties ?? {};
  const input: Record<string, unknown> = {};
  const counts = counter && list(countPhrases).some((phrase) => findPhrase(words, phrase));
  const reading: Reading = { kind, words, input, properties, has: (name) => name in properties, nowMs };
  const { by, unknown } = readQuestion(reading, counter);
  const corrected = words.flatMap(({ correctedFrom, text }) =>
    correctedFrom ? [`I read "${correctedFrom}" as "${text}".`] : [],
  );
  if (!counter || (!counts && by === undefined)) return { name: search.name, input, corrected, unknown };
  const { sort: _, order: __, limit: ___, ...filters } = input;
  return { name: counter.name, input: { ...filters, ...(by && { by }) }, corrected, unknown };
}

/** The words of names in the data, so that they count as known. */
function ownWords(tools: readonly ToolSpec[]): ReadonlySet<string> {
  const own = new Set<string>();
  for (const { schema } of tools) {
    for (const [name, { examples = [] }] of Object.entries(schema.properties ?? {})) {
      if (/^(assigned_to|requested_by|requested_for|owner|name)$/.test(name)) continue;
      for (const value of examples) {
        const plain = String(value).toLowerCase();
        for (const word of `${plain} ${aliases[plain] ?? ''}`.match(/[\p{L}\p{N}]+/gu) ?? []) own.add(word);
      }
    }
  }
  return own;
}
