import { syncBuiltinESMExports } from 'node:module';
import util from 'node:util';
import config from './vite.config.ts';

/** Builds the console into a folder, given by its absolute path. */
export async function buildConsole(outDir: string) {
  acceptListsOfStyles();
  const { build } = await import('vite');
  return build({ ...config, configFile: false, build: { ...config.build, outDir }, logLevel: 'warn' });
}

/** The bundler calls `styleText` with a list when it is loaded, which Node before 20.18 rejects. */
function acceptListsOfStyles(): void {
  const { styleText } = util;
  util.styleText = (format, text) => [format].flat().reduce((styled, one) => styleText(one, styled), text);
  syncBuiltinESMExports();
}
