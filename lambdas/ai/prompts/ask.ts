import * as z from 'zod';
import { userText } from '../model/model.ts';
import { fenceFor } from './fence.ts';
import { type Passage, passageText } from './passage.ts';
import { dataRules } from './rules.ts';

// A question, answered from passages of the knowledge base, with the passages it was answered from.

/** Part of the cache's key: raise it with every change that can change an answer. */
export const askPromptVersion = 'ask-4';

export const askAnswer = z.strictObject({
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

export interface AskInput {
  question: string;
  passages: readonly Passage[];
  /** The record that the question is about. */
  record?: Passage;
}

const aboutFit =
  'Each piece says how near a search found it (relevance) and how near it comes to the words of the question (words). Words ' +
  'of the question that hardly fit it stand beside it (strange): where one of them is what the question is about, the piece ' +
  'may answer another question.';

export function askPrompt({ question, passages, record }: AskInput) {
  const material = record ? [record, ...passages] : passages;
  const fence = fenceFor(question, ...material.map(({ text }) => text));
  const parts = [
    material.length > 0 ? 'The material:' : 'There is no material.',
    ...(material.some(({ fit }) => fit) ? [aboutFit] : []),
    ...material.map((passage) => passageText(fence, passage)),
    'The question:',
    fence.around(question, { kind: 'question' }),
    'Answer it with the tool give_answer.',
  ];
  return {
    version: askPromptVersion,
    system: `You answer questions of people who run and use computer systems.\n${dataRules(fence)}`,
    messages: [userText(parts.join('\n\n'))],
    tool: { name: 'give_answer', description: 'Gives the answer to the question.', input: askAnswer },
    maxTokens: 1_024,
  };
}
