// Builds what a local start needs: functions, console, template and server. It runs in one child process, so that the
// server does not hold the CDK in memory, and only when a source has changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkStacks } from '../../local/template/link.ts';
import type { CloudFormationTemplate } from '../../local/template/template.ts';

/** The folder of package.json. This file is below it, in tools/ or in the server's bundle. */
export const root = findPackage(dirname(fileURLToPath(import.meta.url)));
export const serverBundle = join(root, 'dist/server/serve.mjs');
export const assemblyFolder = join(root, 'dist/local');
/** The names of the two instances, which begin the names of their stacks and resources. */
export const stackName = 'incidents-local';
export const productionStackName = 'incidents-server';

const sources = [
  'bin',
  'client',
  'console',
  'contract',
  'demo',
  'lambdas',
  'lib',
  'local',
  'mcp',
  'model/built-in',
  'package-lock.json',
  'package.json',
  'tools/build',
  'tools/generate',
];
export const buildStamp = join(root, 'dist/local-build.sha256');
const buildBoundMs = 120_000;

/** Builds if a source has changed, after printing a message. Returns whether it built something. */
export async function ensureLocalBuild(announce: () => void = () => {}): Promise<boolean> {
  // An archive (archive.ts) has no sources.
  if (!existsSync(join(root, 'lib'))) return false;
  const digest = hashSources();
  const isThere = [buildStamp, ...toStackNames(stackName).map(toTemplatePath), serverBundle].every((file) =>
    existsSync(file),
  );
  if (isThere && readFileSync(buildStamp, 'utf8') === digest) return false;
  announce();
  await runBuild();
  writeFileSync(buildStamp, digest);
  return true;
}

/** The linked template of an instance. */
export function readTemplate(instance = stackName): CloudFormationTemplate {
  return linkStacks(toStackNames(instance), (file) => JSON.parse(readFileSync(join(assemblyFolder, file), 'utf8')));
}

export function toStackNames(instance: string): string[] {
  return [`${instance}-data`, `${instance}-service`];
}

function toTemplatePath(name: string): string {
  return join(assemblyFolder, `${name}.template.json`);
}

function findPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return join(folder, '/');
  const above = dirname(folder);
  if (above === folder) throw new Error('there is no package.json above this program');
  return findPackage(above);
}

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    const files = listFiles(join(root, source)).map((file) => file.slice(root.length));
    // Workspaces contain what was installed and packed.
    for (const file of files.filter((path) => !/\/(?:dist|node_modules)\//.test(path)))
      hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** All files at or below a path, in order. */
export function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name)).sort();
}

function runBuild(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'tools/build/all.ts')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: buildBoundMs,
      env: {
        ...process.env,
        CDK_CONTEXT_JSON: '{"env":"local"}',
        CDK_OUTDIR: assemblyFolder,
        CDK_VALIDATION: 'false',
        FUNCTIONS_PLATFORM: `${process.platform}/${process.arch}`,
        KNOWN_VECTORS: 'true',
      },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`The build failed.\n${output}`))));
  });
}
