import { join } from 'node:path';
import { env } from '../../platform/env.ts';
import { type Embedder, loadEmbedder } from './embedder.ts';

/**
 * The model beside the function's code, loaded once per instance; a load that failed is tried again with the next text.
 * Texts of late are remembered: the same incident is embedded when it is created and when it is resolved, and people ask
 * the same question again.
 */
export function deployedEmbedder(): Embedder {
  const { LAMBDA_TASK_ROOT } = env('LAMBDA_TASK_ROOT');
  let loading: Promise<Embedder> | undefined;
  const load = () => {
    loading ??= loadEmbedder(join(LAMBDA_TASK_ROOT, 'model')).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  // The first text that needs the model reports a failure.
  load().catch(() => {});
  const vectors = remembered((text) => load().then((embed) => embed(text)), mostVectors);
  const tokens = remembered((text) => load().then((embed) => embed.tokens(text)), mostTexts);
  return Object.assign(vectors, { tokens });
}

/** 1.5 KB each. */
const mostVectors = 2_000;

/** As much for every token: some 30 KB for a sentence. */
const mostTexts = 400;

function remembered<Value>(make: (text: string) => Promise<Value>, most: number): (text: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const value = make(text);
    value.catch(() => known.delete(text));
    known.set(text, value);
    if (known.size > most) known.delete(known.keys().next().value!);
    return value;
  };
}
