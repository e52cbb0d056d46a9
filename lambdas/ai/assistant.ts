import type { ReadRecords } from '../lists/record-store.ts';
import type { AnswerCache, CacheMatch } from './cache/answer-cache.ts';
import type { Encoder } from './embedding/embedder.ts';
import { embedderName } from './embedding/model-files.ts';
import type { LearnedEngine } from './knowledge/learned-engine.ts';
import type { ModelUsage } from './model/language-model.ts';
import type { WriteReasons } from './model/write-reasons.ts';
import type { Nearest } from './suggestions/nearest-incidents.ts';

/** The dependencies of the AI operations. */
export interface Assistant extends Encoder {
  engine: LearnedEngine;
  nearest: Nearest;
  read: ReadRecords;
  cache: AnswerCache;
  writeReasons: WriteReasons;
}

export const embedderOnly: ModelUsage = { modelUsed: `local.${embedderName}`, tokensUsed: 0 };

/** Returns a function that measures the milliseconds since this call. */
export function startStopwatch(): () => number {
  const startedAtMs = performance.now();
  return () => Math.round(performance.now() - startedAtMs);
}

/** The fields that every AI response has. A cached answer consumes no tokens. */
export function toResponseMetadata({ modelUsed, tokensUsed }: ModelUsage, latencyMs: number, match?: CacheMatch) {
  return {
    model_used: modelUsed,
    tokens_used: match ? 0 : tokensUsed,
    latency_ms: latencyMs,
    cache_hit: match !== undefined,
    ...(match && { cache: match }),
  };
}

/** Between 0 and 1, with three decimals. */
export function roundShare(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;
}
