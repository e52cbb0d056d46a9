import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

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
  plugins: [withoutFeatureNotifications()],
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
