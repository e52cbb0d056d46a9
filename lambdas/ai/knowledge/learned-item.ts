import { packedBytes } from '../embedding/vector.ts';
import type { Terms } from './terms.ts';

// What is learned of a record, in the bytes that the feed projects: facts for filters and votes, and the vectors and
// words of its units. A record that must not be found any more (a draft, a reopened incident) keeps an empty entry, so
// that followers of the feed forget it.
//
// Bytes: format, length of the facts (2), facts as JSON; then per unit its level (1), its passage (2), its vector, its
// length in words (2), count of different words (2), and per word hash (4) and count (1). Little-endian.

export interface IncidentFacts {
  kind: 'incident';
  title: string;
  open: boolean;
  category: string | null;
  subcategory: string | null;
  priority: string;
  assignment_group: string | null;
  problem: string | null;
  minutes: number;
  has_resolution: boolean;
}

export interface ArticleFacts {
  kind: 'article';
  title: string;
}

export type Facts = IncidentFacts | ArticleFacts;

/** A vector stands for the whole record, for one passage of it, or for one sentence of a passage. */
export const levels = ['record', 'passage', 'sentence'] as const;

export type Level = (typeof levels)[number];

export interface LearnedUnit {
  level: Level;
  /** The place of the passage within the record. */
  passage: number;
  /** As `packed` makes it. */
  vector: Uint8Array;
  terms: Terms;
}

export interface Learned {
  facts: Facts;
  units: readonly LearnedUnit[];
}

export const learnedFormat = 2;

export const forgotten = Uint8Array.of(learnedFormat, 0, 0);

export function encodeLearned({ facts, units }: Learned): Uint8Array {
  const text = Buffer.from(JSON.stringify(facts));
  const size = units.reduce((sum, { terms }) => sum + 7 + packedBytes + terms.hashes.length * 5, 3 + text.length);
  const bytes = Buffer.alloc(size);
  bytes.writeUInt8(learnedFormat, 0);
  bytes.writeUInt16LE(text.length, 1);
  let place = 3 + text.copy(bytes, 3);
  for (const { level, passage, vector, terms } of units) {
    place = bytes.writeUInt16LE(passage, bytes.writeUInt8(levels.indexOf(level), place));
    bytes.set(vector, place);
    place = bytes.writeUInt16LE(Math.min(terms.length, 65_535), place + packedBytes);
    place = bytes.writeUInt16LE(terms.hashes.length, place);
    for (const [index, hash] of terms.hashes.entries()) {
      place = bytes.writeUInt8(terms.counts[index] ?? 0, bytes.writeInt32LE(hash, place));
    }
  }
  return bytes;
}

/** Undefined for a forgotten record. */
export function decodeLearned(given: Uint8Array): Learned | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.readUInt8(0) !== learnedFormat)
    throw new Error('a learned record has a format that this release does not read');
  const length = bytes.readUInt16LE(1);
  if (length === 0) return undefined;
  const units: LearnedUnit[] = [];
  let place = 3 + length;
  while (place < bytes.length) {
    const level = levels[bytes.readUInt8(place)] ?? 'record';
    const passage = bytes.readUInt16LE(place + 1);
    const vector = bytes.subarray(place + 3, place + 3 + packedBytes);
    place += 3 + packedBytes;
    const words = bytes.readUInt16LE(place);
    const count = bytes.readUInt16LE(place + 2);
    place += 4;
    const terms = { hashes: new Int32Array(count), counts: new Uint8Array(count), length: words };
    for (let index = 0; index < count; index++, place += 5) {
      terms.hashes[index] = bytes.readInt32LE(place);
      terms.counts[index] = bytes.readUInt8(place + 4);
    }
    units.push({ level, passage, vector, terms });
  }
  return { facts: JSON.parse(bytes.toString('utf8', 3, 3 + length)), units };
}
