import { fileURLToPath } from 'node:url';
import type { HtmlTagDescriptor, Plugin, UserConfig } from 'vite';
import { renderErrorCodes } from './error-codes.ts';

// Tests start the build with another value, which would bundle the slow React for development.
process.env.NODE_ENV = 'production';

const inFolder = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Each group is one file: many small files would be many requests. It has what its entry imports, and modules that the same
 * pages need, unless an earlier group has them.
 */
const groups = [
  { name: 'start', entry: 'main.ts' },
  { name: 'view', entry: 'app/view.tsx', others: /[\\/]ui[\\/](?!markdown-|kit[\\/](?:charts|token-input))/ },
  {
    name: 'words',
    entry: 'records/columns.tsx',
    others:
      /[\\/](?:[\w-]+-(?:words|labels|values|links|state)|record-kind|directory|require-role|use-record|item-names|tables)\.tsx?$/,
  },
  { name: 'list', entry: 'records/record-list.tsx' },
  {
    name: 'record',
    entry: 'records/record-page.tsx',
    others: /[\\/](?:records[\\/]timeline|approval|record-actions|links-panel|follow-job)\./,
  },
  {
    name: 'form',
    entry: 'records/record-editor.tsx',
    others: /[\\/](?:named-form|weekly-hours|[\w-]+-controls|suggesting-field|incident-change|similar-records)\./,
  },
].map(({ name, entry, others }, place) => {
  const { plugin, has } = collectModules(inFolder(entry));
  const test = (id: string) => has(id) || others?.test(id) === true;
  return { plugin, group: { name, priority: 10 - place, test } };
});

export default {
  root: inFolder('.'),
  base: '/console/',
  plugins: [...groups.map(({ plugin }) => plugin), prepareHead(), fillErrorPage()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    cssMinify: 'esbuild',
    target: ['chrome120', 'firefox125', 'safari17'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      // React Query marks its modules for servers that render React; nothing is lost in a browser.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      input: { main: inFolder('index.html'), errors: inFolder('errors.html'), 'theme-boot': inFolder('theme-boot.ts') },
      output: {
        hashCharacters: 'hex',
        codeSplitting: {
          groups: groups.map(({ group }) => group),
        },
      },
    },
  },
} satisfies UserConfig;

/** Collects what a module imports, also indirectly. */
function collectModules(entry: string): { plugin: Plugin; has(id: string): boolean } {
  const found = new Set<string>();
  const plugin: Plugin = {
    name: 'collect-modules',
    buildEnd() {
      const visit = (id: string) => {
        if (found.has(id)) return;
        found.add(id);
        this.getModuleInfo(id)?.importedIds.forEach(visit);
      };
      visit(entry);
    },
  };
  return { plugin, has: (id) => found.has(id) };
}

/** A classic script in the head: only those run before the page is drawn. The renderer loads beside the first file. */
function prepareHead(): Plugin {
  return {
    name: 'prepare-head',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {}, path }) {
        if (path !== '/index.html') return [];
        const toTags = (pattern: RegExp, toTag: (address: string) => Omit<HtmlTagDescriptor, 'injectTo'>) =>
          Object.values(bundle)
            .filter(({ fileName }) => pattern.test(fileName))
            .map(({ fileName }) => toTag(`/console/${fileName}`));
        const toLink = (rel: string) => (href: string) => ({ tag: 'link', attrs: { rel, crossorigin: '', href } });
        return [
          ...toTags(/^theme-boot-.*js$/, (src) => ({ tag: 'script', attrs: { src } })),
          // After the styles of the first file, which declare the order of the layers.
          ...toTags(/^view-.*css$/, toLink('stylesheet')).map((tag) => ({ ...tag, injectTo: 'head' as const })),
          ...toTags(/^view-.*js$/, toLink('modulepreload')).map((tag) => ({ ...tag, injectTo: 'head' as const })),
        ];
      },
    },
  };
}

function fillErrorPage(): Plugin {
  return {
    name: 'fill-error-page',
    transformIndexHtml: (html) => html.replace('<!-- error codes -->', renderErrorCodes),
  };
}
