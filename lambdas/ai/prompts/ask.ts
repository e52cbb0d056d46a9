import * as z from 'zod';
import { userText } from '../model/model.ts';
import { dataRules, fenceFor, type Passage, toPromptText } from './passage.ts';

// A question, answered from passages of the knowledge base, with the sources of the answer.

/** Part of the cache key: raise it with every change that can change an answer. */
export const askPromptVersion = 'ask-6';

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

const aboutScores =
  'Each passage carries its search score from 0 to 1 (relevance). A passage can be about the topic and still not answer the ' +
  'question: then set answered to false.';

export function askPrompt({ question, passages, record }: AskInput) {
  const material = record ? [record, ...passages] : passages;
  const fence = fenceFor(question, ...material.map(({ text }) => text));
  const parts = [
    material.length > 0 ? 'The material:' : 'There is no material.',
    ...(passages.length > 0 ? [aboutScores] : []),
    ...material.map((passage) => toPromptText(fence, passage)),
    'The question:',
    fence.around(question, { kind: 'question' }),
    'Answer it with the tool give_answer.',
  ];
  return {
    system: `You answer questions of people who run and use computer systems.\n${dataRules(fence)}`,
    messages: [userText(parts.join('\n\n'))],
    tool: { name: 'give_answer', description: 'Gives the answer to the question.', input: askAnswer },
    maxTokens: 1_024,
  };
}
