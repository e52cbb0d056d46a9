import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const publicPath = '/console/';

export const consoleSettings = {
  absWorkingDir: root,
  publicPath,
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  platform: 'browser',
  target: ['chrome120', 'firefox120', 'safari17'],
  jsx: 'automatic',
  minify: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.svg': 'file' },
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;
