import * as z from 'zod';
import { type AnalysisType, findingsSchemas } from '../../../contract/findings.ts';
import { type Message, toUserMessage } from '../model/language-model.ts';
import type { Turn } from '../query/conversation-store.ts';
import { createFence, formatDataRules, type Passage, toPromptText } from './passage.ts';

/** Part of the cache key. Raise it with every change that can change an answer. */
export const askPromptVersion = 'ask-6';

const askAnswer = z.strictObject({
  answered: z.boolean().meta({ description: 'Whether the material answers the question.' }),
  answer: z.string().min(1).max(6_000).meta({
    description:
      'The answer from the material, in Markdown; when it does not answer the question, one sentence saying so.',
  }),
  sources: z
    .array(z.string().max(64))
    .max(20)
    .meta({ description: 'The source of every passage that the answer rests on, best first; none when not answered.' }),
});

const aboutScores =
  'Each passage carries its search score from 0 to 1 (relevance). A passage can be about the topic and still not answer the ' +
  'question: then set answered to false.';

export interface AskInput {
  question: string;
  passages: readonly Passage[];
  /** The record that the question is about. */
  record?: Passage;
}

/** Asks a question that passages of the knowledge base answer. */
export function buildAskPrompt({ question, passages, record }: AskInput) {
  const material = record ? [record, ...passages] : passages;
  const fence = createFence(question, ...material.map(({ text }) => text));
  const parts = [
    material.length > 0 ? 'The material:' : 'There is no material.',
    ...(passages.length > 0 ? [aboutScores] : []),
    ...material.map((passage) => toPromptText(fence, passage)),
    'The question:',
    fence.enclose(question, { kind: 'question' }),
    'Answer it with the tool give_answer.',
  ];
  return {
    system: `You answer questions of people who run and use computer systems.\n${formatDataRules(fence)}`,
    messages: [toUserMessage(parts.join('\n\n'))],
    tool: { name: 'give_answer', description: 'Gives the answer to the question.', input: askAnswer },
    maxTokens: 1_024,
  };
}

/** Part of the cache key. Raise it with every change that can change an answer. */
export const analyzePromptVersion = 'analyze-2';

export interface AnalyzeInput<Type extends AnalysisType> {
  analysisType: Type;
  record: Passage;
  /** Oldest first. */
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
    'The record, its notes, and what is known of similar cases:',
    ...material.map((passage) => toPromptText(fence, passage)),
    `${task} Answer with the tool ${tool.name}. With little evidence, give a low confidence and say what is missing.`,
  ];
  return {
    system: `You analyse records of an IT service desk.\n${formatDataRules(fence)}`,
    messages: [toUserMessage(parts.join('\n\n'))],
    tool: { ...tool, input: findingsSchemas[analysisType] },
    maxTokens: 1_500,
  };
}

const tasks = {
  root_cause: {
    task: 'Find the most probable root cause and what resolves it.',
    tool: { name: 'report_root_cause', description: 'Reports the probable root cause of the record and what helps.' },
  },
  impact: {
    task: 'Say what and whom this affects, and what may follow.',
    tool: { name: 'report_impact', description: 'Reports whom and what the record affects.' },
  },
  summary: {
    task: 'Sum up what happened and where it stands.',
    tool: { name: 'report_summary', description: 'Reports the record in a few sentences.' },
  },
} as const satisfies Record<AnalysisType, unknown>;

/** Asks a question about the records, which the model looks up with tools. `earlier` are the turns before, oldest first. */
export function buildQueryPrompt(query: string, nowMs: number, earlier: readonly Turn[] = []) {
  const fence = createFence(query, ...earlier.flatMap((turn) => [turn.query, turn.answer]));
  const now = new Date(nowMs);
  const day = now.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
  const ask = (text: string) => toUserMessage(`The question:\n\n${fence.enclose(text, { kind: 'question' })}`);
  const turns = earlier.flatMap((turn): Message[] => [
    ask(turn.query),
    { role: 'assistant', content: [{ text: turn.answer }] },
  ]);
  return {
    system: [
      'You answer questions about the records of an IT service desk. Look them up with the tools, which only read.',
      `Now it is ${day}, ${now.toISOString()}. Weeks begin on Monday; times are UTC.`,
      'Answer from what the tools gave, with the ids of the records. When a tool gave nothing, say that nothing was found.',
      formatDataRules(fence),
    ].join('\n'),
    messages: [...turns, ask(query)],
    maxTokens: 1_024,
  };
}
