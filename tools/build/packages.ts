// Builds the npm packages into dist/packages and packs them: the SDK as ES module, CommonJS and types, and the command line
// as one file. Neither has dependencies.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { bundleDeclarations } from './bundle-declarations.ts';
import { root } from './local-build.ts';

export const sdkName = 'incident-service-client';
const cliName = 'incident-service-cli';

interface Packed {
  /** The file that `npm install` takes. */
  tarball: string;
  tarballBytes: number;
  /** Minified and compressed code, as in the bundle of a user. */
  codeBytes: number;
}

const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export async function packSdk(outdir = join(root, 'dist/packages')): Promise<Packed> {
  const folder = join(outdir, sdkName);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options: BuildOptions = {
    entryPoints: [join(root, 'client/index.ts')],
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    minifySyntax: true,
    logLevel: 'warning',
  };
  await Promise.all([
    build({ ...options, format: 'esm', outfile: join(folder, 'index.mjs') }),
    build({ ...options, format: 'cjs', outfile: join(folder, 'index.js') }),
  ]);
  writeFileSync(join(folder, 'index.d.ts'), bundleDeclarations('client'));
  // The same types for ES modules, without a second copy of them.
  writeFileSync(join(folder, 'index.d.mts'), "export * from '../../bin/index.js';\n");
  writePackage(folder, {
    name: sdkName,
    description:
      'Client for the incident-management service: typed calls, retries, iteration and webhook verification.',
    sideEffects: false,
    main: './index.js',
    module: './index.mjs',
    types: './index.d.ts',
    exports: {
      '.': {
        import: { types: './index.d.mts', default: './index.mjs' },
        require: { types: './index.d.ts', default: './index.js' },
      },
      './package.json': './package.json',
    },
  });
  copyFileSync(join(root, 'client/README.md'), join(folder, 'README.md'));
  const minified = await build({ ...options, format: 'esm', minify: true, write: false });
  return { ...pack(folder, outdir), codeBytes: gzipSync(minified.outputFiles[0]?.contents ?? '').byteLength };
}

/** The command line with everything it needs in one file, so that it installs without dependencies, too. */
export async function packCli(outdir = join(root, 'dist/packages')): Promise<Packed> {
  const folder = join(outdir, cliName);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, 'itsm.mjs');
  await build({
    entryPoints: [join(root, 'cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    define: { packageVersion: JSON.stringify(version) },
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  chmodSync(outfile, 0o755);
  writePackage(folder, {
    name: cliName,
    description: 'Command line of the incident-management service.',
    type: 'module',
    bin: { itsm: './itsm.mjs' },
  });
  copyFileSync(join(root, 'cli/README.md'), join(folder, 'README.md'));
  return { ...pack(folder, outdir), codeBytes: gzipSync(readFileSync(outfile)).byteLength };
}

function writePackage(folder: string, manifest: Record<string, unknown>): void {
  const text = JSON.stringify({ version, license, type: 'commonjs', engines: { node: '>=20' }, ...manifest }, null, 2);
  writeFileSync(join(folder, 'package.json'), `${text}\n`);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

function pack(folder: string, outdir: string): Omit<Packed, 'codeBytes'> {
  // A cache of its own: packing must work where the user's cache cannot be written.
  const args = ['pack', folder, '--json', '--pack-destination', outdir, '--cache', join(tmpdir(), 'npm-pack-cache')];
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return { tarball: join(outdir, packed.filename), tarballBytes: packed.size };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { tarball, tarballBytes, codeBytes } of [await packSdk(), await packCli()]) {
    console.log(`${tarball}: ${toKb(tarballBytes)} KB; code ${toKb(codeBytes)} KB compressed`);
  }
}

function toKb(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
