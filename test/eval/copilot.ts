// Judges the plan of the copilot for labelled questions: the tool and its filters, with the tools' real schemas and the
// people, groups and items of the demo.
import { readFileSync } from 'node:fs';
import { buildDemoCis } from '../../demo/configuration-items.ts';
import { groups, reporters } from '../../demo/organization.ts';
import type { FoundPassages } from '../../lambdas/ai/knowledge/find-passages.ts';
import { toConverseInput } from '../../lambdas/ai/model/converse-shapes.ts';
import { queryTools } from '../../lambdas/ai/query/tools.ts';
import type { ListSource } from '../../lambdas/lists/list-records.ts';
import type { ListingSpec } from '../../lambdas/lists/listing.ts';
import { Replica } from '../../lambdas/lists/replica.ts';
import { parseConverse, type ToolSpec } from '../../local/bedrock/converse.ts';
import { planTools } from '../../local/bedrock/extractive/plan-tools.ts';

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

export async function judgeCopilot(file: string | URL = new URL('copilot.txt', import.meta.url)): Promise<Judged[]> {
  const tools = await toolSpecs();
  const nowMs = Date.parse('2026-11-11T10:00:00Z');
  const lines = readFileSync(file, 'utf8').split('\n');
  return labelSplits(lines).map(({ line, split }) => {
    const [question, tool, filters] = line.split('|').map((part) => part.trim());
    const { calls } = planTools(question!, tools, nowMs, { earlier: [], lastAnswer: '' });
    const planned = calls.map(({ name, input }) => `${name} ${show(input)}`).join('; ');
    const isRight = calls.length === 1 && calls[0]!.name === tool && fits(calls[0]!.input, filters!, tool!);
    return {
      question: question!,
      split,
      isRight,
      couldHideRecords: !isRight && calls.some(({ input }) => hasForeignFilter(input, filters ?? '')),
      planned,
      wanted: `${tool} ${filters}`,
    };
  });
}

/** `## tune` and `## report` begin a part of the file; before them, every second line is held out. */
function labelSplits(lines: readonly string[]): { line: string; split: Judged['split'] }[] {
  let part: Judged['split'] | undefined;
  const labelled: { line: string; split: Judged['split'] }[] = [];
  for (const line of lines) {
    const named = /^## (tune|report)$/.exec(line)?.[1];
    if (named !== undefined) part = named === 'tune' ? 'tune' : 'report';
    else if (line !== '' && !line.startsWith('#'))
      labelled.push({ line, split: part ?? (labelled.length % 2 === 0 ? 'tune' : 'report') });
  }
  return labelled;
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
  // As no order at all.
  if (wanted.get('sort') === 'created_at') wanted.delete('sort');
  if (wanted.get('order') === 'desc') wanted.delete('order');
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
