import type { Message } from '../model/message-shapes.ts';
import { userText } from '../model/model.ts';
import { dataRules, fenceFor } from './passage.ts';

// A question about the records themselves, answered by looking them up with tools that only read.

export interface QueryInput {
  query: string;
  /** Milliseconds: what "today" means. */
  nowMs: number;
  /** Earlier turns of the conversation, oldest first. */
  earlier?: readonly { query: string; answer: string }[];
}

export function queryPrompt({ query, nowMs, earlier = [] }: QueryInput) {
  const fence = fenceFor(query, ...earlier.flatMap((turn) => [turn.query, turn.answer]));
  const now = new Date(nowMs);
  const day = now.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
  const asked = (text: string) => userText(`The question:\n\n${fence.around(text, { kind: 'question' })}`);
  const turns = earlier.flatMap((turn): Message[] => [
    asked(turn.query),
    { role: 'assistant', content: [{ text: turn.answer }] },
  ]);
  return {
    system: [
      'You answer questions about the records of an IT service desk. Look them up with the tools, which only read.',
      `Now it is ${day}, ${now.toISOString()}. Weeks begin on Monday; times are UTC.`,
      'Answer from what the tools gave, with the ids of the records. When a tool gave nothing, say that nothing was found.',
      dataRules(fence),
    ].join('\n'),
    messages: [...turns, asked(query)],
    maxTokens: 1_024,
  };
}
