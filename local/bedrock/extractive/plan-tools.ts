// Plans tool calls: the labelled words of a question become filters of the tool for its kind of record. The answer names
// conditions that no tool can filter by.
import type { ToolSpec } from '../converse.ts';
import { describe, toKind } from './describe.ts';
import type { Prompt } from './documents.ts';
import { readFilters } from './read-filters.ts';
import type { TaggedQuestion, TagQuestion } from './tag-question.ts';

export interface ToolCall {
  name: string;
  input: Readonly<Record<string, unknown>>;
}

export interface Plan {
  calls: ToolCall[];
  /** What the answer must say about how the question was read. */
  remarks: readonly string[];
}

const recordId = /\b(?:INC|CHG|REQ)[0-9A-HJKMNP-TV-Z]{7}\b|\bCI\d{7}\b/gi;

const maxRecords = 4;

export interface Planner {
  tag: TagQuestion;
  tools: readonly ToolSpec[];
  nowMs: number;
}

export async function planTools(
  question: string,
  planner: Planner,
  talk: Pick<Prompt, 'earlier' | 'lastAnswer'>,
): Promise<Plan> {
  const [, rest = question] = instruction.exec(question) ?? [];
  const refusal = rest === question ? [] : ['I can only look up records, not change them.'];
  const tagged = await planner.tag(rest);
  const getter = planner.tools.find(({ name }) => name.startsWith('get_'));
  const ids = findRecords(rest, tagged, talk.lastAnswer);
  if (getter && ids.length > 0) {
    const calls = ids.slice(0, maxRecords).map((id) => ({ name: getter.name, input: { id } }));
    return { calls, remarks: refusal };
  }
  const { remarks, ...call } = await readInContext(rest, tagged, talk.earlier, planner);
  return { calls: [call], remarks: [...refusal, ...remarks] };
}

/** "Close all my tickets" asks for something that no tool does. */
const instruction =
  /^\s*(?:please )?(?:close|resolve|cancel|reopen|assign|reassign|escalate|approve|reject|delete|update) ((?:all|the|my|our|this|that|every|inc|chg|req|ci\d).*)/is;

/** Records that are asked for by their id, or by "it" after an answer about one. */
function findRecords(question: string, { kind, spans }: TaggedQuestion, lastAnswer: string): readonly string[] {
  const ids = [...new Set((question.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  // "Open incidents of CI0000042" asks for incidents.
  const isFilter = kind !== 'record' || spans.some(({ label }) => label !== 'id');
  if (ids.length > 0) return isFilter && ids.every((id) => id.startsWith('CI')) ? [] : ids;
  // Upper case is the department.
  return /\b(it|[Tt]his one|[Tt]hat one)\b/.test(question) ? (lastAnswer.match(recordId) ?? []).slice(0, 1) : [];
}

interface ReadQuestion extends ToolCall {
  remarks: readonly string[];
}

const maxEarlier = 6;

/** A follow-up adds its filters to those of the questions before it. `asKind` reads it as about another kind of record. */
async function readInContext(
  question: string,
  tagged: TaggedQuestion,
  earlier: readonly string[],
  planner: Planner,
  asKind?: string,
): Promise<ReadQuestion> {
  const plan = read(question, { ...tagged, kind: asKind ?? tagged.kind }, planner);
  const previous = earlier.slice(-maxEarlier).at(-1);
  const isNew = namesKind.test(question) && !continues.test(question);
  if (previous === undefined || isNew || plan.name === 'search_knowledge') return plan;
  const [past, others] = [await planner.tag(previous), earlier.slice(-maxEarlier, -1)];
  const last = await readInContext(previous, past, others, planner, asKind);
  // A question for an article is no context for filters.
  if (last.name === 'search_knowledge') return readInContext(question, tagged, others, planner, asKind);
  const kind = asKind ?? (namesKind.test(question) ? tagged.kind : fromTool(last.name));
  // "And changes?" after open incidents means open changes, which have other states.
  const isSameKind = kind === fromTool(last.name);
  const before = isSameKind ? last : await readInContext(previous, past, others, planner, kind);
  const own = read(question, { ...tagged, kind }, planner);
  const isCount = own.name.startsWith('count_') || before.name.startsWith('count_');
  const tool = planner.tools.find(({ name }) => name === `${isCount ? 'count' : 'search'}_${toKind(own.name)}`);
  if (!tool) return plan;
  const kept = Object.entries(before.input).filter(
    ([key]) => key in (tool.schema.properties ?? {}) && key !== 'limit' && !(key in own.input),
  );
  const carried = Object.fromEntries(kept);
  const remarks = [`Continuing with ${describe(tool.name, carried)}.`, ...own.remarks];
  return { name: tool.name, input: { ...carried, ...own.input }, remarks };
}

const continues =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but)\b/i;
const namesKind =
  /\b(incidents?|tickets?|tix|cases?|outages?|changes?|rfcs?|maintenance|deployments?|releases?|requests?|orders?|items?|cis?|assets?|servers?|systems?|machines?|articles?|knowledge|runbooks?|guides?)\b/i;

const toolKinds: Readonly<Record<string, string>> = { items: 'configuration_items', record: 'incidents' };

function fromTool(name: string): string {
  return toKind(name) === 'configuration_items' ? 'items' : toKind(name);
}

function read(question: string, tagged: TaggedQuestion, { tools, nowMs }: Planner): ReadQuestion {
  const kind = toolKinds[tagged.kind] ?? tagged.kind;
  const find = (verb: string) => tools.find(({ name }) => name === `${verb}_${kind}`);
  const search = find('search');
  // Without any filter or kind of record, a list of all incidents would be no answer; an article may be.
  const isAboutRecords = tagged.spans.length > 0 || namesKind.test(question);
  if (!search || kind === 'knowledge' || !isAboutRecords)
    return { name: 'search_knowledge', input: { text: question.trim() || '?' }, remarks: [] };
  const { input, unsupported } = readFilters(tagged, search.schema, nowMs);
  const { by, ...filters } = input;
  const remarks = unsupported.length > 0 ? [`I did not understand "${unsupported.join('", "')}".`] : [];
  const counter = find('count');
  const isCount = by !== undefined || tagged.spans.some(({ label }) => label === 'count');
  if (!counter || !isCount) return { name: search.name, input: filters, remarks };
  const { sort: _, order: __, limit: ___, ...counted } = filters;
  return { name: counter.name, input: { ...counted, ...(by !== undefined && { by }) }, remarks };
}

/** The call without a text search that found nothing, and a remark that says so. */
export function withoutWords({ name, input }: ToolCall): { call: ToolCall; remark: string } | undefined {
  if (name === 'search_knowledge' || typeof input.text !== 'string') return undefined;
  const { text, ...rest } = input;
  const shown = Object.keys(rest).some((key) => !/^(sort|order|limit|by)$/.test(key)) ? '' : 'all ';
  const remark = `No ${describe(name, {})} mention "${text}"; showing ${shown}${describe(name, rest)}.`;
  return { call: { name, input: rest }, remark };
}
