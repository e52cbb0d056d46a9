// Bundles the web console into dist/console. Files carry a hash of their content in their names; index.html, which
// names them, and errors.html, which problems refer to, do not. config.json, which the installation writes beside them, is left alone.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { errorPageHtml } from './error-page.ts';

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
    build({
      ...settings,
      outdir: folder,
      entryPoints: [join(consoleFolder, 'theme-boot.ts'), join(consoleFolder, 'errors.css')],
      format: 'iife',
    }),
  ]);
  const built = [...app.outputFiles, ...themeBoot.outputFiles].map(asFile).filter(isLoaded).flatMap(extractFonts);
  const findFile = fileFinder(built.map(({ name }) => name));
  const files = [
    ...built,
    {
      name: 'errors.html',
      contents: Buffer.from(
        errorPageHtml({ stylesheet: findFile(/^errors-.*\.css$/), icon: findFile(/^icon-.*\.svg$/) }),
      ),
    },
    { name: 'index.html', contents: indexPage(findFile, listPreloads(app.metafile)) },
  ];
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

/** The first style sheet has the styles of all pages, so the copies that esbuild writes per chunk are deleted. */
function isLoaded({ name }: BuiltFile): boolean {
  return !/^part-\w+\.css/.test(name);
}

/**
 * Cloudscape embeds its fonts in the style sheet. As files they do not delay the first view, and unused fonts are never
 * loaded.
 */
function extractFonts({ name, contents }: BuiltFile): BuiltFile[] {
  if (!name.endsWith('.css')) return [{ name, contents }];
  const fonts: BuiltFile[] = [];
  const css = Buffer.from(contents)
    .toString('utf8')
    .replace(/url\("?data:font\/woff2[^,]*;base64,([\w+/=]+)"?\)/g, (_, data: string) => {
      const font = Buffer.from(data, 'base64');
      const fontName = `font-${createHash('sha256').update(font).digest('hex').slice(0, 8).toUpperCase()}.woff2`;
      fonts.push({ name: fontName, contents: font });
      return `url(${publicPath}${fontName})`;
    });
  return [{ name, contents: Buffer.from(css) }, ...fonts];
}

/** The chunks that the first script imports; the browser preloads them. */
function listPreloads({ outputs }: Metafile): string[] {
  const main = Object.entries(outputs).find(([path]) => /main-\w+\.js$/.test(path))?.[1];
  const imports = main?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
  return imports.map(({ path }) => basename(path));
}

/** Finds the path of the file whose name matches. */
type FileFinder = (pattern: RegExp) => string;

function fileFinder(names: readonly string[]): FileFinder {
  return (pattern) => {
    const name = names.find((one) => pattern.test(one));
    if (!name) throw new Error(`The build has no file like ${pattern}.`);
    return publicPath + name;
  };
}

function indexPage(findFile: FileFinder, preloads: readonly string[]): Uint8Array {
  const addresses: Record<string, string> = {
    icon: findFile(/^icon-.*\.svg$/),
    style: findFile(/^main-.*\.css$/),
    main: findFile(/^main-.*\.js$/),
    'theme-boot': findFile(/^theme-boot-.*\.js$/),
  };
  const links = preloads.map((name) => `<link rel="modulepreload" href="${publicPath}${name}" />`).join('\n    ');
  const template = readFileSync(join(consoleFolder, 'index.html'), 'utf8');
  return Buffer.from(
    template.replace('%preloads%', links).replace(/%([\w-]+)%/g, (_, name: string) => addresses[name] ?? ''),
  );
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
