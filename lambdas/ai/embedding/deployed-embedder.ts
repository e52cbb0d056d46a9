import { join } from 'node:path';
import { env } from '../../platform/env.ts';
import { type Embedder, loadEmbedder } from './embedder.ts';

/**
 * The model beside the function's code, loaded once per instance. Texts of late are remembered: the same incident is
 * embedded when it is created and when it is resolved, and people ask the same question again.
 */
export function deployedEmbedder(): Embedder {
  const { LAMBDA_TASK_ROOT } = env('LAMBDA_TASK_ROOT');
  const loaded = loadEmbedder(join(LAMBDA_TASK_ROOT, 'model'));
  // Whoever embeds first learns of a failure; until then nobody waits for this promise.
  loaded.catch(() => {});
  const vectors = remembered((text) => loaded.then((embed) => embed(text)), mostVectors);
  const tokens = remembered((text) => loaded.then((embed) => embed.tokens(text)), mostTexts);
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
