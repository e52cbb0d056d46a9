// Bundles the server behind `npm start`, its tools and the programs of its workers into dist/server, so that a start loads a few
// files instead of translating hundreds. What is in node_modules stays there.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { requireInModules } from './handler-entries.ts';
import { root, serverBundle } from './local-build.ts';

const outdir = dirname(serverBundle);

const settings = {
  absWorkingDir: root,
  outdir,
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
} as const satisfies BuildOptions;

export async function buildServer(): Promise<void> {
  const [server, search, workers] = await Promise.all([
    build({
      ...settings,
      entryPoints: { serve: 'bin/server/serve.ts', backup: 'bin/backup.ts', restore: 'bin/restore.ts' },
      outExtension: { '.js': '.mjs' },
      format: 'esm',
      packages: 'external',
    }),
    build({
      ...settings,
      entryPoints: { 'search-indexes': 'bin/search-indexes.ts' },
      outExtension: { '.js': '.mjs' },
      format: 'esm',
      banner: { js: requireInModules },
    }),
    build({
      ...settings,
      entryPoints: {
        'worker/bootstrap': 'local/lambda/worker/bootstrap.ts',
        'worker/seed': 'local/lambda/worker/seed.ts',
      },
      format: 'cjs',
    }),
  ]);
  for (const { path, contents } of [...workers.outputFiles, ...search.outputFiles, ...server.outputFiles])
    replace(path, contents);
}

/** Renamed in one step, so that an interrupted build leaves no partial program. */
function replace(path: string, contents: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = join(outdir, `draft-${process.pid}`);
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
