import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './local-build.ts';

/**
 * The types of a folder as one declaration file. The compiler writes one file per module; here they become one scope, in
 * which only the names that index.ts exports are public. Two modules with the same name for different things would not
 * compile; the test of the package compiles it.
 */
export function bundleDeclarations(folder: string): string {
  const out = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    emit(folder, out);
    const modules = readdirSync(out).filter((file) => file !== 'index.d.ts');
    const texts = modules.map((file) => toScope(readFileSync(join(out, file), 'utf8')));
    return `${texts.join('\n')}\n${listExports(out)}\n`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function emit(folder: string, out: string): void {
  const config = join(out, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: out,
    rootDir: join(root, folder),
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [join(root, folder, '*.ts')] }),
  );
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' });
  rmSync(config);
}

function toScope(text: string): string {
  return text
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export \{[^;]*;\n/gm, '')
    .replace(/^export (?:declare )?(type|interface|const|function|class)\b/gm, (_, kind: string) =>
      kind === 'type' || kind === 'interface' ? kind : `declare ${kind}`,
    );
}

/** The exports of index.ts in one statement, with the names of `export type *` spelled out. */
function listExports(out: string): string {
  const index = readFileSync(join(out, 'index.d.ts'), 'utf8');
  const names = [...index.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isType, list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => (isType && !name.startsWith('type ') ? `type ${name}` : name)),
  );
  const wild = [...index.matchAll(/^export type \* from '\.\/([\w-]+)\.ts'/gm)].flatMap(([, module = '']) => {
    const text = readFileSync(join(out, `${module}.d.ts`), 'utf8');
    return [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => `type ${name}`);
  });
  return `export { ${[...names, ...wild].join(', ')} };`;
}
