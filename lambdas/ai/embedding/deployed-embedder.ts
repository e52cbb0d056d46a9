import { join } from 'node:path';
import { env } from '../../platform/env.ts';
import { type Embed, loadEmbedder } from './embedder.ts';
import type { Vector } from './vector.ts';

/** 1.5 KB each. */
const maxCachedVectors = 2_000;

/**
 * The model beside the function's code, loaded once per instance; a failed load is tried again with the next text. Recent
 * texts are cached: an incident is embedded when it is created and when it is resolved, and people repeat questions.
 */
export function deployedEmbedder(): Embed {
  const { LAMBDA_TASK_ROOT } = env('LAMBDA_TASK_ROOT');
  let loading: Promise<Embed> | undefined;
  const load = () => {
    loading ??= loadEmbedder(join(LAMBDA_TASK_ROOT, 'model')).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  // The first text that needs the model reports a failure.
  load().catch(() => {});
  const vectors = new Map<string, Promise<Vector>>();
  return (text) => {
    const cached = vectors.get(text);
    if (cached) return cached;
    const vector = load().then((embed) => embed(text));
    vector.catch(() => vectors.delete(text));
    vectors.set(text, vector);
    const [oldest] = vectors.keys();
    if (vectors.size > maxCachedVectors && oldest !== undefined) vectors.delete(oldest);
    return vector;
  };
}
