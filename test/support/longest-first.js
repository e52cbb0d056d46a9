import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** What a byte of a test takes, roughly. A start of the service takes as long as some thousand bytes. */
const msPerByte = { browser: 3, journeys: 2, handlers: 1 };
const bytesPerStart = 5_000;

/** Starts long suites first, also before their times are known, so that no processor is idle at the end. */
export default class LongestFirst extends Sequencer {
  time(test) {
    const kind = /\/test\/(\w+)\//.exec(test.path)?.[1];
    return super.time(test) ?? Math.round((bytesPerStart + countBytes(test.path)) * (msPerByte[kind] ?? 0.2));
  }
}

/** Of a file and its parts, which are in a folder of the same name. */
function countBytes(path) {
  const folder = path.replace(/\.test\.ts$/, '');
  const parts = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [path, ...parts].reduce((sum, file) => sum + statSync(file).size, 0);
}
