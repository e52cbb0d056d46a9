import * as z from 'zod';
import { packedBytes } from '../embedding/vector.ts';
import type { Terms } from './terms.ts';

// What is learned of a record, in the bytes that the feed projects: what it says of itself, the vectors of its passages
// and their words. A record that is not to be found any more (a draft, a reopened incident) keeps an empty entry, so
// that those who follow the feed forget it.
//
// Bytes: format, length of the facts (2), facts as JSON; then per passage its vector, its length in words (2), count of
// different words (2), and per word hash (4) and count (1). Little-endian.

const incidentFacts = z.object({
  kind: z.literal('incident'),
  category: z.string().nullable(),
  subcategory: z.string().nullable(),
  priority: z.string(),
  assignment_group: z.string().nullable(),
  problem: z.string().nullable(),
  minutes: z.number(),
  has_resolution: z.boolean(),
});

const articleFacts = z.object({ kind: z.literal('article'), title: z.string() });

const facts = z.discriminatedUnion('kind', [incidentFacts, articleFacts]);

export type IncidentFacts = z.infer<typeof incidentFacts>;
export type Facts = z.infer<typeof facts>;

export interface LearnedPassage {
  /** As `packed` makes it. */
  vector: Uint8Array;
  terms: Terms;
}

export interface Learned {
  facts: Facts;
  passages: readonly LearnedPassage[];
}

const format = 1;

export const forgotten = Uint8Array.of(format, 0, 0);

export function encodeLearned({ facts: given, passages }: Learned): Uint8Array {
  const text = Buffer.from(JSON.stringify(given));
  const size = passages.reduce((sum, { terms }) => sum + packedBytes + 4 + terms.hashes.length * 5, 3 + text.length);
  const bytes = Buffer.alloc(size);
  bytes.writeUInt8(format, 0);
  bytes.writeUInt16LE(text.length, 1);
  let place = 3 + text.copy(bytes, 3);
  for (const { vector, terms } of passages) {
    bytes.set(vector, place);
    place = bytes.writeUInt16LE(Math.min(terms.length, 65_535), place + packedBytes);
    place = bytes.writeUInt16LE(terms.hashes.length, place);
    for (const [index, hash] of terms.hashes.entries()) {
      place = bytes.writeUInt8(terms.counts[index]!, bytes.writeInt32LE(hash, place));
    }
  }
  return bytes;
}

/** Undefined for what was forgotten. */
export function decodeLearned(given: Uint8Array): Learned | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.readUInt8(0) !== format) throw new Error('something learned has a format that this release does not read');
  const length = bytes.readUInt16LE(1);
  if (length === 0) return undefined;
  const passages: LearnedPassage[] = [];
  let place = 3 + length;
  while (place < bytes.length) {
    const vector = bytes.subarray(place, place + packedBytes);
    const words = bytes.readUInt16LE(place + packedBytes);
    const count = bytes.readUInt16LE(place + packedBytes + 2);
    place += packedBytes + 4;
    const terms = { hashes: new Int32Array(count), counts: new Uint8Array(count), length: words };
    for (let index = 0; index < count; index++, place += 5) {
      terms.hashes[index] = bytes.readInt32LE(place);
      terms.counts[index] = bytes.readUInt8(place + 4);
    }
    passages.push({ vector, terms });
  }
  return { facts: facts.parse(JSON.parse(bytes.subarray(3, 3 + length).toString())), passages };
}
