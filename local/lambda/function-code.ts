// Where a function's code is on this machine: the folder CDK staged into the cloud assembly, or a folder written here
// for code that stands in the template itself.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transform } from 'esbuild';
import type { Resource } from '../template/resource-type.ts';
import { isModuleScope } from './worker/handler.ts';

export function resolveCodeFolder(resource: Resource, assetFolder: string, inlineFolder: () => string): string {
  const code = resource.properties.Code ?? {};
  if (typeof code.ZipFile === 'string') return writeInline(resource, code.ZipFile, inlineFolder());
  const path = resource.metadata['aws:asset:path'] ?? fromKey(code.S3Key);
  if (typeof path !== 'string')
    throw new Error(`${resource.logicalId}: the code is neither a CDK asset nor written in the template`);
  const folder = resolve(assetFolder, path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new Error(`${resource.logicalId}: the code's asset ${path} is not in ${assetFolder}`);
  if (!found.isDirectory())
    throw new Error(`${resource.logicalId}: the code's asset ${path} is a file; only folders can run here`);
  return folder;
}

function fromKey(key: unknown): string | undefined {
  return typeof key === 'string' && key.endsWith('.zip') ? `asset.${key.slice(0, -'.zip'.length)}` : undefined;
}

/** Lambda names the one file of inline code index.js. */
function writeInline(resource: Resource, code: string, inlineFolder: string): string {
  const folder = join(inlineFolder, resource.logicalId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), code);
  return folder;
}

// Code that several functions in one worker load, each for itself. ES modules are translated to CommonJS, which can be
// evaluated once per function (worker/module-instances.ts). The translation stands beside the code; the code's folder is
// named by its content, so a translation never grows stale.

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

// A worker's program as one string. A worker starts under plain node, whatever loader (tsx, Jest) the main thread runs
// under, and the program stays type-checked TypeScript. Where this module was bundled, the program stands beside it;
// elsewhere it is bundled here, which takes some 20 ms once per process.

let code: string | undefined;

export function getBootstrapCode(): string {
  code ??= loadWorkerProgram('bootstrap');
  return code;
}

export function loadWorkerProgram(name: 'bootstrap' | 'seed'): string {
  const ready = new URL(`./worker/${name}.js`, import.meta.url);
  if (existsSync(ready)) return readFileSync(ready, 'utf8');
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`./worker/${name}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifyWhitespace: true,
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}
