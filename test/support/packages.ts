// Projects outside of the repository that install its packages.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../tools/build/local-build.ts';

const run = promisify(execFile);

export interface Project {
  folder: string;
  /** Runs a program in the project; resolves with what it printed. */
  run(command: string, args: readonly string[], environment?: Record<string, string>): Promise<string>;
}

/** An empty project with the given packages, installed without a network. */
export async function createProject(tarballs: readonly string[], files: Record<string, string> = {}): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
  const project: Project = {
    folder,
    async run(command, args, environment = {}) {
      const options = { cwd: folder, env: { ...inherited, ...environment }, timeout: 120_000 };
      const { stdout, stderr } = await run(command, [...args], options).catch((error) => {
        throw new Error(`${command} ${args.join(' ')} failed: ${error.stdout}${error.stderr}`, { cause: error });
      });
      return `${stdout}${stderr}`;
    },
  };
  const cache = join(folder, '.npm');
  await project.run('npm', ['install', ...tarballs, '--offline', '--no-audit', '--no-fund', '--cache', cache]);
  return project;
}

/** Builds and packs a workspace. Returns the file that `npm install` takes. */
export async function packWorkspace(name: 'cli' | 'client'): Promise<{ tarball: string; bytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'));
  const args = ['pack', '--workspace', name, '--json', '--pack-destination', folder, '--foreground-scripts=false'];
  // A cache of its own: packing must work where the user's cache cannot be written.
  const { stdout } = await run('npm', [...args, '--cache', join(folder, '.npm')], { cwd: root, timeout: 180_000 });
  const [packed] = JSON.parse(stdout);
  return { tarball: join(folder, packed.filename), bytes: packed.size };
}

/** The compiler of this repository. */
export const tscPath = join(root, 'node_modules/typescript/bin/tsc');
