import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { modelFiles as embeddingFiles, modelFolder } from '../../lambdas/ai/embedding/model-files.ts';

// The embedding model is data that runs in production, so its files are pinned like code: a package that delivers other
// bytes does not get into a build. Their names and checksums are in
// lambdas/ai/embedding/model-files.ts.

export { modelFolder };

/** SHA-256 by file, relative to the folder. */
export const modelFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(embeddingFiles).map(({ source, sha256 }) => [relative(modelFolder, source), sha256]),
);

/** Throws when a file is not the pinned one. */
export function verifyModelFiles(folder = modelFolder, files = modelFiles): void {
  for (const [file, expected] of Object.entries(files)) {
    const actual = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    if (actual !== expected) {
      throw new Error(
        `${join(folder, file)} is not the file that lambdas/ai/embedding/model-files.ts pins: its SHA-256 is ${actual}, not ${expected}`,
      );
    }
  }
}
