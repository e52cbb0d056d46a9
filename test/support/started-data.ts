// A data folder as an empty first start leaves it. Making signing keys and hashing passwords takes seconds, so that one
// folder is made for all tests and each service starts on a copy; the first start itself has tests of its own.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { root } from '../../tools/build/local-build.ts';
import { startService } from './service.ts';

const folders = join(root, 'dist/started-data');

/** The folder for the sources as they were built, made when there is none. */
export async function startedData(): Promise<string> {
  const folder = join(folders, readFileSync(join(root, 'dist/local-build.sha256'), 'utf8'));
  if (existsSync(folder)) return folder;
  rmSync(folders, { recursive: true, force: true });
  const service = await startService();
  // The console is published when it is first used.
  await (await fetch(`${service.baseUrl}/console/`)).text();
  await service.end();
  resetSchedules(service.dataFolder);
  mkdirSync(folders);
  cpSync(service.dataFolder, `${folder}.partial`, { recursive: true });
  renameSync(`${folder}.partial`, folder);
  rmSync(service.dataFolder, { recursive: true });
  return folder;
}

/** Schedules start with the copy, as after a first start, instead of catching up. */
function resetSchedules(dataFolder: string): void {
  const database = new Database(join(dataFolder, 'runtime.db'));
  database.exec('DELETE FROM scheduler_schedules');
  database.close();
}
