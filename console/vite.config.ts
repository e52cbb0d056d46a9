import { fileURLToPath } from 'node:url';
import type { Plugin, UserConfig } from 'vite';
import { renderErrorCodes } from './error-codes.ts';

// Tests start the build with another value, which would bundle the slow React for development.
process.env.NODE_ENV = 'production';

const inFolder = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const first = collectModules([inFolder('main.tsx')]);

/** What features share is one file: many small files would be many requests. These load on demand. */
const isShared = (id: string) =>
  /[\\/]console[\\/](?:ui|records|resources)[\\/]/.test(id) && !/markdown-(?:view|options)|charts/.test(id);

/** The overview without its charts and the portal. */
const isHome = (id: string) =>
  /[\\/](?:home[\\/](?:home-page|counters|work-queues)|profile[\\/]caller-panel)\./.test(id);

export default {
  root: inFolder('.'),
  base: '/console/',
  plugins: [first.plugin, prepareHead(), fillErrorPage()],
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
          groups: [
            { name: 'first', test: first.has, priority: 2 },
            { name: 'shared', test: isShared, priority: 1 },
            { name: 'home', test: isHome, priority: 1 },
          ],
        },
      },
    },
  },
} satisfies UserConfig;

/** Collects what some modules import, to load it as one file: the headers of forty files take as long as 40 KB. */
function collectModules(entries: readonly string[]): { plugin: Plugin; has(id: string): boolean } {
  const found = new Set<string>();
  const plugin: Plugin = {
    name: 'collect-modules',
    buildEnd() {
      const visit = (id: string) => {
        if (found.has(id)) return;
        found.add(id);
        this.getModuleInfo(id)?.importedIds.forEach(visit);
      };
      entries.forEach(visit);
    },
  };
  return { plugin, has: (id) => found.has(id) };
}

/**
 * A classic script in the head: only those run before the page is drawn. What features share is loaded while the first file
 * runs, because every page needs it sooner or later.
 */
function prepareHead(): Plugin {
  return {
    name: 'prepare-head',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {}, path }) {
        const toAddress = (wanted: string) => {
          const found = Object.values(bundle).find(({ name, fileName }) => name === wanted && fileName.endsWith('.js'));
          return found && `/console/${found.fileName}`;
        };
        const [src, href] = [toAddress('theme-boot'), toAddress('shared')];
        if (!src || !href || path !== '/index.html') return [];
        const shared = { rel: 'modulepreload', crossorigin: '', fetchpriority: 'low', href };
        return [
          { tag: 'script', attrs: { src }, injectTo: 'head-prepend' },
          { tag: 'link', attrs: shared, injectTo: 'head' },
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
