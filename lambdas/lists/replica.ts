import { Chunk, chunkRows } from './chunk.ts';
import { Dictionary } from './dictionary.ts';
import { decodeListing, type Listing, type ListingSpec } from './listing.ts';
import { NumberIndex } from './number-index.ts';
import { recordNumber } from './record-number.ts';

// The columnar copy of one kind of record that a warm function keeps, so that any combination of filters, words, sort
// and order is a scan of typed arrays. Entries may come twice and in any order: a record's newest version wins.

export class Replica {
  readonly spec: ListingSpec;
  readonly chunks: Chunk[] = [];
  readonly dictionaries: readonly Dictionary[];
  private readonly index = new NumberIndex((row) => this.numberAt(row));
  /** Entries that changed something, ever. */
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

  /** What the typed arrays take. */
  get bytes(): number {
    return this.chunks.reduce((sum, { bytes }) => sum + bytes, this.index.bytes);
  }

  /** Undefined when the replica does not know the record. */
  rowOf(id: string): number | undefined {
    const number = recordNumber(id, this.spec.idPrefix);
    return number === undefined ? undefined : this.index.rowOf(number);
  }

  /** Whether this version of the record, or a newer one, is here already. */
  knows(id: string, updatedAtMs: number): boolean {
    const row = this.rowOf(id);
    return row !== undefined && this.chunkOf(row).updatedAt(row % chunkRows) >= updatedAtMs;
  }

  applyEncoded(bytes: Uint8Array): void {
    this.apply(decodeListing(this.spec, bytes));
  }

  apply(listing: Listing): void {
    const row = this.index.rowOf(listing.number);
    if (row === undefined) {
      this.insert(listing);
      return;
    }
    const chunk = this.chunkOf(row);
    const place = row % chunkRows;
    if (listing.times[1]! <= chunk.updatedAt(place)) return;
    chunk.write(place, listing, this.codesOf(listing));
    this.changeCount++;
  }

  /** Adds a chunk that a snapshot kept. Every chunk but the last must be full. */
  adopt(chunk: Chunk): void {
    const before = this.chunks.at(-1);
    if (before && before.rows < chunkRows) throw new Error('only the last chunk of a replica may have room');
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
    chunk.append(listing, this.codesOf(listing));
    this.index.add(listing.number, row);
    this.changeCount++;
  }

  private codesOf({ strings }: Listing): number[] {
    return strings.map((text, column) => this.dictionaries[column]!.add(text));
  }

  private chunkOf(row: number): Chunk {
    return this.chunks[Math.floor(row / chunkRows)]!;
  }

  private numberAt(row: number): number {
    return this.chunkOf(row).number(row % chunkRows);
  }
}
