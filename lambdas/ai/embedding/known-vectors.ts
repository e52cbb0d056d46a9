import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Embed } from './embedder.ts';
import { packedBytes, unpackVector, type Vector } from './vector.ts';

// Vectors of texts that are known at build time. Locally these are the hundreds of texts of the demo data, so that the
// first start does not have to embed them. In the cloud there is no such file.
//
// Bytes: the hash of the embedder's name (16), then per text its hash (16) and its packed vector.

const hashBytes = 16;
const entryBytes = hashBytes + packedBytes;

export type KnownVectors = (text: string) => Vector | undefined;

/** Knows no vectors if the file does not exist. Throws if another embedder made them. */
export function readKnownVectors(file: string, embedder: string): KnownVectors {
  if (!existsSync(file)) return () => undefined;
  const known = decodeKnown(readFileSync(file), embedder);
  return (text) => {
    const bytes = known.get(hashText(text).toString('base64'));
    return bytes && unpackVector(bytes);
  };
}

/** Creates the embedder with the first unknown text, because loading the model takes a second and 140 MB. */
export function preferKnownVectors(known: KnownVectors, createEmbedder: () => Embed): Embed {
  let embed: Embed | undefined;
  return async (text) => {
    const vector = known(text);
    if (vector) return vector;
    embed ??= createEmbedder();
    return embed(text);
  };
}

function decodeKnown(bytes: Buffer, embedder: string): Map<string, Uint8Array> {
  const isOurs = bytes.subarray(0, hashBytes).equals(hashText(embedder));
  if (!isOurs || (bytes.length - hashBytes) % entryBytes !== 0) {
    throw new Error(`the known vectors are not of ${embedder}; generate them with npm run generate -- --all`);
  }
  const known = new Map<string, Uint8Array>();
  for (let place = hashBytes; place < bytes.length; place += entryBytes) {
    const vector = bytes.subarray(place + hashBytes, place + entryBytes);
    known.set(bytes.toString('base64', place, place + hashBytes), vector);
  }
  return known;
}

/** Sorted by hash, so that the same texts always give the same file. */
export function encodeKnown(vectors: ReadonlyMap<string, Uint8Array>, embedder: string): Buffer {
  const entries = [...vectors].map(([text, vector]) => Buffer.concat([hashText(text), vector]));
  return Buffer.concat([hashText(embedder), ...entries.sort(Buffer.compare)]);
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, hashBytes);
}
