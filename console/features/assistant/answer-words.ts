import { formatDuration } from '../../ui/time.ts';

export interface Answered {
  question: string;
  answer: string;
  /** Only with questions to the knowledge base. */
  confidence?: number;
  citations: FoundArticle[];
  /** Only with questions to the knowledge base. */
  related?: FoundArticle[];
  records?: { type: string; id: string; title: string }[];
  /** Paths of the API that list the same records. */
  lists?: string[];
  tools_used?: { name: string; input: Record<string, unknown> }[];
  model_used: string;
  tokens_used: number;
  latency_ms: number;
  cache_hit: boolean;
  cache?: { matched?: string | undefined; similarity: number; age_seconds: number } | undefined;
}

export interface FoundArticle {
  article_id: string;
  title: string;
  relevance: number;
}

/** The records that the answer does not name; it links to the others. */
export function listOtherRecords({ answer, records = [] }: Pick<Answered, 'answer' | 'records'>) {
  return records.filter(({ id }) => !answer.includes(id));
}

/** count_incidents {priority: ['P1'], by: 'state'} as count incidents (priority P1, by state). */
export function formatQuery({ name, input }: { name: string; input: Record<string, unknown> }): string {
  const plain = (text: string) => text.replaceAll('_', ' ');
  const given = Object.entries(input).map(
    ([key, value]) => `${plain(key)} ${plain([value ?? 'none'].flat().join(' or '))}`,
  );
  return given.length > 0 ? `${plain(name)} (${given.join(', ')})` : plain(name);
}

/** The tier already shows the confidence of an answer with citations. */
export function formatCost({ confidence, citations, model_used, tokens_used, latency_ms, cache }: Answered): string {
  const sure = confidence === undefined || citations.length > 0 ? '' : `Confidence ${Math.round(confidence * 100)}%, `;
  const took = `${sure}${model_used}, ${tokens_used} tokens, ${latency_ms} ms`;
  if (!cache) return took;
  const source = cache.matched === undefined ? 'cached answer' : `cached answer to “${cache.matched}”`;
  return `${took}; ${source}, ${formatDuration(cache.age_seconds * 1000)} old`;
}
