// The demo data takes seconds to create. `npm ci` creates it, so that the first start only moves a folder into place. It is
// used once: two servers must not share keys and passwords.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildStamp, root } from './local-build.ts';

const home = join(root, 'dist/demo-data');
const createBoundMs = 120_000;

/** The demo shows what happened until now, so older data would look abandoned. */
const maxAgeMs = 24 * 60 * 60_000;

export async function prepareDemoData(): Promise<void> {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  const draft = join(home, 'draft');
  await startOnce(draft);
  renameSync(draft, findPrepared() ?? draft);
}

/** Moves prepared demo data to a data folder that does not exist yet. Without any, the server creates the demo itself. */
export function adoptDemoData(dataFolder: string, prepared = findPrepared(), nowMs = Date.now()): boolean {
  if (existsSync(dataFolder) || prepared === undefined) return false;
  try {
    if (nowMs - statSync(prepared).mtimeMs > maxAgeMs) return false;
    renameSync(prepared, dataFolder);
    return true;
  } catch (error) {
    // None was prepared, another server took it, or the data folder is on another disk.
    if (['ENOENT', 'EXDEV'].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}

/** Data of another build could have another form. */
function findPrepared(): string | undefined {
  return existsSync(buildStamp) ? join(home, readFileSync(buildStamp, 'utf8')) : undefined;
}

/** Runs the server until it is ready, and stops it. */
function startOnce(dataFolder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = spawn(process.execPath, [join(root, 'bin/start.js')], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataFolder, PORT: '0', PREPARED_PORT: '3000' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: createBoundMs,
    });
    let output = '';
    server.stderr?.on('data', (chunk) => (output += chunk));
    server.once('message', () => server.kill('SIGTERM'));
    server.once('error', reject);
    server.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The demo data was not created. ${output}`)),
    );
  });
}
