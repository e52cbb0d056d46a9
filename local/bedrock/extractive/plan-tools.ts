// Decides which tools answer a question, by rules: an id in the question wants the tool that takes ids of that form, "how
// many" one that counts, and otherwise the tool whose name and description share words with the question. It knows no
// tool by name; all it reads is their descriptions and schemas.
import type { ToolSpec } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { filtersFor } from './tool-filters.ts';
import { plainWords, stem, wordsOf } from './words.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

const mostCalls = 4;

export function planTools(
  question: string,
  tools: readonly ToolSpec[],
  nowMs: number,
  earlier: readonly string[],
): ToolCall[] {
  const ids = idsIn(question);
  const meant = ids.length > 0 ? ids : pointsBack(question) ? idsIn(earlier.join('\n')).slice(-1) : [];
  const single = meant.flatMap((id) => callById(id, tools));
  if (single.length > 0) return single.slice(0, mostCalls);
  const chosen = toolsAbout(question, tools);
  return chosen
    .flatMap((tool) => callsOf(tool, chosen.length > 1 ? clauseOf(question, tool) : question, nowMs))
    .slice(0, mostCalls);
}

/** The same search in other words, when a name that was asked for exactly does not exist. */
export function relaxed({ name, input }: ToolCall, tools: readonly ToolSpec[]): ToolCall | undefined {
  const tool = tools.find((each) => each.name === name);
  const textName = Object.keys(tool?.schema.properties ?? {}).find((each) =>
    /^(q|query|text|words|search)$/.test(each),
  );
  const exact = Object.keys(input).find(
    (each) => /group|team|category|class|location/.test(each) && isFree(tool!, each),
  );
  if (!textName || !exact) return undefined;
  const { [exact]: value, ...rest } = input;
  return { name, input: { ...rest, [textName]: [rest[textName], value].filter(Boolean).join(' ') } };
}

export function idsIn(text: string): string[] {
  return [...new Set(text.match(/\b[A-Z]{2,5}(?:\d{3,}|(?=[0-9A-Z]{7}\b)[0-9A-Z]{7})\b/g) ?? [])];
}

/** What a tool is about: its name without the verb. */
export function nounOf(name: string): string {
  return name.replace(/^(search|list|find|get|read|show|count|fetch|look_up|lookup|query)_/, '').replaceAll('_', ' ');
}

function pointsBack(question: string): boolean {
  return /\b(it|its|this one|that one|this|that|them|they|the same)\b/i.test(question);
}

function callById(id: string, tools: readonly ToolSpec[]): ToolCall[] {
  const taking = tools.flatMap((tool) => {
    const [name, ...others] = tool.schema.required ?? [];
    if (name === undefined || others.length > 0 || !/(^|_)id$|number/.test(name)) return [];
    const { schema } = withoutNull(tool.schema.properties![name]!);
    return [{ tool, name, schema }];
  });
  const prefix = /^[A-Z]+?(?=\d|[0-9A-Z]{7}$)/.exec(id)![0];
  const best =
    taking.find(({ schema }) => schema.pattern !== undefined && new RegExp(schema.pattern).test(id)) ??
    taking.find(
      ({ tool, schema }) =>
        schema.pattern === undefined && `${tool.description} ${schema.description}`.includes(prefix),
    ) ??
    taking.find(({ schema }) => schema.pattern === undefined);
  return best ? [{ name: best.tool.name, input: { [best.name]: id } }] : [];
}

function toolsAbout(question: string, tools: readonly ToolSpec[]): ToolSpec[] {
  const counting = /\bhow many\b|\bnumber of\b|\bcount\b/i.test(question);
  const open = tools.filter(({ schema }) => (schema.required ?? []).every((name) => !/(^|_)id$/.test(name)));
  const counters = open.filter(({ name }) => /count|total|statistic/.test(name));
  const candidates = counting && counters.length > 0 ? counters : open.filter((tool) => !counters.includes(tool));
  const words = new Set(plainWords(question).map(stem));
  const named = candidates
    .map((tool) => ({ tool, score: namedScore(tool, words) }))
    .sort((one, other) => other.score - one.score);
  const about = named.filter(({ score }) => score >= 2).map(({ tool }) => tool);
  if (about.length > 0) return / and |, /.test(question) ? about.slice(0, 2) : about.slice(0, 1);
  if (/^\s*(how|why|what|can|where|who)\b/i.test(question)) {
    const reading = candidates.find(({ name, description }) =>
      /article|knowledge|document|guide/i.test(`${name} ${description}`),
    );
    if (reading) return [reading];
  }
  return named.slice(0, 1).map(({ tool }) => tool);
}

/** Words of its name count as much as it takes to be chosen, words of its description a little. */
function namedScore({ name, description }: ToolSpec, words: ReadonlySet<string>): number {
  const own = wordsOf(nounOf(name)).filter((word) => words.has(word)).length;
  const described = [...new Set(wordsOf(description))].filter((word) => words.has(word)).length;
  return 2 * own + 0.3 * described;
}

/** Where one question asks for two things, each tool gets its own part. */
function clauseOf(question: string, { name }: ToolSpec): string {
  const own = new Set(wordsOf(nounOf(name)));
  return question.split(/\band\b|,/i).find((part) => wordsOf(part).some((word) => own.has(word))) ?? question;
}

function callsOf({ name, description, schema }: ToolSpec, question: string, nowMs: number): ToolCall[] {
  const about = [...wordsOf(nounOf(name)), ...wordsOf(/^[^.]*/.exec(description)![0])];
  return filtersFor(schema, question, nowMs, about).map((input) => ({ name, input }));
}

function isFree(tool: ToolSpec, name: string): boolean {
  const property = tool.schema.properties?.[name];
  return property !== undefined && withoutNull(property).schema.enum === undefined;
}
