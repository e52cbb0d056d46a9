// Several functions in one worker: each gets instances of all its modules, its own process.env and its own global object,
// so no state of one function reaches another. The code of a module is compiled once per worker and called once per
// function, so that functions share bytecode and optimized code. Node's built-in modules and the prototypes of the
// language are shared.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

export interface InstanceOptions {
  taskRoot: string;
  /** Where the ES modules of the code are as CommonJS. */
  commonJsRoot: string | undefined;
  environment: Record<string, string>;
  exit(exitCode: number): never;
}

type Require = (specifier: string) => unknown;
type Factory = (...values: unknown[]) => void;

/** In the order in which `evaluate` passes the values; the name of `import.meta.url` is that of shared-code.ts. */
const parameters = [
  'exports',
  'require',
  'module',
  '__filename',
  '__dirname',
  '__importMetaUrl',
  'process',
  'globalThis',
  'global',
];

const factories = new Map<string, Factory>();
const resolutions = new Map<string, string>();

/** Loads a file of the function's code, with everything it requires, for this function alone. */
export function createInstance(options: InstanceOptions): (path: string) => unknown {
  const { taskRoot, commonJsRoot } = options;
  const modules = new Map<string, { exports: unknown }>();
  const ownProcess = processWith(options);
  const ownGlobal = globalWith(ownProcess);

  const requireFrom = (from: string): Require => {
    const actual = createRequire(from);
    return (specifier) => {
      const name = specifier.replace(/^node:/, '');
      if (name === 'process') return ownProcess;
      if (name === 'module') return { ...(actual(specifier) as object), createRequire: () => requireFrom(from) };
      return isBuiltin(specifier) ? actual(specifier) : load(resolve(actual, from, specifier));
    };
  };
  const load = (path: string): unknown => {
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    modules.set(path, module);
    try {
      evaluate(path, module);
    } catch (error) {
      modules.delete(path);
      throw error;
    }
    return module.exports;
  };
  const evaluate = (path: string, module: { exports: unknown }): void => {
    if (path.endsWith('.json')) module.exports = JSON.parse(readFileSync(path, 'utf8'));
    else if (path.endsWith('.node')) module.exports = createRequire(path)(path);
    else {
      const url = pathToFileURL(path).href;
      const factory = factoryOf(path, commonJsRoot && `${join(commonJsRoot, relative(taskRoot, path))}.cjs`);
      factory.call(
        module.exports,
        module.exports,
        requireFrom(path),
        module,
        path,
        dirname(path),
        url,
        ownProcess,
        ownGlobal,
        ownGlobal,
      );
    }
  };
  return load;
}

function factoryOf(path: string, commonJsPath: string | undefined): Factory {
  const known = factories.get(path);
  if (known) return known;
  const code = readFileSync(commonJsPath && existsSync(commonJsPath) ? commonJsPath : path, 'utf8');
  const factory = new Script(`(function (${parameters.join(', ')}) {${code}\n})`, {
    filename: path,
  }).runInThisContext() as Factory;
  factories.set(path, factory);
  return factory;
}

function resolve(require: NodeJS.Require, from: string, specifier: string): string {
  const key = `${dirname(from)}\n${specifier}`;
  const known = resolutions.get(key);
  if (known !== undefined) return known;
  const path = require.resolve(specifier);
  resolutions.set(key, path);
  return path;
}

function processWith({ environment, exit }: InstanceOptions): NodeJS.Process {
  return Object.create(process, {
    env: { value: { ...environment }, writable: true, enumerable: true },
    exit: { value: (exitCode = 0) => exit(Number(exitCode)) },
  });
}

/** What a function sets on the global object stays with it; everything else is read from the worker's. */
function globalWith(ownProcess: NodeJS.Process): object {
  const own: Record<PropertyKey, unknown> = Object.create(null);
  const ownGlobal: object = new Proxy(own, {
    get: (target, key) => (key in target ? target[key] : Reflect.get(globalThis, key)),
    has: (target, key) => key in target || key in globalThis,
  });
  Object.assign(own, { process: ownProcess, globalThis: ownGlobal, global: ownGlobal });
  return ownGlobal;
}
