// A worker's program as one string. Bundling takes some 20 ms once per process; in return a worker starts under plain
// node, whatever loader (tsx, Jest) the main thread runs under, and the program stays type-checked TypeScript.
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

let code: string | undefined;

export function bootstrapCode(): string {
  code ??= bundled('./worker/bootstrap.ts');
  return code;
}

export function bundled(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
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
