// How far each lane of a stream mapping has come. A checkpoint is written after its batch was handled, so the end of the
// process repeats at most the batches that were going on: at least once, never less.
import { onceMore, type Storage } from '../../storage/storage.ts';

export type Sequence = string | undefined;

export interface Checkpoints {
  /** Where each lane goes on; a mapping seen for the first time starts at `first`. */
  open(mappingId: string, lanes: number, first: Sequence): readonly Sequence[];
  write(mappingId: string, lane: number, sequence: string): Promise<void>;
}

/** In the table the empty text stands for the beginning of the stream. */
const beginning = '';

export function createCheckpoints(storage: Storage): Checkpoints {
  storage.exec(`CREATE TABLE IF NOT EXISTS lambda_checkpoints (
    mapping TEXT NOT NULL, lane INTEGER NOT NULL, sequence TEXT NOT NULL, PRIMARY KEY (mapping, lane))`);

  const replaceAll = (mappingId: string, sequences: readonly string[]) =>
    storage.writeNow(() => {
      storage.prepare('DELETE FROM lambda_checkpoints WHERE mapping = ?').run([mappingId]);
      const insert = storage.prepare('INSERT INTO lambda_checkpoints VALUES (?, ?, ?)');
      for (const [lane, sequence] of sequences.entries()) insert.run([mappingId, lane, sequence]);
    });

  return {
    open(mappingId, lanes, first) {
      const known = storage
        .prepare('SELECT sequence FROM lambda_checkpoints WHERE mapping = ? ORDER BY lane')
        .all([mappingId])
        .map((row) => String(row.sequence));
      if (known.length === lanes) return known.map(fromStored);
      // Keys fall into other lanes when their number changes, so all go back to where the slowest was.
      const start = known.length === 0 ? (first ?? beginning) : lowest(known);
      const sequences = Array.from({ length: lanes }, () => start);
      replaceAll(mappingId, sequences);
      return sequences.map(fromStored);
    },
    async write(mappingId, lane, sequence) {
      await storage.writeWithRetry(
        () =>
          storage
            .prepare('UPDATE lambda_checkpoints SET sequence = ? WHERE mapping = ? AND lane = ?')
            .run([sequence, mappingId, lane]),
        onceMore,
      );
    },
  };
}

function fromStored(sequence: string): Sequence {
  return sequence === beginning ? undefined : sequence;
}

/** Sequence numbers are decimal numbers beyond what a JavaScript number holds. */
function lowest(sequences: readonly string[]): string {
  const number = (sequence: string) => (sequence === beginning ? -1n : BigInt(sequence));
  return sequences.reduce((low, sequence) => (number(sequence) < number(low) ? sequence : low));
}
