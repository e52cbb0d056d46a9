import type { CacheMatch } from './cache/answer-cache.ts';
import { embedderName } from './embedding/model-files.ts';
import type { ModelUsage } from './model/model.ts';

export const embedderOnly: ModelUsage = { modelUsed: embedderName, tokensUsed: 0 };

/** Starts when it is created. */
export function stopwatch(): () => number {
  const startedAtMs = performance.now();
  return () => Math.round(performance.now() - startedAtMs);
}

/** Fields that every AI response has. A cached answer consumes no tokens. */
export function toResponseMetadata({ modelUsed, tokensUsed }: ModelUsage, latencyMs: number, match?: CacheMatch) {
  return {
    model_used: modelUsed,
    tokens_used: match ? 0 : tokensUsed,
    latency_ms: latencyMs,
    cache_hit: match !== undefined,
    ...(match && { cache: match }),
  };
}
