// `npm run restore-drill`: proves that a backup can be restored. It backs up the data folder (DATA_DIR), restores the copy
// to a temporary folder, starts a server on it and compares records. The server that runs is not touched.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { BackupError, backUp, restore } from '../local/storage/backup.ts';
import { root } from '../tools/build/local-build.ts';
import type { Credentials } from './server/credentials.ts';
import { runTool, UsageError } from './tool.ts';

const startTimeoutMs = 90_000;
const requestTimeoutMs = 60_000;

await runTool(async (args) => {
  if (args.length > 0) throw new UsageError('Usage: npm run restore-drill. DATA_DIR says which data folder.');
  const dataFolder = process.env.DATA_DIR ?? join(root, '.data');
  const folder = mkdtempSync(join(tmpdir(), 'restore-drill-'));
  const startedAt = performance.now();
  try {
    await backUp(dataFolder, join(folder, 'backup'));
    const restored = join(folder, 'restored');
    await restore(join(folder, 'backup'), restored, { replace: false });
    const rows = countRows(join(folder, 'backup', 'runtime.db'));
    const health = await startAndAsk(restored);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`The backup of ${dataFolder} was restored in ${seconds} s: ${rows} rows, health ${health}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function countRows(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    const counts = tables.map(
      ({ name }) => database.prepare(`SELECT count(*) AS n FROM "${name}"`).get() as { n: number },
    );
    return counts.reduce((sum, { n }) => sum + n, 0);
  } finally {
    database.close();
  }
}

/** The health that the restored server reports, after a signed-in request for incidents succeeded. */
async function startAndAsk(dataFolder: string): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'bin/start.js'), '--empty'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, PORT: '0', DATA_DIR: dataFolder },
  });
  try {
    await waitUntilReady(child);
    const file = join(dataFolder, 'credentials.json');
    if (!existsSync(file)) throw new BackupError('The restored server wrote no credentials.');
    const { base_url, auth_url, clients } = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...clients.viewer });
    const { access_token } = await ask(`${auth_url}/oauth2/token`, { method: 'POST', body: form });
    const headers = { authorization: `Bearer ${access_token}` };
    await ask(`${base_url}/prod/api/v1/incidents?limit=1`, { headers });
    const { status } = await ask(`${base_url}/prod/api/v1/health`, { headers });
    return String(status);
  } finally {
    child.kill('SIGTERM');
  }
}

async function ask(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) });
  if (!response.ok) throw new BackupError(`The restored server responded with ${response.status} to ${url}.`);
  return (await response.json()) as Record<string, unknown>;
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    const fail = (why: string) => reject(new BackupError(`The restored server did not start (${why}). ${errors}`));
    const timer = setTimeout(() => fail('timeout'), startTimeoutMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`exit code ${code}`);
    });
    child.on('message', (message) => {
      if (message !== 'ready') return;
      clearTimeout(timer);
      resolve();
    });
  });
}
