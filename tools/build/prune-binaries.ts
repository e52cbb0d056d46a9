// After `npm ci`: deletes native binaries that neither this machine nor Lambda can run. onnxruntime-node ships those of
// five platforms, 290 MB in all. Those of Linux arm64 stay everywhere, because functions are packaged with them.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Deletes what this machine and Lambda do not need from the installed packages. */
export function pruneInstalled(modules = 'node_modules'): string[] {
  const removed = pruneBinaries(join(modules, 'onnxruntime-node/bin/napi-v6'));
  // libsql does not tell npm which C library its binaries are for, so npm installs both.
  const other = isGlibc() ? 'musl' : 'gnu';
  const unusable = `linux-${process.arch}-${other}`;
  if (process.platform === 'linux' && listFolders(join(modules, '@libsql')).includes(unusable)) {
    rmSync(join(modules, '@libsql', unusable), { recursive: true, force: true });
    removed.push(`@libsql/${unusable}`);
  }
  for (const path of unused) rmSync(join(modules, path), { recursive: true, force: true });
  return removed;
}

/** CommonJS copies of ES modules, a variant of date-fns, and the CDK's examples in other languages: nothing loads these 34 MB. */
const unused = [
  '@modelcontextprotocol/sdk/dist/cjs',
  'aws-cdk-lib/.jsii.tabl.json.gz',
  'date-fns/esm/fp',
  'date-fns/fp',
  'date-fns/locale',
];

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime !== undefined;
}

const lambdaPlatform = 'linux/arm64';

/** Deletes the folders `<system>/<processor>` below `folder` that are not among the kept platforms. */
export function pruneBinaries(
  folder: string,
  kept: readonly string[] = [lambdaPlatform, `${process.platform}/${process.arch}`],
): string[] {
  const removed: string[] = [];
  for (const system of listFolders(folder)) {
    for (const processor of listFolders(join(folder, system))) {
      if (kept.includes(`${system}/${processor}`)) continue;
      rmSync(join(folder, system, processor), { recursive: true, force: true });
      removed.push(`${system}/${processor}`);
    }
    if (listFolders(join(folder, system)).length === 0) rmSync(join(folder, system), { recursive: true, force: true });
  }
  return removed;
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
