// Judges the copilot's plan for labelled questions (model/questions/README.md): the tools and their filters.
import { readdirSync, readFileSync } from 'node:fs';
import type { Plan, Planner, ToolCall } from '../../model/built-in/plan.ts';
import { planEnglish, planQuestion } from '../../model/built-in/plan-question.ts';
import { createTagger, type Span, type TaggedQuestion } from '../../model/built-in/tag-question.ts';

/** The day that the questions speak of, a Wednesday. */
export const nowMs = Date.parse('2026-11-11T10:00:00Z');

export interface Judged {
  question: string;
  isRight: boolean;
  /** A wrong filter that the answer does not mention could hide every record: a confident wrong "none". */
  couldHideRecords: boolean;
  planned: string;
  wanted: string;
}

/** The files of a folder with labelled questions. */
export function listQuestions(folder: URL): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  const lines = files.sort().flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('|') && !line.startsWith('#'));
}

/** Only managers have this tool. */
export const webhooks = { name: 'list_webhooks', description: '', schema: {} };

export async function judgeCopilot(lines: readonly string[]): Promise<Judged[]> {
  const planner = { tag: createTagger(), tools: [webhooks], nowMs };
  const judged: Judged[] = [];
  for (const line of lines) judged.push(await judge(line, planner));
  return judged;
}

async function judge(line: string, planner: Planner): Promise<Judged> {
  const { question, tagged } = parseLabelled(line);
  const talk = { earlier: [], lastAnswer: '' };
  const wanted = await planEnglish(question, { ...planner, tag: async () => tagged }, talk);
  const planned = await planQuestion(question, planner, talk);
  const isRight = show(planned) === show(wanted);
  const listNames = ({ calls }: Plan) =>
    calls.flatMap(({ input }) => Object.keys({ ...input, ...(input.filters as object) }));
  const isForeign = (name: string) => !unlisted.test(name) && !listNames(wanted).includes(name);
  const hides = listNames(planned).some(isForeign);
  return {
    question,
    isRight,
    couldHideRecords: !isRight && hides && planned.remarks.length === 0,
    planned: show(planned),
    wanted: show(wanted),
  };
}

/** Words that are not found are dropped and named, so only fields hide records. */
const unlisted = /^(text|sort|order|limit|group_by|interval|filters|kind|median|id)$/;

/** `incidents | [my](assigned_to=me) tickets`, see model/questions/README.md. */
export function parseLabelled(line: string): { question: string; tagged: TaggedQuestion } {
  const [kind = '', text = ''] = line.split('|').map((part) => part.trim());
  const spans: Span[] = [];
  let question = '';
  let at = 0;
  for (const { 0: all, 1: words = '', 2: labels = '', index } of text.matchAll(/\[([^[\]]+)\]\(([^()]*)\)/g)) {
    question += text.slice(at, index);
    const place = { from: question.length, until: question.length + words.length, text: words };
    spans.push(...labels.split(' ').flatMap((label) => expand(label).map((each) => ({ label: each, ...place }))));
    question += words;
    at = index + all.length;
  }
  return { question: question + text.slice(at), tagged: { kind, spans, unknown: [] } };
}

/** `priority=P1,P2` are two labels. */
function expand(label: string): string[] {
  const [name = '', values] = label.split('=');
  return values === undefined ? [name] : values.split(',').map((value) => `${name}=${value}`);
}

function show({ calls, reply, reading }: Plan): string {
  const said = calls.map(({ name, input }: ToolCall) => `${name} ${JSON.stringify(sortKeys(input))}`);
  const asked = [...new Set([...reading.fields, ...reading.measures])].sort();
  return [...said, ...asked, reply === undefined ? '' : 'reply'].join('; ');
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sortKeys(each)]));
}
