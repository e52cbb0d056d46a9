import type { CacheMatch } from './cache/answer-cache.ts';
import { embedderName } from './embedding/model-files.ts';

/** What a language model took; nothing when none was asked. */
export interface Usage {
  modelUsed: string;
  tokensUsed: number;
}

export const embedderOnly: Usage = { modelUsed: embedderName, tokensUsed: 0 };

/** Measures from its making on. */
export function stopwatch(nowMs: () => number = () => performance.now()): () => number {
  const startedAtMs = nowMs();
  return () => Math.max(0, Math.round(nowMs() - startedAtMs));
}

/** What every answer says of itself. An answer that is given again took no tokens this time. */
export function told({ modelUsed, tokensUsed }: Usage, latencyMs: number, match?: CacheMatch) {
  return {
    model_used: modelUsed,
    tokens_used: match ? 0 : tokensUsed,
    latency_ms: latencyMs,
    cache_hit: match !== undefined,
    ...(match && { cache: match }),
  };
}
