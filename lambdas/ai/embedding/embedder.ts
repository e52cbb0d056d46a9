import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { env } from '../../platform/env.ts';
import { memoize } from '../../platform/memoize.ts';
import { modelFiles } from './model-files.ts';
import { dimensions, normalize, type Vector } from './vector.ts';

// Turns texts into vectors inside the function: no network, no quota, the same model everywhere. The files lie beside the
// code (bin/build-functions.ts). Their hashes are checked, because vectors of another model would be compared with ours
// without anybody noticing.

export type Embed = (text: string) => Promise<Vector>;

/** The length that the model was trained with; longer texts are truncated. */
const maxTokens = 256;

export async function loadEmbedder(folder: string): Promise<Embed> {
  const [model, tokens] = await Promise.all([
    readCheckedFile(folder, modelFiles.model),
    readCheckedFile(folder, modelFiles.tokenizer),
  ]);
  // One thread: other requests share the processor, and a question takes a few milliseconds. The memory arena would
  // keep as much memory as the longest text ever needed.
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
  });
  const tokenizer = new Tokenizer(JSON.parse(tokens.toString()), {});
  // One text per run: the int8 kernels scale activations per run, so a text's vector would depend on its batch
  // (cosine 0.985 between the two), and a batch takes as much processor time per text (docs/decisions/0043).
  return async (text) => {
    const ids = truncate(tokenizer.encode(text).ids);
    const { last_hidden_state: states } = await session.run(toInputs(ids));
    if (!states) throw new Error('the model gave no states');
    return meanVector(states.data as Float32Array, ids.length);
  };
}

async function readCheckedFile(folder: string, { name, sha256 }: { name: string; sha256: string }): Promise<Buffer> {
  const bytes = await readFile(join(folder, name));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${name} is not the file this release was made for: its hash is ${found}`);
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

function meanVector(states: Float32Array, tokens: number): Vector {
  const sum = new Float32Array(dimensions);
  for (let place = 0; place < tokens * dimensions; place++) {
    const index = place % dimensions;
    sum[index] = (sum[index] ?? 0) + (states[place] ?? 0);
  }
  return normalize(sum);
}

const vectorTtlMs = 3_600_000;

/**
 * The model beside the function's code, loaded once per instance; a failed load is tried again with the next text. Recent
 * texts are cached: an incident is embedded when it is created and when it is resolved, and people repeat questions.
 */
export function deployedEmbedder(): Embed {
  const folder = join(env('LAMBDA_TASK_ROOT').LAMBDA_TASK_ROOT, 'model');
  const load = memoize(loadEmbedder, Number.MAX_SAFE_INTEGER);
  // The first text that needs the model reports a failure.
  load(folder).catch(() => {});
  return memoize(async (text) => (await load(folder))(text), vectorTtlMs);
}
