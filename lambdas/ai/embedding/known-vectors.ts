import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Embed } from './embedder.ts';
import { packedBytes, unpackVector, type Vector } from './vector.ts';

// Vectors of texts that are known when the package is built. On one machine these are the texts of the demo, so that the
// AI layer knows them seconds after the first start; a text takes the model a few hundredths of a second, and there are
// hundreds. In the cloud there are none, and no file.
//
// Bytes: the hash of the embedder's name, then per text its hash and its vector, packed.

const hashBytes = 16;
const entryBytes = hashBytes + packedBytes;

export type KnownVectors = (text: string) => Vector | undefined;

/** None when there is no such file. Vectors of another embedder are refused: they would be compared with ours. */
export function readKnownVectors(file: string, embedder: string): KnownVectors {
  if (!existsSync(file)) return () => undefined;
  const known = decodeKnown(readFileSync(file), embedder);
  return (text) => {
    const bytes = known.get(hashText(text).toString('base64'));
    return bytes && unpackVector(bytes);
  };
}

/** Loads the model with the first unknown text: loading takes a second and 140 MB. */
export function preferKnownVectors(known: KnownVectors, makeEmbedder: () => Embed): Embed {
  let embed: Embed | undefined;
  return async (text) => {
    const vector = known(text);
    if (vector) return vector;
    embed ??= makeEmbedder();
    return embed(text);
  };
}

function decodeKnown(bytes: Buffer, embedder: string): Map<string, Uint8Array> {
  const isOurs = bytes.subarray(0, hashBytes).equals(hashText(embedder));
  if (!isOurs || (bytes.length - hashBytes) % entryBytes !== 0) {
    throw new Error(`the vectors made ahead are not those of ${embedder}; npm run generate -- --all makes them`);
  }
  const known = new Map<string, Uint8Array>();
  for (let place = hashBytes; place < bytes.length; place += entryBytes) {
    const vector = bytes.subarray(place + hashBytes, place + entryBytes);
    known.set(bytes.toString('base64', place, place + hashBytes), vector);
  }
  return known;
}

/** In the order of their hashes, so that the same texts always give the same file. */
export function encodeKnown(vectors: ReadonlyMap<string, Uint8Array>, embedder: string): Buffer {
  const entries = [...vectors].map(([text, vector]) => Buffer.concat([hashText(text), vector]));
  return Buffer.concat([hashText(embedder), ...entries.sort(Buffer.compare)]);
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, hashBytes);
}
