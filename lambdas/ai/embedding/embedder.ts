import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { env } from '../../platform/env.ts';
import { memoize } from '../../platform/memoize.ts';
import { modelFiles } from './model-files.ts';
import { dimensions, normalize, type Vector } from './vector.ts';

// Embeds texts inside the function, without network and quotas. The build copies the model files next to the code
// (tools/build/functions.ts). Their hashes are checked, because vectors of different models must not be compared.

export type Embed = (text: string) => Promise<Vector>;

/** The model was trained with this length. Longer texts are truncated. */
const maxTokens = 256;

export async function loadEmbedder(folder: string): Promise<Embed> {
  const [model, tokens] = await Promise.all([
    readCheckedFile(folder, modelFiles.model),
    readCheckedFile(folder, modelFiles.tokenizer),
  ]);
  // One thread, because other requests share the processor and a question takes a few milliseconds. The memory arena would
  // never release the memory of the longest text.
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
  });
  const tokenizer = new Tokenizer(JSON.parse(tokens.toString()), {});
  // One text per run: the int8 kernels scale activations per run, so the vector of a text would depend on its batch
  // (cosine 0.985). A batch would not save processor time (docs/decisions/0042).
  return async (text) => {
    const ids = truncate(tokenizer.encode(text).ids);
    const { last_hidden_state: states } = await session.run(toInputs(ids));
    if (!states) throw new Error('the model returned no states');
    return computeMean(states.data as Float32Array, ids.length);
  };
}

async function readCheckedFile(folder: string, { name, sha256 }: { name: string; sha256: string }): Promise<Buffer> {
  const bytes = await readFile(join(folder, name));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${name} is not the file of this release: its hash is ${found}`);
  return bytes;
}

/** Keeps the end token. */
function truncate(ids: readonly number[]): readonly number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
}

function toInputs(ids: readonly number[]): Record<string, Tensor> {
  const tensor = (numbers: BigInt64Array) => new Tensor('int64', numbers, [1, ids.length]);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
}

function computeMean(states: Float32Array, tokens: number): Vector {
  const sum = new Float32Array(dimensions);
  for (let place = 0; place < tokens * dimensions; place++) {
    const index = place % dimensions;
    sum[index] = (sum[index] ?? 0) + (states[place] ?? 0);
  }
  return normalize(sum);
}

const vectorTtlMs = 3_600_000;

/**
 * Loads the model once per instance. A failed load is retried with the next text. Recent vectors are cached, because an
 * incident is embedded when it is created and when it is resolved, and people repeat questions.
 */
export function createDeployedEmbedder(): Embed {
  const folder = join(env('LAMBDA_TASK_ROOT').LAMBDA_TASK_ROOT, 'model');
  const load = memoize(loadEmbedder, Number.MAX_SAFE_INTEGER);
  // The first text that needs the model reports a failure.
  load(folder).catch(() => {});
  return memoize(async (text) => (await load(folder))(text), vectorTtlMs);
}
