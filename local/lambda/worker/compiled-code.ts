// Compiles modules with V8's code cache, which is stored beside the code: a function then loads in a fraction of the time.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { threadId } from 'node:worker_threads';

/** V8 accepts only what the same version wrote with the same flags. */
const cacheSuffix = `.${cachedDataVersionTag().toString(16)}.cache`;

/** Compiled without a cache. */
const fresh = new Map<string, Script>();

/** The content of this file must never change: V8 compares only its length with that of the cached code. */
export function compile(path: string, code: string, filename: string): Script {
  const cachePath = path + cacheSuffix;
  const cachedData = existsSync(cachePath) ? readFileSync(cachePath) : undefined;
  const script = new Script(code, { filename, ...(cachedData && { cachedData }) });
  if (!cachedData || script.cachedDataRejected) fresh.set(cachePath, script);
  return script;
}

/** Call it when a function is loaded: a cache also holds the functions that have run by then. */
export function storeCodeCache(): void {
  for (const [path, script] of fresh) {
    const draft = `${path}-${process.pid}-${threadId}`;
    try {
      writeFileSync(draft, script.createCachedData());
      renameSync(draft, path);
    } catch {
      // The folder is read-only or the disk is full: the next start compiles again.
    }
  }
  fresh.clear();
}
