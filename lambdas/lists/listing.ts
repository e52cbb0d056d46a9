import { idAlphabet } from '../../contract/ids.ts';
import {
  findFrequentWords,
  findIdentifiers,
  hashFrequent,
  hashIdentifier,
  hashMember,
  hashTier,
  hashWord,
  splitWords,
} from './words.ts';

// The part of a record that lists need: the fields to filter and sort by, and hashes of its words, packed into the
// single attribute that the index `feed` projects. Every record type names its fields in a spec. Writers encode a
// listing with every version; replicas decode it.
//
// Bytes: format, flags, number (5), times (6 each), enums (1 each), strings (length + 1 as varint, UTF-8; 0 is null),
// count of words as varint, words (4 each, signed, ascending). All numbers are little-endian; a time or an enum of 0 is
// null. Each later format has the times and strings that a spec gained after records were stored; in earlier ones they are
// missing and read as null.

export interface ListingSpec {
  /** As in the feed's partitions, `<type>#<shard>`. */
  type: string;
  /** The part of an id before its seven characters. */
  idPrefix: string;
  /** In addition to created_at and updated_at. */
  times: readonly string[];
  /** How many of the last times and strings each format after the first one added. */
  added?: readonly { times?: number; strings?: number }[];
  /** Times whose nulls come last in both orders; other nulls count as the earliest time. */
  nullsLast?: readonly string[];
  /** Times that sort the rows of equal value in an enum; rows without such a time are last of them. */
  within?: Readonly<Record<string, string>>;
  /** All values in sort order; at most 255. */
  enums: Readonly<Record<string, readonly string[]>>;
  /** Filtered by equality. */
  strings: readonly string[];
  /**
   * Full-text search fields, most important first, because the number of words is limited. The id is always included.
   */
  words: readonly string[];
  /** Lists of strings, filtered by all of the given members. */
  sets?: readonly string[];
  /** IDs of other records, filtered by any of the given ones. */
  references?: readonly string[];
  /** Fields whose words have a higher weight in ranked results. Without it, results are not ranked. */
  relevance?: readonly { fields: readonly string[]; weight: number }[];
  /**
   * A string column that refers to records of the same type: a letter for the kind of the edge and the id without its
   * prefix, separated by spaces.
   */
  edges?: string;
  /** Replaces the default limit. */
  maxWords?: number;
}

/** Fields that the spec does not name are ignored. */
export type ListedRecord = Readonly<Record<string, unknown>> & {
  id: string;
  created_at: string;
  updated_at: string;
  deleted?: boolean | undefined;
};

/** Columns are in the order of the spec; times start with created_at and updated_at. */
export interface Listing {
  number: number;
  deleted: boolean;
  /** Milliseconds since the epoch; 0 is null. */
  times: number[];
  /** The index of the value in the spec plus one; 0 is null. */
  enums: number[];
  strings: (string | null)[];
  /** Hashes in ascending order. */
  words: Int32Array;
}

export function splitEdges({ idPrefix }: ListingSpec, edges: string | null): { letter: string; target: string }[] {
  if (edges === null) return [];
  return edges.split(' ').map((edge) => ({ letter: edge.charAt(0), target: idPrefix + edge.slice(1) }));
}

/** A longer text is found by its first words only, which keeps index items within a few capacity units. */
export const defaultMaxWords = 500;

export function listTimeColumns(spec: ListingSpec): string[] {
  return ['created_at', 'updated_at', ...spec.times];
}

export function encodeListing(spec: ListingSpec, record: ListedRecord): Uint8Array {
  const number = parseRecordNumber(record.id, spec.idPrefix);
  if (number === undefined) throw new Error(`${record.id} is not the id of a ${spec.type}`);
  const strings = spec.strings.map((name) => getString(record, name));
  const texts = strings.map((text) => (text === null ? null : encoder.encode(text)));
  const words = collectWords(spec, record);
  const times = listTimeColumns(spec);
  const enums = Object.entries(spec.enums);
  const size = texts.reduce((sum, text) => sum + 5 + (text?.byteLength ?? 0), 12 + times.length * 6 + enums.length);
  const writer = new Writer(size + words.length * 4);
  writer.integer(getFormat(spec), 1);
  writer.integer(record.deleted === true ? deletedFlag : 0, 1);
  writer.integer(number, 5);
  for (const name of times) writer.integer(getTime(record, name), 6);
  for (const [name, values] of enums) writer.integer(getEnumCode(record, name, values), 1);
  for (const text of texts) writer.text(text);
  writer.varint(words.length);
  for (const word of words) writer.integer(word >>> 0, 4);
  return writer.toBytes();
}

export function decodeListing(spec: ListingSpec, bytes: Uint8Array): Listing {
  const reader = new Reader(bytes);
  const found = reader.integer(1);
  if (found < 1 || found > getFormat(spec)) {
    throw new Error(`a listing has format ${found}; this release reads ${getFormat(spec)}`);
  }
  const countMissing = (column: 'times' | 'strings') =>
    (spec.added ?? []).slice(found - 1).reduce((sum, added) => sum + (added[column] ?? 0), 0);
  const [missing, missingStrings] = [countMissing('times'), countMissing('strings')];
  const deleted = (reader.integer(1) & deletedFlag) !== 0;
  const number = reader.integer(5);
  const columns = listTimeColumns(spec);
  const times = columns.map((_, index) => (index < columns.length - missing ? reader.integer(6) : 0));
  const enums = Object.keys(spec.enums).map(() => reader.integer(1));
  const strings = spec.strings.map((_, index) => (index < spec.strings.length - missingStrings ? reader.text() : null));
  const words = new Int32Array(reader.varint());
  for (let index = 0; index < words.length; index++) words[index] = reader.integer(4) | 0;
  reader.end();
  return { number, deleted, times, enums, strings, words };
}

