// The images of a stream record in one column. They have most of their text in common, so that together and compressed they
// take a third of the space.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Storage } from '../storage/storage.ts';
import type { StreamEntry } from './stream-record.ts';

/** Images are small: the buffers of the default cost more time than the compression. */
const compression = { level: 1, windowBits: 13, memLevel: 4, chunkSize: 4096 };

/** JSON contains no line break. */
export function writeImages(newImage = '', oldImage = ''): Buffer {
  return deflateRawSync(`${newImage}\n${oldImage}`, compression);
}

export function readImages(bytes: unknown): Pick<StreamEntry, 'newImage' | 'oldImage'> {
  const [newImage, oldImage] = inflateRawSync(bytes as ArrayBuffer)
    .toString()
    .split('\n');
  return { newImage: newImage || undefined, oldImage: oldImage || undefined };
}

const rowsPerStep = 500;

/** Earlier releases stored the images as texts in two columns. */
export function upgradeStream(storage: Storage, sqlStream: string): void {
  const columns = storage.prepare(`SELECT name FROM pragma_table_info('${sqlStream}')`).all();
  if (!columns.some(({ name }) => name === 'new_image')) return;
  storage.writeNow(() => {
    storage.exec(`ALTER TABLE ${sqlStream} ADD COLUMN images BLOB`);
    const read = storage.prepare(
      `SELECT sequence, new_image, old_image FROM ${sqlStream} WHERE sequence > ? ORDER BY sequence LIMIT ${rowsPerStep}`,
    );
    const write = storage.prepare(`UPDATE ${sqlStream} SET images = ? WHERE sequence = ?`);
    for (let after = 0, isDone = false; !isDone; ) {
      const rows = read.all([after]);
      for (const { sequence, new_image, old_image } of rows)
        write.run([writeImages(toText(new_image), toText(old_image)), sequence]);
      after = Number(rows.at(-1)?.sequence);
      isDone = rows.length < rowsPerStep;
    }
    storage.exec(`ALTER TABLE ${sqlStream} DROP COLUMN new_image; ALTER TABLE ${sqlStream} DROP COLUMN old_image`);
  });
}

function toText(column: unknown): string | undefined {
  return column === null ? undefined : String(column);
}
