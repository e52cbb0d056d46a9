import { type Query, type Ranking, rankArticles } from './article-ranking.ts';
import { type FoundIncident, type IncidentSearch, searchIncidents } from './incident-search.ts';
import { type ArticleFacts, decodeLearned, encodeLearned, type IncidentFacts } from './learned-item.ts';
import { LearnedKind } from './learned-kind.ts';

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

  apply(id: string, atMs: number, bytes: Uint8Array): void {
    if ((this.seen.get(id) ?? -1) >= atMs) return;
    const learned = decodeLearned(bytes);
    this.seen.set(id, atMs);
    this.changeCount++;
    this.articles.remove(id);
    this.incidents.remove(id);
    if (!learned) return;
    if (learned.facts.kind === 'article') this.articles.add(id, learned);
    else this.incidents.add(id, learned);
    const { oldest } = this.incidents;
    if (this.incidents.size > maxIncidents && oldest !== undefined) this.incidents.remove(oldest);
  }

  /** All records for a snapshot. Per record: length, length of the id, id, time of its entry, what was learned. */
  *encode(): Iterable<Uint8Array> {
    let entries: Uint8Array[] = [];
    let size = 0;
    for (const kind of [this.articles, this.incidents]) {
      for (const id of kind.records.keys()) {
        const learned = kind.get(id);
        if (!learned) continue;
        const entry = encodeEntry(id, this.seen.get(id) ?? 0, encodeLearned(learned));
        entries.push(entry);
        size += entry.byteLength;
        if (size < chunkBytes) continue;
        yield Buffer.concat(entries);
        entries = [];
        size = 0;
      }
    }
    if (entries.length > 0) yield Buffer.concat(entries);
  }

  /** The index that `encode` described. */
  static decode(chunks: readonly Uint8Array[]): LearnedIndex {
    const index = new LearnedIndex();
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let start = 0; start < bytes.length; ) {
        const end = start + bytes.readUInt32LE(start);
        const idEnd = start + 5 + bytes.readUInt8(start + 4);
        const id = bytes.toString('latin1', start + 5, idEnd);
        index.apply(id, bytes.readDoubleLE(idEnd), bytes.subarray(idEnd + 8, end));
        start = end;
      }
    }
    index.changeCount = 0;
    return index;
  }

  searchIncidents(search: IncidentSearch): FoundIncident[] {
    return searchIncidents(this.incidents, search);
  }

  rankArticles(query: Query): Ranking {
    return rankArticles(this.articles, query);
  }
}

function encodeEntry(id: string, atMs: number, learned: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(13 + id.length + learned.byteLength);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeUInt8(id.length, 4);
  const idEnd = 5 + bytes.write(id, 5, 'latin1');
  bytes.set(learned, bytes.writeDoubleLE(atMs, idEnd));
  return bytes;
}
