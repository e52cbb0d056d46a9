import { join } from 'node:path';
import { env } from '../../platform/env.ts';
import { type Embed, loadEmbedder } from './embedder.ts';

/**
 * The model beside the function's code, loaded once per instance. Texts of late are remembered: the same incident is
 * embedded when it is created and when it is resolved, and people ask the same question again.
 */
export function deployedEmbedder(): Embed {
  const { LAMBDA_TASK_ROOT } = env('LAMBDA_TASK_ROOT');
  const loaded = loadEmbedder(join(LAMBDA_TASK_ROOT, 'model'));
  // Whoever embeds first learns of a failure; until then nobody waits for this promise.
  loaded.catch(() => {});
  const known = new Map<string, ReturnType<Embed>>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const vector = loaded.then((embed) => embed(text));
    vector.catch(() => known.delete(text));
    known.set(text, vector);
    if (known.size > mostKnown) known.delete(known.keys().next().value!);
    return vector;
  };
}

const mostKnown = 500;
