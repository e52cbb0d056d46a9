// Bundles the web console into dist/console. Files carry a hash of their content in their names; index.html, which
// names them, and errors.html, which problems refer to, do not. config.json, which the installation writes beside them, is left alone.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile, type OutputFile } from 'esbuild';
import { renderErrorHtml } from '../generate/error-page.ts';
import { consoleSettings, publicPath } from './console-settings.ts';
import { buildFirstView } from './first-view.ts';
import { root } from './local-build.ts';
import { selectStyles } from './select-styles.ts';

const consoleFolder = join(root, 'console');
const keptFile = 'config.json';

export interface ConsoleBuild {
  folder: string;
  files: string[];
  bytes: number;
  /** The files of this repository that are in the bundle. */
  sources: string[];
}

export async function buildConsole(folder = join(root, 'dist/console')): Promise<ConsoleBuild> {
  const [app, themeBoot, firstView] = await Promise.all([
    build({
      ...consoleSettings,
      outdir: folder,
      entryPoints: [join(consoleFolder, 'main.tsx')],
      format: 'esm',
      splitting: true,
      legalComments: 'linked',
      // The console is in English. Cloudscape's loader would add a file per language.
      external: ['./messages/all.*'],
    }),
    // A classic script, since only those run before the page is drawn.
    build({
      ...consoleSettings,
      outdir: folder,
      entryPoints: [join(consoleFolder, 'theme-boot.ts'), join(consoleFolder, 'errors.css')],
      format: 'iife',
    }),
    buildFirstView(folder),
  ]);
  const outputs = [...app.outputFiles, ...themeBoot.outputFiles, ...firstView.outputFiles];
  const loaded = outputs.map(toFile).filter(isLoaded).map(removeFonts);
  const styles = loaded.find(({ name }) => /^main-.*\.css$/.test(name));
  const built = [
    ...loaded,
    hashName('first-view.css', toLayer(selectStyles(styles?.contents ?? '', firstView.markup))),
  ];
  const findFile = createFileFinder(built.map(({ name }) => name));
  const files = [
    ...built,
    {
      name: 'errors.html',
      contents: Buffer.from(
        renderErrorHtml({ stylesheet: findFile(/^errors-.*\.css$/), icon: findFile(/^icon-.*\.svg$/) }),
      ),
    },
    { name: 'index.html', contents: renderIndexPage(findFile, listPreloads(app.metafile)) },
  ];
  replaceFiles(folder, files);
  const bytes = files.reduce((sum, { contents }) => sum + contents.length, 0);
  const inputs = Object.keys({ ...app.metafile.inputs, ...themeBoot.metafile.inputs, ...firstView.metafile.inputs });
  const sources = inputs.filter((path) => /^(?!node_modules\/)[\w-]+\//.test(path));
  return { folder, files: files.map(({ name }) => name), bytes, sources };
}

interface BuiltFile {
  name: string;
  contents: Uint8Array;
}

function toFile({ path, contents }: OutputFile): BuiltFile {
  return { name: basename(path), contents };
}

/** Adds the hash of the contents to the name. */
function hashName(name: string, contents: string): BuiltFile {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  return { name: name.replace('.', `-${hash}.`), contents: Buffer.from(contents) };
}

/** The style sheet has the styles of all pages, so the copies that esbuild writes per chunk are deleted. */
function isLoaded({ name }: BuiltFile): boolean {
  return !/^part-\w+\.css/.test(name);
}

/** Cloudscape embeds eight fonts in the style sheet. Without them the console uses the fonts of the system, and loads earlier. */
function removeFonts({ name, contents }: BuiltFile): BuiltFile {
  if (!name.endsWith('.css')) return { name, contents };
  const css = Buffer.from(contents).toString('utf8');
  return { name, contents: Buffer.from(css.replace(/@font-face\{[^}]*\}/g, '')) };
}

/**
 * Styles of a layer lose to those without one. Otherwise this subset of the rules, which comes later in the page, would
 * override the complete style sheet: a checked box would look unchecked. console.css puts the layer below all others.
 */
const toLayer = (css: string): string => `@layer first-view{${css}}`;

/** Pages whose files the browser requests together with the first script, by address. */
const preloadedPages: Readonly<Record<string, RegExp>> = {
  [publicPath]: /\/home-page\.tsx$/,
  [`${publicPath}incidents`]: /\/incident-list-page\.tsx$/,
};

interface Preloads {
  /** For every page. */
  common: string[];
  /** For one page, by its address. */
  pages: Record<string, string[]>;
}

function listPreloads({ outputs }: Metafile): Preloads {
  const common = listImports(outputs, /\/main\.tsx$/);
  const pages = Object.entries(preloadedPages).map(([address, entryPoint]) => {
    const files = listImports(outputs, entryPoint).filter((name) => !common.includes(name));
    return [address, files] as const;
  });
  return { common, pages: Object.fromEntries(pages) };
}

/** The chunks that a page consists of. */
function listImports(outputs: Metafile['outputs'], entryPoint: RegExp): string[] {
  const entry = Object.keys(outputs).find((path) => entryPoint.test(`/${outputs[path]?.entryPoint ?? ''}`));
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const imported of outputs[path]?.imports ?? []) if (imported.kind === 'import-statement') visit(imported.path);
  };
  if (entry) visit(entry);
  return [...found].map((path) => basename(path)).filter((name) => name.endsWith('.js') && !name.startsWith('main-'));
}

/** Finds the path of the file whose name matches. */
type FileFinder = (pattern: RegExp) => string;

function createFileFinder(names: readonly string[]): FileFinder {
  return (pattern) => {
    const name = names.find((one) => pattern.test(one));
    if (!name) throw new Error(`The build has no file like ${pattern}.`);
    return publicPath + name;
  };
}

function renderIndexPage(findFile: FileFinder, { common, pages }: Preloads): Uint8Array {
  const addresses: Record<string, string> = {
    icon: findFile(/^icon-.*\.svg$/),
    main: findFile(/^main-.*\.js$/),
    'first-style': findFile(/^first-view-.*\.css$/),
    'theme-boot': findFile(/^theme-boot-.*\.js$/),
    files: JSON.stringify({
      pages,
      styles: findFile(/^main-.*\.css$/),
      firstView: findFile(/^first-view-.*\.js$/),
    }),
  };
  const links = common
    .map((name) => `<link rel="modulepreload" fetchpriority="low" href="${publicPath}${name}" />`)
    .join('\n    ');
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
