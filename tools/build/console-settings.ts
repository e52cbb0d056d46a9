import { readFileSync } from 'node:fs';
import type { BuildOptions, Plugin } from 'esbuild';
import { root } from './local-build.ts';

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
  plugins: [withoutFeatureNotifications(), withoutUnusedMessages()],
  // Cloudscape's messages are parsed ahead of time, so the parser is not needed.
  alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/lib/no-parser.js' },
} as const satisfies BuildOptions;

/**
 * A drawer of Cloudscape's layout for announcements of AWS. Nothing here opens it, and it would bring drag and drop and
 * date functions to every page.
 */
function withoutFeatureNotifications(): Plugin {
  const contents = 'export default () => null; export const RuntimeContentPart = () => null;';
  return {
    name: 'without feature notifications',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]feature-notifications-drawer-content\.js$/ }, () => ({ contents, loader: 'js' }));
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
    name: 'without unused messages',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]messages[\\/]all\.en\.js$/ }, ({ path }) => {
        const messages = JSON.parse(readFileSync(`${path}on`, 'utf8'));
        for (const component of unusedMessages) delete messages['cloudscape-design-components'].en[component];
        return { contents: `export default ${JSON.stringify(messages)}`, loader: 'js' };
      });
    },
  };
}
