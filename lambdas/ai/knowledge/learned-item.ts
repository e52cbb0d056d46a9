import { packedBytes } from '../embedding/vector.ts';
import type { Terms } from './terms.ts';

// Encodes what was learned of a record: facts for filters and votes, and the vectors and words of its units. A record that
// must not be found any more (a draft, a cancelled incident) keeps an empty entry, so that readers of the feed remove it.
//
// Bytes: format (1), length of the facts (2), facts as JSON; then per unit its level (1), its passage (2), its vector, its
// number of words (2), its number of distinct words (2), and per word hash (4) and count (1). Little-endian.

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

/** Problems are not searched: `known-errors.ts` reads the few that are known errors. */
export interface ProblemFacts {
  kind: 'problem';
  title: string;
}

export type Facts = IncidentFacts | ArticleFacts | ProblemFacts;

const levels = ['record', 'passage', 'sentence'] as const;

/** The whole record, one of its passages, or a sentence of a passage. */
export interface LearnedUnit {
  level: (typeof levels)[number];
  /** The index of the passage within the record. */
  passage: number;
  /** Packed by `packVector`. */
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
  const size = units.reduce(
    (sum, { terms }) => sum + 3 + packedBytes + termsHeadBytes + terms.hashes.length * termBytes,
    3 + text.length,
  );
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

/** A range of an item or of a snapshot. */
export interface LearnedBytes {
  bytes: Buffer;
  start: number;
  end: number;
}

export function toLearnedBytes(source: Uint8Array): LearnedBytes {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.readUInt8(0) !== learnedFormat) throw new Error('unknown format of a learned record');
  return { bytes, start: 0, end: bytes.length };
}

/** Returns undefined for a forgotten record. */
export function decodeLearned(source: Uint8Array): Learned | undefined {
  const learned = toLearnedBytes(source);
  if (isForgotten(learned)) return undefined;
  const { bytes } = learned;
  const units = readUnits(learned).map(({ level, passage, vectorStart, termsStart }) => {
    const vector = bytes.subarray(vectorStart, vectorStart + packedBytes);
    return { level, passage, vector, terms: readTerms(bytes, termsStart) };
  });
  return { facts: readFacts(learned), units };
}

export function isForgotten({ bytes, start }: LearnedBytes): boolean {
  return bytes.readUInt16LE(start + 1) === 0;
}

export function readFacts({ bytes, start }: LearnedBytes): Facts {
  return JSON.parse(bytes.toString('utf8', start + 3, start + 3 + bytes.readUInt16LE(start + 1)));
}

interface UnitPosition extends Pick<LearnedUnit, 'level' | 'passage'> {
  vectorStart: number;
  termsStart: number;
}

export function readUnits({ bytes, start, end }: LearnedBytes): UnitPosition[] {
  const units: UnitPosition[] = [];
  for (let place = start + 3 + bytes.readUInt16LE(start + 1); place < end; ) {
    const level = levels[bytes.readUInt8(place)] ?? 'record';
    const termsStart = place + 3 + packedBytes;
    units.push({ level, passage: bytes.readUInt16LE(place + 1), vectorStart: place + 3, termsStart });
    place = termsStart + termsHeadBytes + termBytes * bytes.readUInt16LE(termsStart + 2);
  }
  return units;
}

/** The number of words and of distinct words. */
export const termsHeadBytes = 4;

/** The hash and the count of a word. */
export const termBytes = 5;

export function readTerms(bytes: Buffer, start: number): Terms {
  const count = bytes.readUInt16LE(start + 2);
  const terms = { hashes: new Int32Array(count), counts: new Uint8Array(count), length: bytes.readUInt16LE(start) };
  for (let index = 0, place = start + termsHeadBytes; index < count; index++, place += termBytes) {
    terms.hashes[index] = bytes.readInt32LE(place);
    terms.counts[index] = bytes.readUInt8(place + 4);
  }
  return terms;
}
