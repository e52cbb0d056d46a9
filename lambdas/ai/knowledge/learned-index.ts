import { requireValue } from '../../platform/require-value.ts';
import { type Query, type Ranking, rankArticles } from './article-ranking.ts';
import { type FoundIncident, type IncidentSearch, searchIncidents } from './incident-search.ts';
import {
  type ArticleFacts,
  type Facts,
  type IncidentFacts,
  isForgotten,
  type LearnedBytes,
  readFacts,
  toLearnedBytes,
} from './learned-item.ts';
import { LearnedKind, LearnedRecord, WordStatistics } from './learned-kind.ts';

/** More incidents than this are evicted, oldest first, so that the memory of an instance stays bounded. */
const maxIncidents = 120_000;

const chunkBytes = 1_000_000;

/** Everything learned, in the memory of a warm function. */
export class LearnedIndex {
  readonly articles = new LearnedKind<ArticleFacts>();
  readonly incidents = new LearnedKind<IncidentFacts>();
  private readonly seen = new Map<string, number>();
  private changeCount = 0;

  get size(): number {
    return this.articles.size + this.incidents.size;
  }

  /** The number of entries that changed something since the snapshot. */
  get changes(): number {
    return this.changeCount;
  }

  apply(id: string, atMs: number, given: Uint8Array): void {
    if ((this.seen.get(id) ?? -1) >= atMs) return;
    const learned = toLearnedBytes(given);
    this.seen.set(id, atMs);
    this.changeCount++;
    this.articles.remove(id);
    this.incidents.remove(id);
    if (isForgotten(learned)) return;
    this.getKind(readFacts(learned).kind).add(new LearnedRecord(id, learned));
    const { oldest } = this.incidents;
    if (this.incidents.size > maxIncidents && oldest !== undefined) this.incidents.remove(oldest);
  }

  private getKind(name: Facts['kind']): LearnedKind<Facts> {
    return name === 'article' ? this.articles : this.incidents;
  }

  /**
   * All records for a snapshot. Per record: length of all, kind, length of the id, id, time of its entry, what was
   * learned. The last chunk has the statistics of the words, because counting them again takes longer than all the rest.
   */
  *encode(): Iterable<Uint8Array> {
    let entries: Uint8Array[] = [];
    let size = 0;
    const statistics = kindNames.map(() => new WordStatistics());
    for (const [kindNumber, name] of kindNames.entries()) {
      for (const [id, rows] of this.getKind(name).records) {
        const record = rows[0]?.record;
        if (!record) continue;
        for (const row of rows) statistics[kindNumber]?.count(row, 1);
        const entry = encodeEntry(kindNumber, id, this.seen.get(id) ?? 0, record);
        entries.push(entry);
        size += entry.byteLength;
        if (size < chunkBytes) continue;
        yield Buffer.concat(entries);
        entries = [];
        size = 0;
      }
    }
    if (entries.length > 0) yield Buffer.concat(entries);
    yield Buffer.concat(statistics.map(encodeStatistics));
  }

  /** The index that `encode` described. Vectors are copied; everything else stays where it is until it is needed. */
  static decode(chunks: readonly Uint8Array[]): LearnedIndex {
    const index = new LearnedIndex();
    for (const chunk of chunks.slice(0, -1)) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let start = 0; start < bytes.length; ) {
        const end = start + bytes.readUInt32LE(start);
        const idEnd = start + 6 + bytes.readUInt8(start + 5);
        const id = bytes.toString('latin1', start + 6, idEnd);
        index.seen.set(id, bytes.readDoubleLE(idEnd));
        const kind = index.getKind(requireValue(kindNames[bytes.readUInt8(start + 4)]));
        kind.addUncounted(new LearnedRecord(id, { bytes, start: idEnd + 8, end }));
        start = end;
      }
    }
    index.restoreStatistics(Buffer.from(chunks.at(-1) ?? []));
    return index;
  }

  private restoreStatistics(bytes: Buffer): void {
    let place = 0;
    for (const name of kindNames) {
      const { statistics } = this.getKind(name);
      statistics.words = bytes.readDoubleLE(place);
      const end = place + 12 + 8 * bytes.readUInt32LE(place + 8);
      for (place += 12; place < end; place += 8) {
        statistics.recordsWith.set(bytes.readInt32LE(place), bytes.readUInt32LE(place + 4));
      }
    }
  }

  searchIncidents(search: IncidentSearch): FoundIncident[] {
    return searchIncidents(this.incidents, search);
  }

  rankArticles(query: Query): Ranking {
    return rankArticles(this.articles, query);
  }
}

/** A place in this list is part of a snapshot. */
const kindNames = ['article', 'incident'] as const;

function encodeEntry(kind: number, id: string, atMs: number, learned: LearnedBytes): Uint8Array {
  const bytes = Buffer.alloc(14 + id.length + learned.end - learned.start);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeUInt8(id.length, bytes.writeUInt8(kind, 4));
  const idEnd = 6 + bytes.write(id, 6, 'latin1');
  learned.bytes.copy(bytes, bytes.writeDoubleLE(atMs, idEnd), learned.start, learned.end);
  return bytes;
}

/** All words, count of different words, and per word hash and count of records. */
function encodeStatistics({ words, recordsWith }: WordStatistics): Uint8Array {
  const bytes = Buffer.alloc(12 + 8 * recordsWith.size);
  let place = bytes.writeUInt32LE(recordsWith.size, bytes.writeDoubleLE(words, 0));
  for (const [hash, count] of recordsWith) place = bytes.writeUInt32LE(count, bytes.writeInt32LE(hash, place));
  return bytes;
}
