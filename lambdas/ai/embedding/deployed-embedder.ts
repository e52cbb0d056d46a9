import { join } from 'node:path';
import { env } from '../../platform/env.ts';
import { type Embed, embedderName, loadEmbedder } from './embedder.ts';
import { readKnownVectors } from './known-vectors.ts';

/**
 * The model beside the function's code, loaded once per instance, with the first text that nobody knows. Texts of late are
 * remembered: the same incident is embedded when it is created and when it is resolved, and people ask the same question
 * again.
 */
export function deployedEmbedder(): Embed {
  const { LAMBDA_TASK_ROOT } = env('LAMBDA_TASK_ROOT');
  const folder = join(LAMBDA_TASK_ROOT, 'model');
  const knownAhead = readKnownVectors(join(folder, 'known-vectors.bin'), embedderName);
  let loaded: Promise<Embed> | undefined;
  const read = async (text: string) => {
    loaded ??= loadEmbedder(folder);
    return (await loaded)(text);
  };
  const known = new Map<string, ReturnType<Embed>>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const ahead = knownAhead(text);
    if (ahead) return Promise.resolve(ahead);
    const vector = read(text);
    vector.catch(() => known.delete(text));
    known.set(text, vector);
    if (known.size > mostKnown) known.delete(known.keys().next().value!);
    return vector;
  };
}

const mostKnown = 500;
