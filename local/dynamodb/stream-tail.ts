// The newest changes of a table, as they were written: who follows its stream closely needs not read them again from
// the storage, and several such readers share them.
import type { StreamEntry, StreamRecord } from './stream-record.ts';

interface Kept extends StreamEntry {
  record?: StreamRecord;
}

const mostEntries = 4_000;
const mostText = 8_000_000;

export class StreamTail {
  private entries: Kept[] = [];
  private textLength = 0;

  add(entry: StreamEntry): void {
    const last = this.entries.at(-1);
    if (last && entry.sequence !== last.sequence + 1) this.clear();
    this.entries.push(entry);
    this.textLength += lengthOf(entry);
    // Half of it goes at once, so that this happens seldom.
    if (this.entries.length > mostEntries || this.textLength > mostText) this.drop(Math.ceil(this.entries.length / 2));
  }

  clear(): void {
    this.entries = [];
    this.textLength = 0;
  }

  /** Undefined when what comes after that number is not all here. */
  after(
    sequence: number,
    limit: number,
    oldestMs: number,
    record: (entry: StreamEntry) => StreamRecord,
  ): StreamRecord[] | undefined {
    const first = this.entries[0]?.sequence;
    if (first === undefined || sequence < first - 1) return undefined;
    // What has become too old to be read is for the storage to pass over.
    if (this.entries[0]!.createdMs <= oldestMs) return undefined;
    const from = sequence + 1 - first;
    return this.entries.slice(from, from + limit).map((entry) => {
      entry.record ??= record(entry);
      return entry.record;
    });
  }

  private drop(count: number): void {
    for (const entry of this.entries.splice(0, count)) this.textLength -= lengthOf(entry);
  }
}

function lengthOf({ newImage, oldImage }: StreamEntry): number {
  return (newImage?.length ?? 0) + (oldImage?.length ?? 0);
}
