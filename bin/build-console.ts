// Bundles the web console into dist/console. Files carry a hash of their content in their names; index.html, which
// names them, does not. config.json, which the installation writes beside them, is left alone.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type OutputFile } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const consoleFolder = join(root, 'console');
const publicPath = '/console/';
const keptFile = 'config.json';

const settings = {
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
  loader: { '.svg': 'file', '.woff2': 'file' },
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

export interface ConsoleBuild {
  folder: string;
  files: string[];
  bytes: number;
  /** The files of this repository that are in the bundle. */
  sources: string[];
}

export async function buildConsole(folder = join(root, 'dist/console')): Promise<ConsoleBuild> {
  const [app, themeBoot] = await Promise.all([
    build({
      ...settings,
      outdir: folder,
      entryPoints: [join(consoleFolder, 'main.tsx')],
      format: 'esm',
      splitting: true,
      legalComments: 'linked',
      // Cloudscape's loader of other languages, which we do not use, would leave a file for each of them.
      external: ['./messages/all.*'],
    }),
    // A classic script, since only those run before the page is drawn.
    build({ ...settings, outdir: folder, entryPoints: [join(consoleFolder, 'theme-boot.ts')], format: 'iife' }),
  ]);
  const built = [...app.outputFiles, ...themeBoot.outputFiles].map(asFile);
  const files = [...built, { name: 'index.html', contents: indexPage(built.map(({ name }) => name)) }];
  replaceFiles(folder, files);
  const bytes = files.reduce((sum, { contents }) => sum + contents.length, 0);
  const inputs = Object.keys({ ...app.metafile.inputs, ...themeBoot.metafile.inputs });
  const sources = inputs.filter((path) => !path.startsWith('node_modules/'));
  return { folder, files: files.map(({ name }) => name), bytes, sources };
}

interface BuiltFile {
  name: string;
  contents: Uint8Array;
}

function asFile({ path, contents }: OutputFile): BuiltFile {
  return { name: basename(path), contents };
}

function indexPage(names: readonly string[]): Uint8Array {
  const addressOf = (pattern: RegExp): string => {
    const name = names.find((one) => pattern.test(one));
    if (!name) throw new Error(`The build has no file like ${pattern}.`);
    return publicPath + name;
  };
  const addresses: Record<string, string> = {
    icon: addressOf(/^icon-.*\.svg$/),
    style: addressOf(/^main-.*\.css$/),
    main: addressOf(/^main-.*\.js$/),
    'theme-boot': addressOf(/^theme-boot-.*\.js$/),
  };
  const template = readFileSync(join(consoleFolder, 'index.html'), 'utf8');
  return Buffer.from(template.replace(/%([\w-]+)%/g, (_, name: string) => addresses[name]!));
}

function replaceFiles(folder: string, files: readonly BuiltFile[]): void {
  mkdirSync(folder, { recursive: true });
  const kept = new Set([keptFile, ...files.map(({ name }) => name)]);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true });
  for (const { name, contents } of files) writeFileSync(join(folder, name), contents);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = performance.now();
  const { files, bytes } = await buildConsole();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`console: ${files.length} files, ${Math.round(bytes / 1024)} KB, ${seconds} s`);
}
