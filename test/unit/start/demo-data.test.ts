import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitsPreparedDemo, readSettings } from '../../../bin/server/settings.ts';
import { adoptDemoData } from '../../../tools/build/demo-data.ts';

const hourMs = 60 * 60_000;

function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const prepared = join(folder, 'prepared');
  mkdirSync(prepared);
  writeFileSync(join(prepared, 'runtime.db'), '');
  return { prepared, dataFolder: join(folder, 'data') };
}

describe('demo data of the installation', () => {
  it('is moved to the data folder of the first start, and is used once', () => {
    const { prepared, dataFolder } = prepare();
    expect(adoptDemoData(dataFolder, prepared)).toBe(true);
    expect(existsSync(join(dataFolder, 'runtime.db'))).toBe(true);
    expect(adoptDemoData(`${dataFolder}-2`, prepared)).toBe(false);
  });

  it('never replaces a data folder', () => {
    const { prepared, dataFolder } = prepare();
    mkdirSync(dataFolder);
    expect(adoptDemoData(dataFolder, prepared)).toBe(false);
    expect(existsSync(prepared)).toBe(true);
  });

  it('is not used after a day', () => {
    const { prepared, dataFolder } = prepare();
    expect(adoptDemoData(dataFolder, prepared, Date.now() + 25 * hourMs)).toBe(false);
    expect(adoptDemoData(dataFolder, prepared, Date.now() + 23 * hourMs)).toBe(true);
  });

  it.each<[string, string[], Record<string, string>, boolean]>([
    ['plain start', [], {}, true],
    ['start without demo', ['--empty'], {}, false],
    ['production', ['--production'], {}, false],
    ['other port', [], { PORT: '4000' }, false],
    ['other data folder', [], { DATA_DIR: '/srv/incidents' }, false],
  ])('%s: uses it only with the default address and folder', (_, args, env, fits) => {
    expect(fitsPreparedDemo(readSettings(args, env))).toBe(fits);
  });
});
