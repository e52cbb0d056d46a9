// Builds the script that shows the incident list while the application loads. The components of the console render its
// markup here, once for large and once for small screens.
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type Metafile, type OutputFile } from 'esbuild';
import type { FirstViewTemplates, PageTemplate } from '../../console/first-view/templates.ts';
import { consoleSettings } from './console-settings.ts';
import { root } from './local-build.ts';

export interface FirstViewBuild {
  outputFiles: OutputFile[];
  metafile: Metafile;
  /** All markup that it can show. */
  markup: string;
}

const folder = join(root, 'console/first-view');

export async function buildFirstView(outdir: string): Promise<FirstViewBuild> {
  const renderer = await build({
    ...consoleSettings,
    outdir,
    entryPoints: [join(folder, 'render-templates.tsx')],
    format: 'iife',
    globalName: 'renderer',
    minify: false,
    loader: { '.svg': 'file', '.css': 'empty' },
    // Pages other than the list, and what loads after it.
    plugins: [
      ...consoleSettings.plugins,
      {
        name: 'without dynamic imports',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^/ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          );
        },
      },
    ],
  });
  const code = renderer.outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  const templates: FirstViewTemplates = {
    wide: renderIn(code, false),
    narrow: renderIn(code, true),
    ...runInContext('renderer.renderLabels()', createPage(code, false)),
  };
  const define = { ...consoleSettings.define, FIRST_VIEW_TEMPLATES: JSON.stringify(templates) };
  const script = await build({
    ...consoleSettings,
    outdir,
    define,
    entryPoints: [join(folder, 'first-view.ts')],
    format: 'iife',
  });
  const inputs = { ...renderer.metafile.inputs, ...script.metafile.inputs };
  return {
    outputFiles: script.outputFiles,
    metafile: { ...script.metafile, inputs },
    markup: listTexts(templates).join(''),
  };
}

function listTexts(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(listTexts);
}

function renderIn(code: string, isNarrow: boolean): PageTemplate {
  return runInContext(`renderer.renderPage(${isNarrow})`, createPage(code, isNarrow));
}

/** The little of a browser that the components use before they are on the screen. */
function createPage(code: string, isNarrow: boolean): object {
  const ignore = () => {};
  const page: Record<string, unknown> = {
    location: { pathname: '/console/incidents', search: '', origin: 'http://localhost' },
    history: { state: null, pushState: ignore, replaceState: ignore },
    localStorage: { getItem: () => null },
    matchMedia: (query: string) => ({
      matches: query.includes('max-width: 688px') ? isNarrow : query.includes('min-width') && !isNarrow,
      addEventListener: ignore,
      removeEventListener: ignore,
      addListener: ignore,
      removeListener: ignore,
    }),
    addEventListener: ignore,
    removeEventListener: ignore,
    ...{ TextEncoder, URL, URLSearchParams, AbortController, console },
    // Rendering to text is synchronous. A real timer or channel would keep the build running.
    MessageChannel: class {
      port1 = {};
      port2 = { postMessage: ignore };
    },
    setTimeout: ignore,
    clearTimeout: ignore,
  };
  page.window = page;
  const context = createContext(page);
  runInContext(code, context);
  return context;
}
