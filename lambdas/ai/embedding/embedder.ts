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

/** Reads two texts together. */
export type Compare = (one: string, other: string) => Promise<Comparison>;

/** Probabilities. */
export interface Comparison {
  /** The other text answers the one. */
  answers: number;
  /** Both ask the same. */
  same: number;
}

export interface Encoder {
  embed: Embed;
  compare: Compare;
}

/** The model was trained with these lengths. Longer texts are truncated. */
const maxTokens = 256;
const maxPairTokens = 128;

export async function loadEncoder(folder: string): Promise<Encoder> {
  const [model, tokens, headsJson] = await Promise.all([
    readCheckedFile(folder, modelFiles.model),
    readCheckedFile(folder, modelFiles.tokenizer),
    readCheckedFile(folder, modelFiles.heads),
  ]);
  // One thread, because other requests share the processor and a question takes a few milliseconds. The memory arena would
  // never release the memory of the longest text.
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
  });
  const tokenizer = new Tokenizer(JSON.parse(tokens.toString()), {});
  const heads: Record<keyof Comparison, Head> = JSON.parse(headsJson.toString());
  // One text per run: the int8 kernels scale activations per run, so the vector of a text would depend on its batch
  // (cosine 0.985). A batch would not save processor time (docs/decisions/0042).
  const run = async (ids: readonly number[], otherStart: number): Promise<Float32Array> => {
    const { last_hidden_state: states } = await session.run(toInputs(ids, otherStart));
    if (!states) throw new Error('the model returned no states');
    return states.data as Float32Array;
  };
  return {
    async embed(text) {
      const ids = truncate(tokenizer.encode(text).ids, maxTokens);
      return normalize(computeMean(await run(ids, ids.length), 0, ids.length));
    },
    async compare(one, other) {
      const [ids, start] = joinPair(tokenizer.encode(one).ids, tokenizer.encode(other).ids);
      const states = await run(ids, start);
      const [first, second] = [computeMean(states, 0, start), computeMean(states, start, ids.length)];
      const difference = first.map((value, index) => Math.abs(value - (second[index] ?? 0)));
      const features = [...states.subarray(0, dimensions), ...first, ...second, ...difference];
      return { answers: applyHead(heads.answers, features), same: applyHead(heads.same, features) };
    },
  };
}

interface Head {
  bias: number;
  weights: readonly number[];
}

function applyHead({ bias, weights }: Head, features: readonly number[]): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), bias)));
}

/** Each text ends with its own end token; the second one has no start token. Returns where it starts. */
function joinPair(one: readonly number[], other: readonly number[]): [ids: number[], start: number] {
  const second = other.slice(1);
  const excess = Math.max(0, one.length + second.length - maxPairTokens);
  const fromSecond = Math.min(excess, Math.max(0, second.length - one.length, Math.ceil(excess / 2)));
  const shortened = truncate(one, one.length - (excess - fromSecond));
  return [[...shortened, ...truncate(second, second.length - fromSecond)], shortened.length];
}

async function readCheckedFile(folder: string, { name, sha256 }: { name: string; sha256: string }): Promise<Buffer> {
  const bytes = await readFile(join(folder, name));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${name} is not the file of this release: its hash is ${found}`);
  return bytes;
}

/** Keeps the end token. */
function truncate(ids: readonly number[], max: number): readonly number[] {
  return ids.length <= max ? ids : [...ids.slice(0, max - 1), ...ids.slice(-1)];
}

function toInputs(ids: readonly number[], otherStart: number): Record<string, Tensor> {
  const tensor = (numbers: BigInt64Array) => new Tensor('int64', numbers, [1, ids.length]);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length).fill(1n, otherStart)),
  };
}

function computeMean(states: Float32Array, start: number, end: number): Float32Array {
  const mean = new Float32Array(dimensions);
  for (let place = start * dimensions; place < end * dimensions; place++) {
    const index = place % dimensions;
    mean[index] = (mean[index] ?? 0) + (states[place] ?? 0) / (end - start);
  }
  return mean;
}

const vectorTtlMs = 3_600_000;

/**
 * Loads the model once per instance. A failed load is retried with the next text. Recent vectors are cached, because an
 * incident is embedded when it is created and when it is resolved, and people repeat questions.
 */
export function createDeployedEncoder(): Encoder {
  const folder = join(env('LAMBDA_TASK_ROOT').LAMBDA_TASK_ROOT, 'model');
  const load = memoize(loadEncoder, Number.MAX_SAFE_INTEGER);
  // The first text that needs the model reports a failure.
  load(folder).catch(() => {});
  return {
    embed: memoize(async (text) => (await load(folder)).embed(text), vectorTtlMs),
    compare: async (one, other) => (await load(folder)).compare(one, other),
  };
}
