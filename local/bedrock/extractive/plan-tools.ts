// Plans tool calls with a small grammar: a question names a kind of record, people, values of fields, a time, an order and
// what to group by, as phrases of the vocabulary or of the tools' schemas. Each word is used once. What the vocabulary does
// not know is searched for in texts, and named in the answer.
import type { ToolSpec } from '../converse.ts';
import { chooseKind, namesKind, toKind } from './choose-kind.ts';
import { describe } from './describe.ts';
import type { Prompt } from './documents.ts';
import { findPhrase, list } from './phrases.ts';
import { type Reading, splitWords } from './question-words.ts';
import { readQuestion } from './read-question.ts';
import { aliases } from './vocabulary.ts';

export interface ToolCall {
  name: string;
  input: Readonly<Record<string, unknown>>;
}

export interface Plan {
  calls: ToolCall[];
  /** What the answer must say about how the question was read. */
  remarks: readonly string[];
  /** Words that are searched for only because nothing else is known about them. */
  unknown: readonly string[];
}

const recordId = /\b(?:INC|CHG|REQ)[0-9A-HJKMNP-TV-Z]{7}\b|\bCI\d{7}\b/gi;

export function planTools(
  question: string,
  tools: readonly ToolSpec[],
  nowMs: number,
  talk: Pick<Prompt, 'earlier' | 'lastAnswer'>,
): Plan {
  const [, rest = question] = instruction.exec(question) ?? [];
  const refusal = rest === question ? [] : ['I can only look up records, not change them.'];
  const asked = dropSmallTalk(rest, tools);
  const ids = [...new Set((asked.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  const pointed =
    ids.length === 0 && /\b(it|this one|that one)\b/i.test(asked) ? talk.lastAnswer.match(recordId)?.slice(0, 1) : ids;
  const getter = tools.find(({ name }) => name.startsWith('get_'));
  const { input } = read(asked, tools, nowMs);
  const isAboutItem = input.ci !== undefined && namesKind(splitWords(asked, ownWords(tools)), tools);
  if (getter && pointed && pointed.length > 0 && !isAboutItem && !input.depends_on && !input.needed_by) {
    const calls = pointed.slice(0, 4).map((id) => ({ name: getter.name, input: { id } }));
    return { calls, remarks: refusal, unknown: [] };
  }
  const { name, input: filters, remarks, unknown } = readInContext(asked, talk.earlier, tools, nowMs);
  return { calls: [{ name, input: filters }], remarks: [...refusal, ...remarks], unknown };
}

/** "Close all my tickets" asks for something that no tool does. */
const instruction =
  /^\s*(?:please )?(?:close|resolve|cancel|reopen|assign|reassign|escalate|approve|reject|delete|update) ((?:all|the|my|our|this|that|every|inc|chg|req|ci\d).*)/is;

/** A follow-up adds its filters to those of the questions before it. */
function readInContext(
  question: string,
  earlier: readonly string[],
  tools: readonly ToolSpec[],
  nowMs: number,
): ReadQuestion {
  const previous = earlier.at(-1);
  const names = namesKind(splitWords(question, ownWords(tools)), tools);
  const plan = read(question, tools, nowMs);
  if (previous === undefined || (names && !continues.test(question)) || toKind(plan.name) === 'knowledge') return plan;
  const before = readInContext(dropSmallTalk(previous, tools), earlier.slice(0, -1), tools, nowMs);
  const kind = toKind(names ? plan.name : before.name);
  const isCount = plan.name.startsWith('count_') || before.name.startsWith('count_');
  const tool = tools.find(({ name }) => name === `${isCount ? 'count' : 'search'}_${kind}`);
  if (!tool) return plan;
  const own = read(question, tools, nowMs, kind);
  const kept = Object.entries(before.input).filter(
    ([key]) => key in (tool.schema.properties ?? {}) && key !== 'limit' && !(key in own.input),
  );
  const carried = Object.fromEntries(kept);
  const remarks = [`Continuing with ${describe(tool.name, carried)}.`, ...own.remarks];
  return { ...own, name: tool.name, input: { ...carried, ...own.input }, remarks };
}

const continues =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but)\b/i;

/** "I just came back, what is new?" asks only the second part. */
function dropSmallTalk(question: string, tools: readonly ToolSpec[]): string {
  const [first = '', ...others] = question.split(/(?<=[,;.!?])\s+/);
  const isTalk = smallTalk.test(first) && asking.test(others[0] ?? '');
  if (!isTalk || namesKind(splitWords(first, ownWords(tools)), tools)) return question;
  const rest = others.join(' ');
  const asksForMore = namesKind(splitWords(rest, ownWords(tools)), tools) || !/\bit\W*$/i.test(rest);
  return asksForMore ? dropSmallTalk(rest, tools) : question;
}

const smallTalk =
  /^(i|we|hi|hey|hello|good|sorry|thanks|(?:my|our|the) (?:boss|manager|colleague|customer|director))\b/i;
const asking =
  /^(what|which|who|how|where|is|are|do|does|did|any|anything|show|list|give|find|tell|can|could|would|will|please|get|so|i need|i want)\b/i;

interface ReadQuestion {
  name: string;
  input: Record<string, unknown>;
  remarks: readonly string[];
  unknown: readonly string[];
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
  'how many, how long be .. queue|backlog, how much, number of, the number, count, how often, total of, total number, in total, tally, how big, amount of, quantity, volume of, headcount, sum of, how large';

function read(question: string, tools: readonly ToolSpec[], nowMs: number, given?: string): ReadQuestion {
  const words = splitWords(question, ownWords(tools));
  const kind = given ?? chooseKind(words, tools);
  if (kind === 'knowledge')
    return { name: 'search_knowledge', input: { text: question.trim() }, remarks: [], unknown: [] };
  const search = tools.find(({ name }) => name === `search_${kind}`) ?? tools[0];
  if (!search) return { name: 'search_incidents', input: {}, remarks: [], unknown: [] };
  const counter = tools.find(({ name }) => name === `count_${kind}`);
  const properties = search.schema.properties ?? {};
  const input: Record<string, unknown> = {};
  const counts = counter && list(countPhrases).some((phrase) => findPhrase(words, phrase));
  const reading: Reading = { kind, words, input, properties, has: (name) => name in properties, nowMs };
  const { by, unknown, ignored } = readQuestion(reading, counter);
  const corrected = words.flatMap(({ correctedFrom, text }) =>
    correctedFrom ? [`I read "${correctedFrom}" as "${text}".`] : [],
  );
  const remarks = [...corrected, ...(ignored.length > 0 ? [`I did not understand "${ignored.join(' ')}".`] : [])];
  if (!counter || (!counts && by === undefined)) return { name: search.name, input, remarks, unknown };
  const { sort: _, order: __, limit: ___, ...filters } = input;
  return { name: counter.name, input: { ...filters, ...(by && { by }) }, remarks, unknown };
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
