import * as z from 'zod';
import { type AnalysisType, findingsSchemas } from '../../../contract/findings.ts';
import { type Message, toUserMessage } from '../model/language-model.ts';
import type { Turn } from '../query/conversation-store.ts';
import { createFence, formatDataRules, type Passage, toPromptText } from './passage.ts';

/** Part of the cache key. Raise it with every change that can change an answer. */
export const askPromptVersion = 'ask-9';

const askAnswer = z.strictObject({
  answered: z.boolean().meta({ description: 'Whether the material answers the question.' }),
  answer: z.string().min(1).max(6_000).meta({
    description:
      'The answer from the material, in Markdown. If the material does not answer the question, one sentence that says so.',
  }),
  sources: z.array(z.string().max(64)).max(20).meta({
    description: 'The source of every passage that supports the answer, best first. Empty if `answered` is false.',
  }),
});

const aboutScores =
  'The attribute `relevance` of a passage is its search score, from 0 to 1. If the passages are about the topic but do not ' +
  'answer the question, set `answered` to false.';

export interface AskInput {
  question: string;
  passages: readonly Passage[];
  /** The record that the question is about. */
  record?: Passage;
}

/** Asks for an answer from passages of the knowledge base. */
export function buildAskPrompt({ question, passages, record }: AskInput) {
  const material = record ? [record, ...passages] : passages;
  const fence = createFence(question, ...material.map(({ text }) => text));
  const parts = [
    material.length > 0 ? 'Material:' : 'There is no material.',
    ...(passages.length > 0 ? [aboutScores] : []),
    ...material.map((passage) => toPromptText(fence, passage)),
    'Question:',
    fence.enclose(question, { kind: 'question' }),
    'Answer the question with the tool `give_answer`.',
  ];
  return {
    system: `You answer questions of people who use or operate IT systems.\n${formatDataRules(fence)}`,
    messages: [toUserMessage(parts.join('\n\n'))],
    tool: { name: 'give_answer', description: 'Returns the answer to the question.', input: askAnswer },
    maxTokens: 1_024,
  };
}

/** Part of the cache key. Raise it with every change that can change an answer. */
export const analyzePromptVersion = 'analyze-5';

export interface AnalyzeInput<Type extends AnalysisType> {
  analysisType: Type;
  record: Passage;
  /** Oldest first, then the change of the record. */
  notes: readonly Passage[];
  /** Similar resolved incidents and articles, best first. */
  evidence: readonly Passage[];
}

/** Asks for the cause, the impact or a summary of a record. */
export function buildAnalyzePrompt<Type extends AnalysisType>(input: AnalyzeInput<Type>) {
  const { analysisType, record, notes, evidence } = input;
  const material = [record, ...notes, ...evidence];
  const fence = createFence(...material.map(({ text }) => text));
  const { task, tool } = tasks[analysisType];
  const parts = [
    'The record, its notes, similar resolved incidents and knowledge articles:',
    ...material.map((passage) => toPromptText(fence, passage)),
    ownEvidenceFirst,
    `${task} Answer with the tool \`${tool.name}\`. If there is little evidence, set a low confidence and name what is missing.`,
  ];
  return {
    system: `You analyze records of an IT service desk.\n${formatDataRules(fence)}`,
    messages: [toUserMessage(parts.join('\n\n'))],
    tool: { ...tool, input: findingsSchemas[analysisType] },
    maxTokens: 1_500,
  };
}

const ownEvidenceFirst =
  "The record's own notes and its change are the first evidence. The resolution of another incident is not a cause. Leave " +
  'out what only repeats the short description; lists may be empty.';

const tasks = {
  root_cause: {
    task: 'Find the most probable root cause and the fix.',
    tool: { name: 'report_root_cause', description: 'Reports the probable root cause of the record and its fix.' },
  },
  impact: {
    task: 'Describe which people and systems are affected, and what may happen next.',
    tool: { name: 'report_impact', description: 'Reports the people and systems that the record affects.' },
  },
  summary: {
    task: 'Summarize what happened and the current status.',
    tool: { name: 'report_summary', description: 'Reports a summary of the record in a few sentences.' },
  },
} as const satisfies Record<AnalysisType, unknown>;

/** Asks a question about records, which the model looks up with tools. `earlier` are the previous turns, oldest first. */
export function buildQueryPrompt(query: string, nowMs: number, earlier: readonly Turn[] = []) {
  const fence = createFence(query, ...earlier.flatMap((turn) => [turn.query, turn.answer]));
  const now = new Date(nowMs);
  const day = now.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
  const ask = (text: string) => toUserMessage(`Question:\n\n${fence.enclose(text, { kind: 'question' })}`);
  const turns = earlier.flatMap((turn): Message[] => [
    ask(turn.query),
    { role: 'assistant', content: [{ text: turn.answer }] },
  ]);
  return {
    system: [
      'You answer questions about the records of an IT service desk. Look up the records with the tools. The tools are read-only.',
      `The current time is ${day}, ${now.toISOString()}. Weeks begin on Monday. Times are in UTC.`,
      'Answer from the results of the tools, with the ids of the records. If a tool returns nothing, say that nothing was found.',
      formatDataRules(fence),
    ].join('\n'),
    messages: [...turns, ask(query)],
    maxTokens: 1_024,
  };
}
