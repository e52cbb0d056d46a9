// Locates a function's code (a CDK asset or inline code), prepares it for shared workers, and loads the worker programs.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transform } from 'esbuild';
import { requireValue } from '../require-value.ts';
import type { Resource } from '../template/resource-type.ts';
import { isModuleScope } from './worker/handler.ts';

export function resolveCodeFolder(resource: Resource, assetFolder: string, inlineFolder: () => string): string {
  const code = resource.properties.Code ?? {};
  if (typeof code.ZipFile === 'string') return writeInline(resource, code.ZipFile, inlineFolder());
  const path = resource.metadata['aws:asset:path'] ?? parseAssetKey(code.S3Key);
  if (typeof path !== 'string') throw new Error(`${resource.logicalId}: Code must be a CDK asset or inline`);
  const folder = resolve(assetFolder, path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new Error(`${resource.logicalId}: asset ${path} is missing in ${assetFolder}`);
  if (!found.isDirectory())
    throw new Error(`${resource.logicalId}: asset ${path} is a file, but only folders are supported`);
  return folder;
}

function parseAssetKey(key: unknown): string | undefined {
  return typeof key === 'string' && key.endsWith('.zip') ? `asset.${key.slice(0, -'.zip'.length)}` : undefined;
}

/** Lambda names the file of inline code index.js. */
function writeInline(resource: Resource, code: string, inlineFolder: string): string {
  const folder = join(inlineFolder, resource.logicalId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), code);
  return folder;
}

export interface SharedCode {
  /** The folder with the ES modules translated to CommonJS; undefined for code without ES modules. */
  commonJsRoot: string | undefined;
}

/**
 * Translates ES modules to CommonJS, which a worker can evaluate once per function (worker/handler.ts). The translation
 * is stored beside the code. It never becomes stale, because CDK names the folder by content hash. Returns undefined for
 * code that cannot share a worker: node_modules may contain native code, and CommonJS has no top-level await.
 */
export async function translateModules(folder: string): Promise<SharedCode | undefined> {
  const commonJsRoot = `${folder}.commonjs`;
  if (existsSync(commonJsRoot)) return { commonJsRoot };
  if (existsSync(join(folder, 'node_modules'))) return undefined;
  const modules = listModules(folder);
  if (modules.length === 0) return { commonJsRoot: undefined };
  const draft = `${commonJsRoot}-${process.pid}`;
  try {
    await Promise.all(modules.map((file) => translateFile(join(folder, file), `${join(draft, file)}.cjs`)));
    await rename(draft, commonJsRoot);
  } catch {
    await rm(draft, { recursive: true, force: true });
  }
  // Another process may have translated the same code first.
  return existsSync(commonJsRoot) ? { commonJsRoot } : undefined;
}

function listModules(folder: string): string[] {
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

let code: string | undefined;

export function getBootstrapCode(): string {
  code ??= loadWorkerProgram('bootstrap');
  return code;
}

/**
 * Returns a worker's program as one string, so it runs under plain Node even if the main thread uses a loader (tsx, Jest).
 * The server build writes it beside this module; otherwise esbuild bundles it in about 20 ms.
 */
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
  return requireValue(outputFiles[0]).text;
}
