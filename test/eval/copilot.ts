// Judges the plan of the copilot for labelled questions: the tool and its filters, with the tools' real schemas and a few
// known groups, people and categories.
import { readFileSync } from 'node:fs';
import type { FoundPassages } from '../../lambdas/ai/knowledge/find-passages.ts';
import { toConverseInput } from '../../lambdas/ai/model/converse-shapes.ts';
import { queryTools } from '../../lambdas/ai/query/tools.ts';
import type { ListSource } from '../../lambdas/lists/list-records.ts';
import type { ListingSpec } from '../../lambdas/lists/listing.ts';
import { Replica } from '../../lambdas/lists/replica.ts';
import { parseConverse, type ToolSpec } from '../../local/bedrock/converse.ts';
import { planTools } from '../../local/bedrock/extractive/plan-tools.ts';

const known: Readonly<Record<string, readonly string[]>> = {
  assignment_group: ['network', 'messaging', 'service desk', 'field service', 'identity and access'],
  category: ['email', 'hardware', 'network', 'access', 'software'],
  environment: ['production', 'test'],
  class: ['server', 'gateway', 'database'],
};

const openStates: Readonly<Record<string, string>> = {
  incidents: 'new,in_progress,on_hold,reopened',
  changes: 'submitted,approved,implementing',
};

export interface Judged {
  question: string;
  split: 'tune' | 'report';
  isRight: boolean;
  /** A wrong filter that the answer does not mention could hide every record: a confident wrong "none". */
  couldHideRecords: boolean;
  planned: string;
  wanted: string;
}

export async function toolSpecs(): Promise<readonly ToolSpec[]> {
  const list = (spec: ListingSpec): ListSource => {
    const replica = new Replica(spec);
    spec.strings.forEach((name, column) => {
      for (const value of known[name] ?? []) replica.dictionaries[column]!.add(value);
    });
    return { replica: { refresh: async () => replica } } as unknown as ListSource;
  };
  const nothing: FoundPassages = { passages: [], related: [], articles: [], confidence: 0, tier: 'low' };
  const own = await queryTools({ list, read: async () => [], findPassages: async () => nothing })('ada@example.com', 0);
  const request = { model: 'model-3-haiku', system: '', messages: [], tools: own, maxTokens: 1 } as const;
  const { modelId: _, ...input } = toConverseInput(request, 'x');
  const message = { role: 'user', content: [{ text: 'x' }] };
  return parseConverse(JSON.parse(JSON.stringify({ ...input, messages: [message] }))).tools;
}

export async function judgeCopilot(): Promise<Judged[]> {
  const tools = await toolSpecs();
  const nowMs = Date.parse('2026-11-11T10:00:00Z');
  const lines = readFileSync(new URL('copilot.txt', import.meta.url), 'utf8').split('\n');
  const labelled = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return labelled.map((line, place) => {
    const [question, tool, filters] = line.split('|').map((part) => part.trim());
    const { calls } = planTools(question!, tools, nowMs, { questions: [], lastAnswer: '' });
    const planned = calls.map(({ name, input }) => `${name} ${show(input)}`).join('; ');
    const isRight = calls.length === 1 && calls[0]!.name === tool && fits(calls[0]!.input, filters!, tool!);
    return {
      question: question!,
      split: place % 2 === 0 ? 'tune' : 'report',
      isRight,
      couldHideRecords: !isRight && calls.some(({ input }) => hasForeignFilter(input, filters ?? '')),
      planned,
      wanted: `${tool} ${filters}`,
    };
  });
}

/** `*` alone allows any further time; everything else must be as labelled, a default order and limit aside. */
function fits(input: Readonly<Record<string, unknown>>, filters: string, tool: string): boolean {
  const wanted = new Map<string, string>();
  let anyTime = false;
  for (const part of filters.split(/\s+(?=\S+=|\*)/).filter((each) => each !== '')) {
    if (part === '*') anyTime = true;
    else wanted.set(part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1).trim());
  }
  if (wanted.get('state') === 'open')
    wanted.set('state', openStates[tool.replace(/^[a-z]+_/, '')] ?? 'submitted,approved');
  const given = Object.entries(input).filter(([name, value]) => {
    const isTime = /_(after|before)$/.test(name);
    const isDefault =
      (name === 'order' && (value === 'desc' || wanted.get('sort') === 'priority')) ||
      (name === 'sort' && value === 'created_at');
    return !(isTime && anyTime && !wanted.has(name)) && !isDefault;
  });
  return (
    given.length === wanted.size &&
    given.every(
      ([name, value]) => wanted.get(name) === '*' || wanted.get(name)?.toLowerCase() === show1(value).toLowerCase(),
    )
  );
}

/** Words that were not found are dropped and named, so only fields count. */
function hasForeignFilter(input: Readonly<Record<string, unknown>>, filters: string): boolean {
  const wanted = new Set(filters.split(/\s+/).map((part) => part.split('=')[0]));
  return Object.keys(input).some(
    (name) =>
      !/^(text|sort|order|limit|by|id)$/.test(name) &&
      !wanted.has(name) &&
      !(/_(after|before)$/.test(name) && wanted.has('*')),
  );
}

function show(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}=${show1(value)}`)
    .join(' ');
}

function show1(value: unknown): string {
  return value === null ? 'null' : [value].flat().join(',');
}
