// The baseline of the ranking: the best cosine of a passage + 0.35 × the best share of rare words, answered from 0.65.

import type { Query } from '../../lambdas/ai/knowledge/article-ranking.ts';
import { getTerms, type LearnedKind } from '../../lambdas/ai/knowledge/learned-index.ts';
import type { ArticleFacts } from '../../lambdas/ai/knowledge/learned-item.ts';

export const minSimpleScore = 0.65;

export function rankSimply(kind: LearnedKind<ArticleFacts>, { vector, text }: Query): { id: string; score: number }[] {
  const weights = new Map(kind.weigh(text).map(({ hash, weight }) => [hash, weight]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0) || 1;
  const cosines = kind.cosines(vector);
  const scores = [...kind.rowsById].map(([id, rows]) => {
    const passages = rows.filter(({ level }) => level === 'passage');
    const cosine = Math.max(...passages.map(({ place }) => cosines[place] ?? 0));
    const words = Math.max(
      ...passages.map((row) => getTerms(row).hashes.reduce((sum, hash) => sum + (weights.get(hash) ?? 0), 0) / all),
    );
    return { id, score: cosine + 0.35 * words };
  });
  return scores.sort((a, b) => b.score - a.score);
}
