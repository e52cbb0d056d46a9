import { requireValue } from '../platform/require-value.ts';
import { Chunk, chunkRows } from './chunk.ts';
import { decodeListing, type Listing, type ListingSpec, parseRecordNumber } from './listing.ts';

// An in-memory columnar copy of all records of one type, so that any combination of filters, words and sort order is a
// scan over typed arrays. Entries may arrive repeatedly and in any order: the newest version wins.

export class Replica {
  readonly spec: ListingSpec;
  readonly chunks: Chunk[] = [];
  readonly dictionaries: readonly Dictionary[];
  private readonly index = new NumberIndex((row) => this.getNumber(row));
  /** The number of entries that changed something. */
  private changeCount = 0;

  constructor(spec: ListingSpec) {
    this.spec = spec;
    this.dictionaries = spec.strings.map(() => new Dictionary());
  }

  get rows(): number {
    return this.chunks.reduce((sum, { rows }) => sum + rows, 0);
  }

  get liveRows(): number {
    return this.chunks.reduce((sum, { liveRows }) => sum + liveRows, 0);
  }

  get changes(): number {
    return this.changeCount;
  }

  /** The size of the typed arrays. */
  get bytes(): number {
    return this.chunks.reduce((sum, { bytes }) => sum + bytes, this.index.bytes);
  }

  /** Undefined when the replica does not have the record. */
  findRow(id: string): number | undefined {
    const number = parseRecordNumber(id, this.spec.idPrefix);
    return number === undefined ? undefined : this.index.findRow(number);
  }

  /** Whether the replica has this version of the record or a newer one. */
  hasVersion(id: string, updatedAtMs: number): boolean {
    const row = this.findRow(id);
    return row !== undefined && this.getChunk(row).updatedAt(row % chunkRows) >= updatedAtMs;
  }

  applyEncoded(bytes: Uint8Array): void {
    this.apply(decodeListing(this.spec, bytes));
  }

  apply(listing: Listing): void {
    const row = this.index.findRow(listing.number);
    if (row === undefined) {
      this.insert(listing);
      return;
    }
    const chunk = this.getChunk(row);
    const index = row % chunkRows;
    if (requireValue(listing.times[1]) <= chunk.updatedAt(index)) return;
    chunk.write(index, listing, this.toCodes(listing));
    this.changeCount++;
  }

  /** Adds a chunk from a snapshot. All chunks except the last must be full. */
  adopt(chunk: Chunk): void {
    const before = this.chunks.at(-1);
    if (before && before.rows < chunkRows) throw new Error('all chunks except the last must be full');
    const first = this.chunks.length * chunkRows;
    this.chunks.push(chunk);
    this.index.reserve(chunk.rows);
    for (let row = 0; row < chunk.rows; row++) this.index.add(chunk.number(row), first + row);
  }

  private insert(listing: Listing): void {
    let chunk = this.chunks.at(-1);
    if (!chunk || chunk.rows === chunkRows) {
      chunk = new Chunk(this.spec);
      this.chunks.push(chunk);
    }
    const row = (this.chunks.length - 1) * chunkRows + chunk.rows;
    chunk.append(listing, this.toCodes(listing));
    this.index.add(listing.number, row);
    this.changeCount++;
  }

  /** A deleted record is in no list, so its strings need no codes. */
  private toCodes({ strings, deleted }: Listing): number[] {
    return strings.map((text, column) => (deleted ? 0 : requireValue(this.dictionaries[column]).add(text)));
  }

  private getChunk(row: number): Chunk {
    return requireValue(this.chunks[Math.floor(row / chunkRows)]);
  }

  private getNumber(row: number): number {
    return this.getChunk(row).number(row % chunkRows);
  }
}

/** Interns strings that many records share. Code 0 means null. It only grows; each snapshot starts with a new one. */
export class Dictionary {
  private readonly codes = new Map<string, number>();
  private readonly texts: string[] = [];

  get size(): number {
    return this.texts.length;
  }

  /** Undefined when no record ever had the text. */
  findCode(text: string | null): number | undefined {
    return text === null ? 0 : this.codes.get(text);
  }

  add(text: string | null): number {
    if (text === null) return 0;
    const known = this.codes.get(text);
    if (known !== undefined) return known;
    this.texts.push(text);
    this.codes.set(text, this.texts.length);
    return this.texts.length;
  }

  /** Ordered by code, starting with 1. */
  values(): readonly string[] {
    return this.texts;
  }
}

/** Finds the row of a record number. An open-addressing hash table of rows; the numbers stay in the rows. */
export class NumberIndex {
  private readonly numberAt: (row: number) => number;
  /** The row plus one; 0 means free. */
  private slots = new Int32Array(initialSlots);
  private size = 0;

  constructor(numberAt: (row: number) => number) {
    this.numberAt = numberAt;
  }

  get bytes(): number {
    return this.slots.byteLength;
  }

  /** Undefined when the number has no row. */
  findRow(number: number): number | undefined {
    const occupant = this.slots[this.findSlot(number)] ?? 0;
    return occupant === 0 ? undefined : occupant - 1;
  }

  /** Adds a new number; the row must already hold it. */
  add(number: number, row: number): void {
    if (++this.size > this.slots.length * maxLoad) this.grow();
    this.slots[this.findSlot(number)] = row + 1;
  }

  /** Makes room for this many further numbers. */
  reserve(numbers: number): void {
    while (this.size + numbers > this.slots.length * maxLoad) this.grow();
  }

  /** The slot of the number, or the free slot where it belongs. There is always a free one. */
  private findSlot(number: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(number) & mask;
    for (let occupant = this.slots[slot] ?? 0; occupant !== 0; occupant = this.slots[slot] ?? 0) {
      if (this.numberAt(occupant - 1) === number) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Int32Array(before.length * 2);
    for (const occupant of before) {
      if (occupant !== 0) this.slots[this.findSlot(this.numberAt(occupant - 1))] = occupant;
    }
  }
}

const initialSlots = 1_024;
const maxLoad = 0.7;

function hash(number: number): number {
  const mixed = Math.imul((number % 2 ** 32) ^ Math.imul(Math.floor(number / 2 ** 32) + 1, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
