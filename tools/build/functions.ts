import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildConsole } from '../../console/build.ts';
import { functionsWithModel, functionWithConsole } from '../../lib/functions-with-model.ts';
import {
  createHandlerEntriesPlugin,
  type HandlerEntry,
  listHandlers,
  requireInModules,
  toEntryPoint,
} from './handler-entries.ts';
import { modelFiles, modelFolder, verifyModelFiles } from './model-files.ts';

// One esbuild run bundles all functions into one folder that they share as their code, with common chunks: a hundred
// functions build as fast as one and are uploaded once. Functions that load the embedding model have their own folder
// with the model, so that the others start faster without its 50 MB. The function that publishes the console has its
// own folder, too.

const outdir = process.env.FUNCTIONS_DIR ?? 'dist/functions';
const modelOutdir = `${outdir}-with-model`;
const consoleOutdir = `${outdir}-with-console`;

/** Platform and architecture of the functions, in Node's terms: Lambda's, or those of this machine. */
const platform = process.env.FUNCTIONS_PLATFORM ?? 'linux/arm64';

const absentModule = resolve('tools/build/absent-module.js');

const handlers = listHandlers();
const withModel = new Set<string>(functionsWithModel);
const bytes = await Promise.all([
  bundle(
    handlers.filter(({ name }) => !withModel.has(name) && name !== functionWithConsole),
    outdir,
  ),
  bundle(
    handlers.filter(({ name }) => name === functionWithConsole),
    consoleOutdir,
  ).then(async (size) => {
    // The console's scripts are not modules of the function.
    rmSync(join(consoleOutdir, 'package.json'));
    await buildConsole(resolve(consoleOutdir, 'console'));
    return size;
  }),
  bundle(
    handlers.filter(({ name }) => withModel.has(name)),
    modelOutdir,
  ).then((size) => {
    addModel();
    return size;
  }),
]);
console.log(
  `${outdir}: ${handlers.length} functions, ${Math.round(bytes.reduce((sum, size) => sum + size) / 1024)} KB`,
);

/** Returns the size of the code in bytes. */
async function bundle(entries: readonly HandlerEntry[], folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: entries.map(toEntryPoint),
    plugins: [createHandlerEntriesPlugin(entries)],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    chunkNames: 'chunks/[name]-[hash]',
    // Smaller code starts faster. Source maps restore lines and names in stack traces.
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    // It has native code, which cannot be bundled.
    external: ['onnxruntime-node'],
    // The MCP library validates answers to forms with it. The server has no forms.
    alias: { ajv: absentModule, 'ajv-formats': absentModule },
    banner: { js: requireInModules },
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const outputs = Object.entries(metafile.outputs).filter(([file]) => file.endsWith('.mjs'));
  return outputs.reduce((sum, [, output]) => sum + output.bytes, 0);
}

/** The model, its tokens, and the runtime with the binaries of one platform only: all of them would be 288 MB. */
function addModel(): void {
  const runtime = 'node_modules/onnxruntime-node';
  const binaries = `bin/napi-v6/${platform}`;
  if (!existsSync(join(runtime, binaries)) || !existsSync(modelFolder)) {
    throw new Error(`there is no embedding model for ${platform} in node_modules; npm ci installs it`);
  }
  verifyModelFiles();
  mkdirSync(join(modelOutdir, 'model'));
  for (const file of Object.keys(modelFiles)) {
    cpSync(join(modelFolder, file), join(modelOutdir, 'model', basename(file)));
  }
  // Only local builds set it, to embed the demo data without running the model.
  if (process.env.KNOWN_VECTORS) cpSync('demo/known-vectors.bin', join(modelOutdir, 'model', 'known-vectors.bin'));
  for (const part of ['package.json', 'dist', binaries]) {
    cpSync(join(runtime, part), join(modelOutdir, runtime, part), { recursive: true, filter: isNeededAtRuntime });
  }
  for (const part of ['package.json', 'dist/cjs']) {
    const common = 'node_modules/onnxruntime-common';
    cpSync(join(common, part), join(modelOutdir, common, part), { recursive: true, filter: isNeededAtRuntime });
  }
}

function isNeededAtRuntime(file: string): boolean {
  return !/\.(map|d\.ts)$/.test(file);
}
