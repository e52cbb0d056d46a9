// npm run archive: the server for this platform in one file, with all it needs, so that whoever only wants to run it neither
// installs nor builds anything.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assemblyFolder, ensureLocalBuild, productionStackName, root, stackName, toStackNames } from './local-build.ts';

/** What dist/server imports; the functions contain what they need. */
const packages = [
  ...['@huggingface/tokenizers', '@node-saml/node-saml', '@xmldom/xmldom', 'esbuild', 'libsql', 'lru-cache'],
  ...['nodemailer', 'oidc-provider', 'onnxruntime-node', 'openid-client'],
];

interface Package {
  version: string;
  engines: Readonly<Record<string, string>>;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
}

/** Puts the server into `folder`, which must be new. */
export function assembleServer(folder: string): void {
  // A running server may be writing its code cache, which would not fit another version of Node.js anyway.
  const filter = (path: string) => !/\.cache(?:-[\d-]+)?$/.test(path);
  const copy = (path: string) => cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  for (const path of ['LICENSE', 'bin/start.js', 'demo/articles', 'dist/server', 'model/built-in']) copy(path);
  for (const name of [stackName, productionStackName].flatMap(toStackNames)) {
    for (const asset of listAssets(name)) {
      copy(`dist/local/${asset}`);
      if (existsSync(join(assemblyFolder, `${asset}.commonjs`))) copy(`dist/local/${asset}.commonjs`);
    }
  }
  for (const path of listInstalled()) copy(path);
  rmSync(join(folder, 'node_modules/onnxruntime-node/bin/napi-v6'), { recursive: true });
  copy(`node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`);
  const { version, engines } = readPackage(root);
  const scripts = {
    start: 'MALLOC_ARENA_MAX=1 node bin/start.js',
    backup: 'node dist/server/backup.mjs',
    restore: 'node dist/server/restore.mjs',
  };
  const content = { name: 'incident-service', version, private: true, type: 'module', engines, scripts };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content, null, 2));
}

/** The template of a stack, those of its nested stacks, and code. */
function listAssets(name: string): string[] {
  const { files } = JSON.parse(readFileSync(join(assemblyFolder, `${name}.assets.json`), 'utf8')) as {
    files: Readonly<Record<string, { source: { path: string } }>>;
  };
  return Object.values(files).map(({ source }) => source.path);
}

/** The folders of these packages and of all that they depend on. */
function listInstalled(): string[] {
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    const path = findInstalled(name, from);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = readPackage(join(root, path));
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(next, path);
  };
  for (const name of packages) add(name, '');
  return [...found].filter((path) => !skipped.has(path));
}

/** These serve the installation of onnxruntime-node only. */
const skipped = new Set(['node_modules/adm-zip', 'node_modules/global-agent']);

/** As Node.js resolves it; optional packages of other platforms are not installed. */
function findInstalled(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (existsSync(join(root, path, 'package.json'))) return path;
  return from === '' ? undefined : findInstalled(name, dirname(from) === '.' ? '' : dirname(from));
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureLocalBuild(() => console.log('Building the functions, the console and the template …'));
  const name = `incident-service-${readPackage(root).version}-${process.platform}-${process.arch}`;
  const folder = join(root, 'dist/archive', name);
  rmSync(dirname(folder), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  assembleServer(folder);
  execFileSync('tar', ['-czf', `${name}.tar.gz`, name], { cwd: dirname(folder) });
  console.log(`dist/archive/${name}.tar.gz`);
}
