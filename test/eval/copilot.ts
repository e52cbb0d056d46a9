// Judges the copilot's plan for labelled questions (model/questions/README.md): the tool and its filters, with the tools'
// real schemas and the people, groups and items of the demo.
import { readdirSync, readFileSync } from 'node:fs';
import { buildDemoCis } from '../../demo/configuration-items.ts';
import { groups, reporters } from '../../demo/organization.ts';
import type { FoundPassages } from '../../lambdas/ai/knowledge/find-passages.ts';
import { toConverseInput } from '../../lambdas/ai/model/bedrock-model.ts';
import { queryTools } from '../../lambdas/ai/query/tools.ts';
import type { ListSource } from '../../lambdas/lists/list-records.ts';
import type { ListingSpec } from '../../lambdas/lists/listing.ts';
import { Replica } from '../../lambdas/lists/replica.ts';
import { createReplicaEngine } from '../../lambdas/lists/replica-engine.ts';
import { parseConverse, type ToolSpec } from '../../local/bedrock/converse.ts';
import { type Planner, planTools, type ToolCall } from '../../model/built-in/plan-tools.ts';
import { createTagger, type Span, type TaggedQuestion } from '../../model/built-in/tag-question.ts';

const items = buildDemoCis();
const people = [...new Set(Object.values(groups).flat()), ...reporters];

const known: Readonly<Record<string, readonly string[]>> = {
  assignment_group: Object.keys(groups),
  assigned_to: people,
  requested_by: people,
  requested_for: people,
  category: ['email', 'hardware', 'network', 'access', 'software', 'database', 'security'],
  environment: ['production', 'test'],
  name: items.map(({ name }) => name),
  class: [...new Set(items.map((item) => item.class)), 'gateway'],
  owner: Object.keys(groups),
  location: [...new Set(items.map(({ location }) => location))],
};

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

export async function toolSpecs(values = known): Promise<readonly ToolSpec[]> {
  const list = (spec: ListingSpec): ListSource => {
    const replica = new Replica(spec);
    spec.strings.forEach((name, column) => {
      for (const value of values[name] ?? []) replica.dictionaries[column]!.add(value);
    });
    return { engine: createReplicaEngine(spec, { refresh: async () => replica }) } as unknown as ListSource;
  };
  const nothing: FoundPassages = { passages: [], related: [], articles: [], confidence: 0, tier: 'low' };
  const sources = { list, read: async () => [], findPassages: async () => nothing, nearest: async () => [] };
  const own = await queryTools(sources)('ada@example.com', 0);
  const request = { model: 'model-3-haiku', system: '', messages: [], tools: own, maxTokens: 1 } as const;
  const { modelId: _, ...input } = toConverseInput(request, 'x');
  const message = { role: 'user', content: [{ text: 'x' }] };
  return parseConverse(JSON.parse(JSON.stringify({ ...input, messages: [message] }))).tools;
}

/** The files of a folder with labelled questions. */
export function listQuestions(folder: URL): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  const lines = files.sort().flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('|') && !line.startsWith('#'));
}

export async function judgeCopilot(lines: readonly string[]): Promise<Judged[]> {
  const planner = { tag: createTagger(), tools: await toolSpecs(), nowMs };
  const judged: Judged[] = [];
  for (const line of lines) judged.push(await judge(line, planner));
  return judged;
}

async function judge(line: string, planner: Planner): Promise<Judged> {
  const { question, tagged } = parseLabelled(line);
  const talk = { earlier: [], lastAnswer: '' };
  const wanted = await planTools(question, { ...planner, tag: async () => tagged }, talk);
  const planned = await planTools(question, planner, talk);
  const isRight = show(planned.calls) === show(wanted.calls);
  const isForeign = (name: string) => !unlisted.test(name) && !wanted.calls.some(({ input }) => name in input);
  const hides = planned.calls.some(({ input }) => Object.keys(input).some(isForeign));
  return {
    question,
    isRight,
    couldHideRecords: !isRight && hides && planned.remarks.length === 0,
    planned: show(planned.calls),
    wanted: show(wanted.calls),
  };
}

/** Words that are not found are dropped and named, so only fields hide records. */
const unlisted = /^(text|sort|order|limit|by|id)$/;

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
  return { question: question + text.slice(at), tagged: { kind, spans } };
}

/** `priority=P1,P2` are two labels. */
function expand(label: string): string[] {
  const [name = '', values] = label.split('=');
  return values === undefined ? [name] : values.split(',').map((value) => `${name}=${value}`);
}

function show(calls: readonly ToolCall[]): string {
  const said = calls.map(({ name, input }) => {
    const filters = Object.entries(input).map(([key, value]) => `${key}=${value === null ? 'null' : String(value)}`);
    return [name, ...filters.sort()].join(' ');
  });
  return said.join('; ');
}
