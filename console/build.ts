import { build } from 'vite';
import config from './vite.config.ts';

/** Builds the console into a folder, given by its absolute path. */
export function buildConsole(outDir: string) {
  return build({ ...config, configFile: false, build: { ...config.build, outDir }, logLevel: 'warn' });
}
