import type { Embed } from '../embedding/embedder.ts';
import { cosine, type Vector } from '../embedding/vector.ts';
import type { LearnedIndex } from './learned-index.ts';
import { termsOf } from './terms.ts';

// Which words of a question do not fit an article. The question is compared with its passages once more without each of
// its words: where a word carries meaning and the passages are as near without it, or nearer, they are about something
// else. "The plotter prints blank pages" is nearer to an article about printers without the plotter.

export interface StrangeWord {
  word: string;
  /** From 0: how much of its meaning the article does not share. */
  by: number;
}

/** A word that belongs to the matter brings the question nearer by at least this share of the meaning that it carries. */
const expectedShare = 0.5;

/** Differences below this are chance. */
const chance = 0.02;

export interface Passages {
  id: string;
  passages: readonly number[];
}

/** For each of the articles, by the passages that were found of it. */
export async function strangeWords(
  { text, vector }: { text: string; vector: Vector },
  articles: readonly Passages[],
  learned: LearnedIndex,
  embed: Embed,
): Promise<StrangeWord[][]> {
  const whole = likenesses(vector, articles, learned);
  const found: StrangeWord[][] = articles.map(() => []);
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+(?:[-_.:/\\'’][\p{L}\p{N}]+)*/gu)) {
    if (termsOf(word).length === 0) continue;
    const left = `${text.slice(0, index)}${text.slice(index + word.length)}`.replace(/\s+/g, ' ').trim();
    if (!/[\p{L}\p{N}]/u.test(left)) continue;
    const without = await embed(left);
    const meaning = 1 - cosine(vector, without);
    for (const [place, likeness] of likenesses(without, articles, learned).entries()) {
      const nearer = Math.max(...likeness.map((each, passage) => whole[place]![passage]! - each));
      const by = expectedShare * meaning - nearer + chance;
      if (by > 0) found[place]!.push({ word, by });
    }
  }
  return found.map((words) => words.sort((a, b) => b.by - a.by));
}

/** Of a vector with the passages of each article. */
function likenesses(vector: Vector, articles: readonly Passages[], learned: LearnedIndex): number[][] {
  const ids = new Set(articles.map(({ id }) => id));
  const accepts = (_: unknown, id: string) => ids.has(id);
  const found = learned.searchPassages({ kind: 'article', vector, text: '', count: 1_000, accepts });
  return articles.map(({ id, passages }) =>
    passages.map((place) => found.find((each) => each.id === id && each.passage === place)?.cosine ?? 0),
  );
}
