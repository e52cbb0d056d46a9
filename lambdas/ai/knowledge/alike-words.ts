import type { Embedder, Token } from '../embedding/embedder.ts';
import { cosine } from '../embedding/vector.ts';

// How well texts have something for each word of a question: the nearest token of the texts, both read where they stand.
// One vector for a whole passage hides a word that nothing in it answers to.

/** Each with its tokens. */
export type QuestionWords = readonly (readonly Token[])[];

export async function questionWords(text: string, embed: Embedder): Promise<QuestionWords> {
  const words: Token[][] = [];
  for (const token of await embed.tokens(text)) {
    if (token.text.startsWith('##')) words.at(-1)?.push(token);
    else words.push(/[\p{L}\p{N}]/u.test(token.text) ? [token] : []);
  }
  return words.filter((word) => word.length > 0);
}

/** On average over all words, from 0 to 1. */
export async function alikeWords(words: QuestionWords, texts: readonly string[], embed: Embedder): Promise<number> {
  const tokens: Token[] = [];
  for (const text of texts) tokens.push(...(await embed.tokens(text)));
  return average(words.map((word) => average(word.map((own) => nearest(own, tokens)))));
}

function nearest({ vector }: Token, tokens: readonly Token[]): number {
  let best = 0;
  for (const token of tokens) best = Math.max(best, cosine(vector, token.vector));
  return best;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
