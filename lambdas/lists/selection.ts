import { type Chunk, chunkRows } from './chunk.ts';

/** Keeps the selected rows of the chunk that pass, and says how many they are. */
export type Filter = (chunk: Chunk, count: number) => number;

/** The rows of a chunk that are left. One scan runs at a time and to its end, so all of them share this memory. */
export const selection = new Uint16Array(chunkRows);

const allRows = Uint16Array.from({ length: chunkRows }, (_, row) => row);

/** Selects every record of the chunk that is not deleted, and says how many they are. */
export function selectLive({ live, rows, liveRows }: Chunk): number {
  if (rows === liveRows) {
    selection.set(allRows);
    return rows;
  }
  let count = 0;
  for (let row = 0; row < rows; row++) {
    selection[count] = row;
    count += live[row]!;
  }
  return count;
}
