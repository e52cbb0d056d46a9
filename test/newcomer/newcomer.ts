// npm run test:newcomer: clones the repository, installs it, starts the service and pastes the blocks of the README, as
// somebody does in the first minutes; then the guides (documentation.test.ts). It prints what each step takes.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles, root } from '../../tools/build/local-build.ts';
import { findFreePort } from '../support/receivers.ts';

const maxStepMs = 10 * 60_000;
const folder = mkdtempSync(join(tmpdir(), 'newcomer-'));
const clone = join(folder, 'incidents');
let server: ChildProcess | undefined;
try {
  await step('git clone', 'git', ['clone', '--quiet', root, clone], folder);
  const installed = await step('npm ci', 'npm', ['ci'], clone);
  const warnings = installed.split('\n').filter((line) => line.startsWith('npm warn'));
  for (const warning of warnings) console.log(`  ${warning}`);
  console.log(`  ${measureMegabytes(join(clone, 'node_modules'))} MB`);
  const startedAt = performance.now();
  server = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    env: { ...process.env, PORT: `${await findFreePort()}` },
  });
  await waitUntilReady(server);
  console.log(`npm start: ${formatSeconds(startedAt)}`);
  const script = listShellBlocks().join('\n');
  const shells = ['bash', 'zsh'].filter((shell) => !spawnSync(shell, ['--version']).error);
  if (shells.length < 2) console.log('zsh is not installed, so the blocks are not tested in it.');
  for (const shell of shells) await step(`README in ${shell}`, shell, ['-euo', 'pipefail', '-c', script], clone);
  process.env.READERS_SHELLS = shells.join(' ');
  await step('guides', 'npm', ['run', 'jest', '--', 'test/journeys/documentation'], clone);
} finally {
  if (server?.pid) process.kill(-server.pid, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** Without those that install, deploy or need the AWS CLI. */
function listShellBlocks(): string[] {
  const text = readFileSync(join(clone, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  return blocks.filter((block) => !/^(?:npm|npx|aws) /m.test(block));
}

/** Runs a command to its end and returns its output; fails with it, too. */
function step(name: string, command: string, args: readonly string[], cwd: string): Promise<string> {
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd, timeout: maxStepMs });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      console.log(`${name}: ${formatSeconds(startedAt)}`);
      if (code === 0) resolve(output);
      else reject(new Error(`${name} ended with ${code}:\n${output.slice(-3_000)}`));
    });
  });
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`npm start was not ready:\n${output}`)), maxStepMs);
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (!output.includes('Press Ctrl-C')) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
}

function measureMegabytes(path: string): string {
  const bytes = listFiles(path).reduce((sum, file) => sum + statSync(file).size, 0);
  return (bytes / 1e6).toFixed(0);
}

function formatSeconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
