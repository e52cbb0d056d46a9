import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Plugin, transform } from 'esbuild';

// Each export of lambdas/**/handlers.ts creates the handler of one function. esbuild splits code by file: if all functions
// of a capability imported its handlers.ts, each would load the code of all. So each function gets a copy of the file that
// exports its own handler only, without the code and imports of the others.

export interface HandlerEntry {
  /** The name of the function, in kebab-case. */
  name: string;
  exportName: string;
  file: string;
}

export function listHandlers(root = '.'): HandlerEntry[] {
  const files = readdirSync(join(root, 'lambdas'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /(^|\/)handlers\.ts$/.test(file.replaceAll('\\', '/')))
    .map((file) => join(root, 'lambdas', file))
    .sort()
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^export const (\w+) = /gm)].map(([, exportName = '']) => ({
        name: kebabCase(exportName),
        exportName,
        file,
      })),
    );
}

export function createHandlerEntriesPlugin(entries: readonly HandlerEntry[]): Plugin {
  const byName = new Map(entries.map((entry) => [`${namespace}:${entry.name}`, entry]));
  return {
    name: 'handler-entries',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({ path, namespace }));
      build.onLoad({ filter: /./, namespace }, async ({ path }) => {
        const entry = byName.get(path);
        if (!entry) throw new Error(`no handlers.ts exports ${path}`);
        return { contents: await extractHandler(entry), loader: 'js', resolveDir: resolve(dirname(entry.file)) };
      });
    },
  };
}

const namespace = 'handler';

/** Counts the AWS calls of each invocation. */
const telemetry = 'lambdas/platform/telemetry.ts';

async function extractHandler({ file, exportName }: HandlerEntry): Promise<string> {
  const source = readFileSync(file, 'utf8').replace(/^export const /gm, 'const ');
  const options = { loader: 'ts', format: 'esm', sourcefile: file, sourcemap: 'inline' } as const;
  const observed = `import { observeInvocations } from ${JSON.stringify(resolve(telemetry))};\n`;
  const withExport = `${observed}${source}\nexport const handler = observeInvocations(${exportName}());\n`;
  // The first pass removes the other handlers; the second one the imports that nothing uses any more.
  const { code } = await transform(withExport, { ...options, treeShaking: true });
  return (await transform(code, options)).code;
}

export function toEntryPoint({ name }: HandlerEntry): { in: string; out: string } {
  return { in: `${namespace}:${name}`, out: name };
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Some dependencies are CommonJS and call require for Node's own modules, which ES modules do not have. */
export const requireInModules =
  "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);";
