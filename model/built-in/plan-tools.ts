// Plans tool calls: the labelled words of a question become filters of the tool for its kind of record. Remarks name the
// conditions that no tool can filter by.
import { createIdFinder } from '../../contract/ids.ts';
import type { ToolSpec } from '../../local/bedrock/converse.ts';
import { describeCall, type Fields, toKind } from './describe-call.ts';
import { completeSpans, readFilters } from './read-filters.ts';
import type { Prompt } from './read-prompt.ts';
import type { TaggedQuestion, TagQuestion } from './tag-question.ts';

export interface ToolCall {
  name: string;
  input: Fields;
}

export interface Plan {
  calls: ToolCall[];
  /** Sentences for the answer about how the question was understood. */
  remarks: readonly string[];
}

export interface Planner {
  tag: TagQuestion;
  tools: readonly ToolSpec[];
  nowMs: number;
}

const maxRecords = 4;
const maxEarlier = 6;
const maxTextCharacters = 1_000;

const recordId = createIdFinder(['incident', 'change', 'request', 'ci'], 'gi');

/** "Close all my tickets" asks for a change, and no tool changes records. */
const instruction =
  /^\s*(?:please )?(?:close|resolve|cancel|reopen|assign|reassign|escalate|approve|reject|delete|update) ((?:all|the|my|our|this|that|every|inc|chg|req|ci\d).*)/is;

const followUp =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but)\b/i;
const recordKind =
  /\b(incidents?|tickets?|tix|cases?|outages?|changes?|rfcs?|maintenance|deployments?|releases?|requests?|orders?|items?|cis?|assets?|servers?|systems?|machines?|articles?|knowledge|runbooks?|guides?)\b/i;

export async function planTools(
  question: string,
  planner: Planner,
  { earlier, lastAnswer }: Pick<Prompt, 'earlier' | 'lastAnswer'>,
): Promise<Plan> {
  const [, lookup = question] = instruction.exec(question) ?? [];
  const notices = lookup === question ? [] : ['I can only look up records, not change them.'];
  const tagged = await planner.tag(lookup);
  const getter = planner.tools.find(({ name }) => name.startsWith('get_'));
  const ids = findRecordIds(lookup, tagged, lastAnswer);
  if (getter && ids.length > 0) {
    const calls = ids.slice(0, maxRecords).map((id) => ({ name: getter.name, input: { id } }));
    return { calls, remarks: notices };
  }
  const { remarks, ...call } = await planInContext(lookup, tagged, earlier.slice(-maxEarlier), planner);
  return { calls: [call], remarks: [...notices, ...remarks] };
}

/** Ids in the question, or the id in the last answer for "it". */
function findRecordIds(question: string, { kind, spans }: TaggedQuestion, lastAnswer: string): readonly string[] {
  const ids = [...new Set((question.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  // "Open incidents of CI0000042" asks for incidents.
  const isFilter = kind !== 'record' || spans.some(({ label }) => label !== 'id');
  if (ids.length > 0) return isFilter && ids.every((id) => id.startsWith('CI')) ? [] : ids;
  // In upper case, IT is the department.
  return /\b(it|[Tt]his one|[Tt]hat one)\b/.test(question) ? (lastAnswer.match(recordId) ?? []).slice(0, 1) : [];
}

type PlannedCall = ToolCall & Pick<Plan, 'remarks'>;

/** A follow-up adds its filters to those of the questions before it. `asKind` reads it for another kind of record. */
async function planInContext(
  question: string,
  tagged: TaggedQuestion,
  earlier: readonly string[],
  planner: Planner,
  asKind?: string,
): Promise<PlannedCall> {
  const call = planCall(question, { ...tagged, kind: asKind ?? tagged.kind }, planner);
  const previous = earlier.at(-1);
  const namesKind = recordKind.test(question);
  const isNew = namesKind && !followUp.test(question);
  if (previous === undefined || isNew || call.name === knowledgeTool) return call;
  const [previousTagged, others] = [await planner.tag(previous), earlier.slice(0, -1)];
  const planPrevious = (kind?: string) => planInContext(previous, previousTagged, others, planner, kind);
  const last = await planPrevious(asKind);
  // A question for an article has no filters to keep.
  if (last.name === knowledgeTool) return planInContext(question, tagged, others, planner, asKind);
  const kind = asKind ?? (namesKind ? toToolKind(tagged.kind) : toKind(last.name));
  // "And changes?" after open incidents means open changes, which have other states.
  const before = kind === toKind(last.name) ? last : await planPrevious(kind);
  const own = planCall(question, { ...tagged, kind }, planner);
  const verb = [own, before].some(({ name }) => name.startsWith('count_')) ? 'count' : 'search';
  const tool = planner.tools.find(({ name }) => name === `${verb}_${toKind(own.name)}`);
  if (!tool) return call;
  const { limit: _, ...inherited } = pickSupported(before.input, tool);
  const kept = Object.fromEntries(Object.entries(inherited).filter(([name]) => !(name in own.input)));
  const remarks = [`Continuing with ${describeCall(tool.name, kept)}.`, ...own.remarks];
  return { name: tool.name, input: pickSupported({ ...kept, ...own.input }, tool), remarks };
}

const knowledgeTool = 'search_knowledge';
const toolKinds: Readonly<Record<string, string>> = { items: 'configuration_items', record: 'incidents' };

function toToolKind(kind: string): string {
  return toolKinds[kind] ?? kind;
}

function planCall(question: string, tagged: TaggedQuestion, { tools, nowMs }: Planner): PlannedCall {
  const find = (verb: string) => tools.find(({ name }) => name === `${verb}_${toToolKind(tagged.kind)}`);
  const search = find('search');
  // Without a filter or a kind of record, a list of all incidents is no answer. An article may be one.
  const isAboutRecords = tagged.spans.length > 0 || recordKind.test(question);
  if (!search || search.name === knowledgeTool || !isAboutRecords) {
    const text = question.trim().slice(0, maxTextCharacters) || '?';
    // No article answers a greeting.
    const isQuestion = tagged.kind === 'knowledge';
    return { name: knowledgeTool, input: isQuestion ? { text } : { text, min_confidence: 0.5 }, remarks: [] };
  }
  const spans = completeSpans(question, tagged.spans);
  const { input, unsupported } = readFilters({ ...tagged, spans }, search.schema, nowMs);
  const remarks = unsupported.length > 0 ? [`I did not understand "${unsupported.join('", "')}".`] : [];
  const isCount = input.by !== undefined || tagged.spans.some(({ label }) => label === 'count');
  const tool = (isCount && find('count')) || search;
  return { name: tool.name, input: pickSupported(input, tool), remarks };
}

function pickSupported(input: Fields, { schema }: ToolSpec): Fields {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name in (schema.properties ?? {})));
}

/** Drops a text filter that matched no record, with a remark that says so. */
export function relaxCall({ name, input }: ToolCall): { call: ToolCall; remark: string } | undefined {
  if (name === knowledgeTool || typeof input.text !== 'string') return undefined;
  const { text, ...rest } = input;
  const isFiltered = Object.keys(rest).some((key) => !/^(sort|order|limit|by)$/.test(key));
  const shown = `${isFiltered ? '' : 'all '}${describeCall(name, rest)}`;
  return { call: { name, input: rest }, remark: `No ${describeCall(name, {})} mention "${text}"; showing ${shown}.` };
}
