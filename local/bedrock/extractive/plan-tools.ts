// Decides by rules what to ask which tool: an id in the question wants the tool that takes ids of that form, "how many" one
// that counts, and otherwise the tool that the question is about, with the filters that the question names.
import type { ToolSpec } from '../converse.ts';
import { clauseOf, namedIn, namesOf, nounOf, toolsAbout } from './choose-tools.ts';
import { withoutNull } from './fill-schema.ts';
import { filtersFor } from './tool-filters.ts';
import { stem, wordsOf } from './words.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface Plan {
  calls: ToolCall[];
  /** What the question asks for and no call can answer, as sentences. */
  remarks: readonly string[];
}

const mostCalls = 4;

export function planTools(
  question: string,
  tools: readonly ToolSpec[],
  nowMs: number,
  earlier: readonly string[],
): Plan {
  const ids = idsIn(question, tools);
  const meant = ids.length > 0 ? ids : pointsBack(question) ? idsIn(earlier.join('\n'), tools).slice(-1) : [];
  const single = meant.flatMap((id) => callById(id, tools, question));
  if (single.length > 0 && !ids.some((id) => searchesFor(id, question, tools))) {
    return { calls: single.slice(0, mostCalls), remarks: [] };
  }
  const chosen = toolsAbout(question, tools);
  const plans = chosen.map((tool) => planOf(tool, chosen.length > 1 ? clauseOf(question, tool) : question, nowMs));
  return {
    calls: plans.flatMap(({ calls }) => calls).slice(0, mostCalls),
    remarks: [...new Set(plans.flatMap(({ remarks }) => remarks))],
  };
}

function planOf(tool: ToolSpec, question: string, nowMs: number): Plan {
  const { calls, remarks } = filtersFor(tool.schema, question, nowMs, namesOf(tool));
  return { calls: calls.map((input) => ({ name: tool.name, input })), remarks };
}

/** The same search in other words, when a name that was asked for exactly does not exist. */
export function relaxed({ name, input }: ToolCall, tools: readonly ToolSpec[]): ToolCall | undefined {
  const tool = tools.find((each) => each.name === name);
  const textName = Object.keys(tool?.schema.properties ?? {}).find((each) => wordsName.test(each));
  const exact = Object.keys(input).find(
    (each) => /group|team|category|class|location/.test(each) && input[each] !== null && isFree(tool!, each),
  );
  if (!textName || !exact) return undefined;
  const { [exact]: value, ...rest } = input;
  return { name, input: { ...rest, [textName]: [rest[textName], value].filter(Boolean).join(' ') } };
}

const wordsName = /^(q|query|text|words|search)$/;

/** Ids as they are written, or in small letters where a tool takes ids of that form. */
function idsIn(text: string, tools: readonly ToolSpec[]): string[] {
  const patterns = tools.flatMap(({ schema }) =>
    Object.values(schema.properties ?? {}).flatMap(({ pattern }) => (pattern ? [new RegExp(pattern)] : [])),
  );
  const found = (text.match(/\b[A-Za-z]{2,5}(?:\d{3,}|(?=[0-9A-Za-z]{7}\b)[0-9A-Za-z]{7})\b/g) ?? []).filter(
    (id) => !/[a-z]/.test(id) || (/\d/.test(id) && patterns.some((pattern) => pattern.test(id.toUpperCase()))),
  );
  return [...new Set(found.map((id) => id.toUpperCase()))];
}

/** "changes on CI0000042" asks for changes that speak of it, "the change CHG0000042" for that one. */
function searchesFor(id: string, question: string, tools: readonly ToolSpec[]): boolean {
  const before = question.slice(0, question.toUpperCase().indexOf(id));
  const related = /\b(on|of|for|about|with|affect\w*|touch\w*|mention\w*|to|at|from|by)\s+(the\s+)?(\w+\s+)?$/i;
  if (!related.test(before)) return false;
  if (tools.some((tool) => takes(tool, id) && isSaid(tool, before))) return false;
  const several = (word: string) =>
    wordsOf(before).includes(stem(word)) && new RegExp(`\\b${word}\\b`, 'i').test(before);
  return namedIn(before, tools).some(({ name, schema }) => {
    return (
      Object.keys(schema.properties ?? {}).some((each) => wordsName.test(each)) &&
      several(nounOf(name).split(' ').at(-1)!)
    );
  });
}

function pointsBack(question: string): boolean {
  return /\b(it|its|this one|that one|this|that|them|they|the same)\b/i.test(question);
}

/** The parameter of a tool that wants nothing but an id. */
function idParameter({ schema }: ToolSpec) {
  const [name, ...others] = schema.required ?? [];
  if (name === undefined || others.length > 0 || !/(^|_)id$|number/.test(name)) return undefined;
  return { name, schema: withoutNull(schema.properties![name]!).schema };
}

function takes(tool: ToolSpec, id: string): boolean {
  const pattern = idParameter(tool)?.schema.pattern;
  return pattern !== undefined && new RegExp(pattern).test(id);
}

/** All words of what it is about. */
function isSaid({ name }: ToolSpec, text: string): boolean {
  const said = new Set(wordsOf(text));
  return wordsOf(nounOf(name)).every((word) => said.has(word));
}

function callById(id: string, tools: readonly ToolSpec[], question: string): ToolCall[] {
  const taking = tools.flatMap((tool) => {
    const parameter = idParameter(tool);
    return parameter ? [{ tool, ...parameter }] : [];
  });
  const prefix = /^[A-Z]+?(?=\d|[0-9A-Z]{7}$)/.exec(id)![0];
  const fitting = taking.filter(({ tool }) => takes(tool, id));
  const best =
    fitting.find(({ tool }) => isSaid(tool, question)) ??
    fitting[0] ??
    taking.find(
      ({ tool, schema }) =>
        schema.pattern === undefined && `${tool.description} ${schema.description}`.includes(prefix),
    ) ??
    taking.find(({ schema }) => schema.pattern === undefined);
  return best ? [{ name: best.tool.name, input: { [best.name]: id } }] : [];
}

function isFree(tool: ToolSpec, name: string): boolean {
  const property = tool.schema.properties?.[name];
  return property !== undefined && withoutNull(property).schema.enum === undefined;
}
