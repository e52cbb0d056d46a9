// English words, so that a word that exists is never taken for a typing error: the vocabulary of the embedding model.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let words: ReadonlySet<string> | undefined;

export function isEnglish(word: string): boolean {
  words ??= load();
  return words.size === 0 || words.has(word);
}

const maxParents = 5;

/** The sources and the bundle lie at different depths of the repository. */
function load(): ReadonlySet<string> {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let level = 0; level < maxParents; level++, folder = dirname(folder)) {
    const path = join(folder, 'model', 'tokenizer.json');
    if (!existsSync(path)) continue;
    const { model } = JSON.parse(readFileSync(path, 'utf8')) as { model: { vocab: Record<string, number> } };
    return new Set(Object.keys(model.vocab));
  }
  return new Set();
}
