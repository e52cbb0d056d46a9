// Code that several functions in one worker load, each for itself. ES modules are translated to CommonJS, which can be
// evaluated once per function (worker/module-instances.ts). The translation stands beside the code; the code's folder is
// named by its content, so a translation never grows stale.
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { isModuleScope } from './worker/handler.ts';

export interface SharedCode {
  /** Where its ES modules are as CommonJS, when it has any. */
  commonJsRoot: string | undefined;
}

/**
 * Undefined for code that cannot share a worker: packages in node_modules may hold native code, and top-level await does
 * not exist in CommonJS.
 */
export async function prepareSharedCode(folder: string): Promise<SharedCode | undefined> {
  const commonJsRoot = `${folder}.commonjs`;
  if (existsSync(commonJsRoot)) return { commonJsRoot };
  if (existsSync(join(folder, 'node_modules'))) return undefined;
  const modules = modulesIn(folder);
  if (modules.length === 0) return { commonJsRoot: undefined };
  const draft = `${commonJsRoot}-${process.pid}`;
  try {
    await Promise.all(modules.map((file) => translateFile(join(folder, file), `${join(draft, file)}.cjs`)));
    await rename(draft, commonJsRoot);
  } catch {
    await rm(draft, { recursive: true, force: true });
  }
  // Another process may have been quicker.
  return existsSync(commonJsRoot) ? { commonJsRoot } : undefined;
}

function modulesIn(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.mjs') || (file.endsWith('.js') && isModuleScope(folder, join(folder, file))),
  );
}

async function translateFile(source: string, target: string): Promise<void> {
  const { code } = await transform(await readFile(source, 'utf8'), {
    sourcefile: source,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': '__importMetaUrl' },
    supported: { 'dynamic-import': false },
    logLevel: 'silent',
  });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, code);
}
