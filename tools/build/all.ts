// Builds everything in one process: the functions (with the console) and the server in parallel, then the template, and
// then the functions in the form that shares workers in a local start. Removes the functions of earlier builds.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { translateModules } from '../../local/lambda/function-code.ts';
import { buildServer } from './server.ts';

await Promise.all([import('./functions.ts'), buildServer()]);
await import('../../bin/app.ts');
const { CDK_OUTDIR: assembly } = process.env;
if (assembly) {
  const names = readdirSync(assembly);
  const manifests = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(assembly, name), 'utf8'));
  const isUsed = (asset: string) => manifests.some((text) => text.includes(asset.split('.')[1] ?? asset));
  const assets = names.filter((name) => name.startsWith('asset.'));
  for (const asset of assets.filter((name) => !isUsed(name))) rmSync(join(assembly, asset), { recursive: true });
  const folders = assets.filter((name) => isUsed(name) && /^asset\.\w+$/.test(name));
  await Promise.all(folders.map((name) => translateModules(join(assembly, name))));
}
