import { rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

// One esbuild pass bundles every function into one folder, which all functions share as their code: common code is in
// common chunks, so that eighty functions are built as fast as one and uploaded once.

const handlers = 'lambdas/handlers';
const outdir = process.env.FUNCTIONS_DIR ?? 'dist/functions';

rmSync(outdir, { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: (await readdir(handlers)).filter((file) => file.endsWith('.ts')).map((file) => join(handlers, file)),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  // Some dependencies are CommonJS and call require for Node's own modules, which ES modules do not have.
  banner: {
    js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
  },
  logLevel: 'warning',
});

await writeFile(join(outdir, 'package.json'), JSON.stringify({ type: 'module' }));
const bytes = Object.entries(metafile.outputs).filter(([file]) => file.endsWith('.mjs'));
console.log(
  `${outdir}: ${bytes.length} files, ${Math.round(bytes.reduce((sum, [, { bytes: b }]) => sum + b, 0) / 1024)} KB`,
);
