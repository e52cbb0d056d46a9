import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, UserConfig } from 'vite';
import { renderErrorCodes } from './error-codes.ts';

// Tests start the build with another value, which would bundle the slow React for development.
process.env.NODE_ENV = 'production';

const inFolder = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const first = collectModules([inFolder('main.tsx')]);

export default {
  root: inFolder('.'),
  base: '/console/',
  plugins: [
    first.plugin,
    applyThemeFirst(),
    fillErrorPage(),
    withoutFonts(),
    withoutFeatureNotifications(),
    withoutUnusedMessages(),
  ],
  resolve: {
    // Cloudscape's messages are parsed ahead of time, so the parser is not needed.
    alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/lib/no-parser.js' },
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    cssMinify: 'esbuild',
    target: ['chrome120', 'firefox120', 'safari17'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      // Cloudscape marks its components for servers that render React.
      checks: { moduleLevelDirective: false },
      input: { main: inFolder('index.html'), errors: inFolder('errors.html'), 'theme-boot': inFolder('theme-boot.ts') },
      output: { hashCharacters: 'hex', codeSplitting: { groups: [{ name: 'first', test: first.has }] } },
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

/** A classic script in the head: only those run before the page is drawn. */
function applyThemeFirst(): Plugin {
  return {
    name: 'apply-theme-first',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {}, path }) {
        const script = Object.values(bundle).find(({ name }) => name === 'theme-boot');
        if (!script || path !== '/index.html') return [];
        return [{ tag: 'script', attrs: { src: `/console/${script.fileName}` }, injectTo: 'head-prepend' }];
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

/** Cloudscape embeds eight fonts in the style sheet. Without them the console uses the fonts of the system, and loads earlier. */
function withoutFonts(): Plugin {
  return {
    name: 'without-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /global-styles[\\/]index\.css$/ },
      handler: (css) => css.replace(/@font-face ?\{[^{}]*\}/g, ''),
    },
  };
}

/**
 * A drawer of Cloudscape's layout for announcements of AWS. Nothing here opens it, and it would bring drag and drop and
 * date functions to every page.
 */
function withoutFeatureNotifications(): Plugin {
  return {
    name: 'without-feature-notifications',
    load: {
      filter: { id: /[\\/]feature-notifications-drawer-content\.js$/ },
      handler: () => 'export default () => null; export const RuntimeContentPart = () => null;',
    },
  };
}

/** Messages of components that the console does not use. */
const unusedMessages = [
  'annotation-context',
  'code-editor',
  'file-token-group',
  'file-upload',
  'prompt-input',
  's3-resource-selector',
  'tag-editor',
  'tutorial-panel',
  'wizard',
];

function withoutUnusedMessages(): Plugin {
  return {
    name: 'without-unused-messages',
    load: {
      filter: { id: /[\\/]messages[\\/]all\.en\.js$/ },
      handler(path) {
        const messages = JSON.parse(readFileSync(`${path}on`, 'utf8'));
        for (const component of unusedMessages) delete messages['cloudscape-design-components'].en[component];
        return `export default ${JSON.stringify(messages)}`;
      },
    },
  };
}
