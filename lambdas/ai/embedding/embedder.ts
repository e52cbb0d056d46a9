import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { dimensions, unit, type Vector } from './vector.ts';

// The model that turns a text into a vector, inside the function: no network, no quota, the same everywhere. It lies
// beside the code (bin/build-functions.ts), and its hash is checked, because vectors of another model would be compared
// with ours without anybody noticing.

/** Changes with the model, its files and the way texts are put into it; vectors of different ones are never compared. */
export const embedderName = 'all-MiniLM-L6-v2-int8.1';

export type Embed = (text: string) => Promise<Vector>;

/** An embedder that can tell single words, too. */
export interface Embedder extends Embed {
  /** The tokens of a text with what each means where it stands; "##" before those that go on with a word. */
  tokens(text: string): Promise<readonly Token[]>;
}

export interface Token {
  text: string;
  vector: Vector;
}

export const modelFiles = {
  model: {
    name: 'model_quantized.onnx',
    sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  },
  tokenizer: {
    name: 'tokenizer.json',
    sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
  },
} as const;

/** What the model was trained with; the rest of a longer text is cut off. */
const mostTokens = 256;

export async function loadEmbedder(folder: string): Promise<Embedder> {
  const [model, tokens] = await Promise.all([
    checkedFile(folder, modelFiles.model),
    checkedFile(folder, modelFiles.tokenizer),
  ]);
  // One thread: others share the processor, and a question takes a few milliseconds. The arena would keep what the
  // longest text ever took.
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
  });
  const tokenizer = new Tokenizer(JSON.parse(tokens.toString()), {});
  const read = async (text: string) => {
    const encoded = tokenizer.encode(text);
    const ids = cut(encoded.ids);
    const { last_hidden_state: states } = await session.run(inputsOf(ids));
    return { states: states!.data as Float32Array, tokens: encoded.tokens, count: ids.length };
  };
  return Object.assign(
    async (text: string) => {
      const { states, count } = await read(text);
      return meanOf(states, count);
    },
    {
      async tokens(text: string) {
        const { states, tokens, count } = await read(text);
        // The first and the last only mark the ends.
        const places = Array.from({ length: Math.max(0, count - 2) }, (_, place) => place + 1);
        return places.map((place) => {
          return { text: tokens[place]!, vector: unit(states.slice(place * dimensions, (place + 1) * dimensions)) };
        });
      },
    },
  );
}

async function checkedFile(folder: string, { name, sha256 }: { name: string; sha256: string }): Promise<Buffer> {
  const bytes = await readFile(join(folder, name));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${name} is not the file this release was made for: its hash is ${found}`);
  return bytes;
}

/** The last token ends the text, also where it was cut. */
function cut(ids: readonly number[]): readonly number[] {
  return ids.length <= mostTokens ? ids : [...ids.slice(0, mostTokens - 1), ids.at(-1)!];
}

function inputsOf(ids: readonly number[]): Record<string, Tensor> {
  const tensor = (numbers: BigInt64Array) => new Tensor('int64', numbers, [1, ids.length]);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
}

function meanOf(states: Float32Array, tokens: number): Vector {
  const sum = new Float32Array(dimensions);
  for (let token = 0; token < tokens; token++) {
    for (let index = 0; index < dimensions; index++) sum[index]! += states[token * dimensions + index]!;
  }
  return unit(sum);
}
