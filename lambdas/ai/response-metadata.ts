import type { CacheMatch } from './cache/answer-cache.ts';
import { embedderName } from './embedding/model-files.ts';

/** Consumption of the language model; zero tokens if no model was called. */
export interface Usage {
  modelUsed: string;
  tokensUsed: number;
}

export const embedderOnly: Usage = { modelUsed: embedderName, tokensUsed: 0 };

/** Starts measuring when it is created. */
export function stopwatch(nowMs: () => number = () => performance.now()): () => number {
  const startedAtMs = nowMs();
  return () => Math.max(0, Math.round(nowMs() - startedAtMs));
}

/** Fields that every AI response has. A cached answer consumes no tokens. */
export function toResponseMetadata({ modelUsed, tokensUsed }: Usage, latencyMs: number, match?: CacheMatch) {
  return {
    model_used: modelUsed,
    tokens_used: match ? 0 : tokensUsed,
    latency_ms: latencyMs,
    cache_hit: match !== undefined,
    ...(match && { cache: match }),
  };
}
