// Everything that is built, in one process: functions (with the console) and server side by side, then the template from the
// functions, and the functions once more in the form that a local start shares workers with.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareSharedCode } from '../local/lambda/function-code.ts';
import { buildServer } from './build-server.ts';

await Promise.all([import('./build-functions.ts'), buildServer()]);
await import('./app.ts');
const { CDK_OUTDIR: assembly } = process.env;
if (assembly) {
  const assets = readdirSync(assembly).filter((name) => /^asset\.\w+$/.test(name));
  await Promise.all(assets.map((name) => prepareSharedCode(join(assembly, name))));
}