function getFormat({ added = [] }: ListingSpec): number {
  return 1 + added.length;
}

const deletedFlag = 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function collectWords(spec: ListingSpec, record: ListedRecord): Int32Array {
  // A deleted record is in no list, so it needs no words.
  if (record.deleted === true) return new Int32Array();
  const maxWords = spec.maxWords ?? defaultMaxWords;
  const hashes = new Set<number>();
  for (const hash of listTermHashes(spec, record)) {
    if (hashes.size === maxWords) break;
    hashes.add(hash);
  }
  return Int32Array.from(hashes).sort();
}

/** Terms that must not be cut off come first. */
function* listTermHashes(spec: ListingSpec, record: ListedRecord): Iterable<number> {
  for (const name of [...(spec.sets ?? []), ...(spec.references ?? [])])
    for (const member of getMembers(record, name)) yield hashMember(name, member);
  const texts = spec.words.flatMap((name) => getMembers(record, name));
  if (spec.relevance) {
    for (const [tier, { fields }] of spec.relevance.entries()) {
      for (const word of splitWords(fields.flatMap((name) => getMembers(record, name)))) yield hashTier(tier, word);
    }
    const all = texts.join('\n');
    for (const identifier of findIdentifiers(all)) yield hashIdentifier(identifier);
    for (const word of findFrequentWords(all)) yield hashFrequent(word);
  }
  for (const word of splitWords(texts)) yield hashWord(word);
}

/** The strings of a list, or the single string. */
function getMembers(record: ListedRecord, name: string): readonly string[] {
  const value = record[name];
  if (Array.isArray(value)) return value;
  const text = getString(record, name);
  return text === null ? [] : [text];
}

function getString(record: ListedRecord, name: string): string | null {
  const value = record[name] ?? null;
  if (value !== null && typeof value !== 'string') throw new Error(`${name} of ${record.id} is not a string`);
  return value;
}

function getTime(record: ListedRecord, name: string): number {
  const text = getString(record, name);
  if (text === null) return 0;
  const time = Date.parse(text);
  if (!(time > 0)) throw new Error(`${name} of ${record.id} is not a time: ${text}`);
  return time;
}

function getEnumCode(record: ListedRecord, name: string, values: readonly string[]): number {
  const value = getString(record, name);
  if (value === null) return 0;
  const index = values.indexOf(value);
  if (index < 0 || index > 254)
    throw new Error(`${name} of ${record.id} is ${value}, which is not an enum value of the listing`);
  return index + 1;
}

class Writer {
  private readonly bytes: Uint8Array;
  private length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  integer(value: number, size: number): void {
    let rest = value;
    for (let index = 0; index < size; index++) {
      this.bytes[this.length++] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }

  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  text(utf8: Uint8Array | null): void {
    this.varint(utf8 === null ? 0 : utf8.byteLength + 1);
    if (utf8 === null) return;
    this.bytes.set(utf8, this.length);
    this.length += utf8.byteLength;
  }

  toBytes(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

class Reader {
  private readonly bytes: Uint8Array;
  private position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  integer(size: number): number {
    this.need(size);
    let value = 0;
    for (let index = size - 1; index >= 0; index--) value = value * 256 + (this.bytes[this.position + index] ?? 0);
    this.position += size;
    return value;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.integer(1);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new Error('a number in a listing is not terminated');
  }

  text(): string | null {
    const length = this.varint() - 1;
    if (length < 0) return null;
    this.need(length);
    this.position += length;
    return decoder.decode(this.bytes.subarray(this.position - length, this.position));
  }

  end(): void {
    if (this.position !== this.bytes.byteLength) throw new Error('a listing has trailing bytes');
  }

  private need(size: number): void {
    if (this.position + size > this.bytes.byteLength) throw new Error('a listing is truncated');
  }
}

// Ids are a prefix and seven Crockford base-32 characters, that is 35 bits, which a replica stores as a number. Numbers
// sort like ids, because the alphabet is in ASCII order.

export const recordNumberLimit = 2 ** 35;

/** Undefined when the text is not an id; search words are passed here, too. */
export function parseRecordNumber(id: string, prefix: string): number | undefined {
  if (id.length !== prefix.length + length || !id.startsWith(prefix)) return undefined;
  let number = 0;
  for (let index = prefix.length; index < id.length; index++) {
    const digit = idAlphabet.indexOf(id.charAt(index));
    if (digit < 0) return undefined;
    number = number * 32 + digit;
  }
  return number;
}

export function formatRecordId(number: number, prefix: string): string {
  let id = '';
  for (let rest = number, index = 0; index < length; index++) {
    id = idAlphabet[rest % 32] + id;
    rest = Math.floor(rest / 32);
  }
  return prefix + id;
}

const length = 7;

/** More than any time in milliseconds until the year 2286. The value of an enum and a time fit into one exact number. */
export const rankStep = 1e13;

/** The place of a row by an enum and a time within it. */
export function toRank(code: number, timeMs: number): number {
  return code * rankStep + (timeMs || rankStep - 1);
}
