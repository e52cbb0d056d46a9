// Builds everything in one process: the functions (with the console) and the server in parallel, then the template, and
// then the functions in the form that shares workers in a local start.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareSharedCode } from '../../local/lambda/function-code.ts';
import { buildServer } from './server.ts';

await Promise.all([import('./functions.ts'), buildServer()]);
await import('../../bin/app.ts');
const { CDK_OUTDIR: assembly } = process.env;
if (assembly) {
  const assets = readdirSync(assembly).filter((name) => /^asset\.\w+$/.test(name));
  await Promise.all(assets.map((name) => prepareSharedCode(join(assembly, name))));
}
