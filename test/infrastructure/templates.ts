// The templates that tests of the infrastructure read. One process synthesizes all of them, because Jest would load the CDK
// again for every file, and they stay until one of their sources changes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles, root } from '../../tools/build/local-build.ts';

/** `withOptions` is a deployment with every option that adds resources. */
export type TemplateName = 'local' | 'prod' | 'prodWithSearch' | 'withOptions';

const program = 'test/infrastructure/synthesize.ts';
const sources = ['lib', 'contract', 'local/template', 'tools/check', 'package-lock.json', program];

export function readTemplate(name: TemplateName): object {
  return JSON.parse(readFileSync(join(ensureTemplates(), `${name}.json`), 'utf8'));
}

/** Returns the folder of the templates. */
export function ensureTemplates(): string {
  const folder = join(tmpdir(), `templates-${hashSources()}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${process.pid}`;
  execFileSync(process.execPath, ['--import', 'tsx', join(root, program), draft], {
    cwd: root,
    // `npm run synth` validates templates.
    env: { ...process.env, NODE_OPTIONS: '', CDK_VALIDATION: 'false' },
  });
  // Another process may have been first.
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
  return folder;
}

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of sources)
    for (const file of listFiles(join(root, path))) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 20);
}
