// A worker's program as one string. A worker starts under plain node, whatever loader (tsx, Jest) the main thread runs
// under, and the program stays type-checked TypeScript. Where this module was bundled, the program stands beside it;
// elsewhere it is bundled here, which takes some 20 ms once per process.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

let code: string | undefined;

export function bootstrapCode(): string {
  code ??= workerProgram('bootstrap');
  return code;
}

export function workerProgram(name: 'bootstrap' | 'past'): string {
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
