// Where a function's code is on this machine: the folder CDK staged into the cloud assembly, or a folder written here
// for code that stands in the template itself.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Resource } from '../template/resource-type.ts';

export function codeFolderOf(resource: Resource, assetFolder: string, inlineFolder: () => string): string {
  const code = resource.properties.Code ?? {};
  if (typeof code.ZipFile === 'string') return writeInline(resource, code.ZipFile, inlineFolder());
  const path = resource.metadata['aws:asset:path'] ?? fromKey(code.S3Key);
  if (typeof path !== 'string')
    throw new Error(`${resource.logicalId}: the code is neither a CDK asset nor written in the template`);
  const folder = resolve(assetFolder, path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new Error(`${resource.logicalId}: the code's asset ${path} is not in ${assetFolder}`);
  if (!found.isDirectory())
    throw new Error(`${resource.logicalId}: the code's asset ${path} is a file; only folders can run here`);
  return folder;
}

function fromKey(key: unknown): string | undefined {
  return typeof key === 'string' && key.endsWith('.zip') ? `asset.${key.slice(0, -'.zip'.length)}` : undefined;
}

/** Lambda names the one file of inline code index.js. */
function writeInline(resource: Resource, code: string, inlineFolder: string): string {
  const folder = join(inlineFolder, resource.logicalId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), code);
  return folder;
}
