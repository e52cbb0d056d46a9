// Finds `file.export` in a function's code as Lambda's Node runtime does: .js by the package.json inside the code,
// .mjs as a module, .cjs as CommonJS. A package.json above the code, such as the repository's, has no effect.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin, Module } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { requireValue } from '../../require-value.ts';
import { compile } from './compiled-code.ts';

export type Handler = (
  event: unknown,
  context: HandlerContext,
  callback: (error?: unknown, result?: unknown) => void,
) => unknown;

export interface HandlerContext {
  callbackWaitsForEmptyEventLoop: boolean;
  functionName: string;
  functionVersion: string;
  invokedFunctionArn: string;
  memoryLimitInMB: string;
  awsRequestId: string;
  logGroupName: string;
  logStreamName: string;
  getRemainingTimeInMillis(): number;
}

/** Loads the handler with `load`, or as Node loads modules. */
export async function loadHandler(
  taskRoot: string,
  name: string,
  load: (path: string) => unknown = (path) => importFile(taskRoot, path),
): Promise<Handler> {
  const file = basename(name);
  const dot = file.indexOf('.');
  if (dot < 1 || name.includes('..')) throw createNamedError('Runtime.MalformedHandlerName', 'Bad handler');
  const modulePath = join(dirname(name), file.slice(0, dot));
  const exported = await loadModule(taskRoot, modulePath, load);
  let value: unknown = exported;
  for (const key of file.slice(dot + 1).split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  if (value === undefined) throw createNamedError('Runtime.HandlerNotFound', `${name} is undefined or not exported`);
  if (typeof value !== 'function') throw createNamedError('Runtime.HandlerNotFound', `${name} is not a function`);
  return value as Handler;
}

async function loadModule(taskRoot: string, modulePath: string, load: (path: string) => unknown): Promise<unknown> {
  const path = resolve(taskRoot, modulePath);
  const file = ['.js', '.mjs', '.cjs'].map((extension) => path + extension).find((each) => existsSync(each));
  if (!file) throw createNamedError('Runtime.ImportModuleError', `Error: Cannot find module '${modulePath}'`);
  try {
    return await load(file);
  } catch (error) {
    throw toInitError(error);
  }
}

function importFile(taskRoot: string, path: string): unknown {
  const isModule = path.endsWith('.mjs') || (path.endsWith('.js') && isModuleScope(taskRoot, path));
  if (isModule) return import(pathToFileURL(path).href);
  readCodeAsCommonJs(taskRoot);
  return createRequire(path)(path);
}

/** Whether the nearest package.json at or below the code's root makes this .js file an ES module. */
export function isModuleScope(taskRoot: string, path: string): boolean {
  const root = resolve(taskRoot);
  for (let folder = dirname(path); folder.startsWith(root); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    if (folder === root) return false;
  }
  return false;
}

function readCodeAsCommonJs(taskRoot: string): void {
  const { _extensions: extensions } = Module as typeof Module & WithExtensions;
  const ordinary = requireValue(extensions['.js']);
  extensions['.js'] = (module, path) => {
    if (path.startsWith(resolve(taskRoot) + sep) && !isModuleScope(taskRoot, path))
      module._compile(readFileSync(path, 'utf8'), path);
    else ordinary(module, path);
  };
}

interface WithExtensions {
  _extensions: Record<string, (module: { _compile(code: string, path: string): void }, path: string) => void>;
}

function toInitError(error: unknown): unknown {
  if (error instanceof SyntaxError) return createNamedError('Runtime.UserCodeSyntaxError', String(error), error.stack);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND')
    return createNamedError('Runtime.ImportModuleError', String(error), (error as Error).stack);
  return error;
}

function createNamedError(name: string, message: string, stack?: string): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = stack === undefined ? `${name}: ${message}` : `${name}: ${stack}`;
  return error;
}

// Isolates functions that share a worker. Each function has its own module instances, process.env and global object, so
// functions share no state. The code of a module is compiled once per worker and evaluated once per function, so
// functions share bytecode and optimized code. Node's built-in modules and JavaScript's prototypes are shared.

interface InstanceOptions {
  taskRoot: string;
  /** The folder with the code's ES modules translated to CommonJS. */
  commonJsRoot: string | undefined;
  environment: Record<string, string>;
  exit(exitCode: number): never;
}

type Require = (specifier: string) => unknown;
type Factory = (...values: unknown[]) => void;

/** In the order in which `evaluate` passes the values. function-code.ts uses the same name for `import.meta.url`. */
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

/** Returns a loader for the function's files. It creates instances of all modules for this function only. */
export function createInstance(options: InstanceOptions): (path: string) => unknown {
  const { taskRoot, commonJsRoot } = options;
  const modules = new Map<string, { exports: unknown }>();
  const ownProcess = createProcess(options);
  const ownGlobal = createGlobal(ownProcess);

  const requireFrom = (from: string): Require => {
    const actual = createRequire(from);
    return (specifier) => {
      const name = specifier.replace(/^node:/, '');
      if (name === 'process') return ownProcess;
      if (name === 'module') return { ...(actual(specifier) as object), createRequire: () => requireFrom(from) };
      return isBuiltin(specifier) ? actual(specifier) : load(resolveModule(actual, from, specifier));
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
      const factory = getFactory(path, commonJsRoot && `${join(commonJsRoot, relative(taskRoot, path))}.cjs`);
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

function getFactory(path: string, commonJsPath: string | undefined): Factory {
  const known = factories.get(path);
  if (known) return known;
  const translation = commonJsPath && existsSync(commonJsPath) ? commonJsPath : undefined;
  const code = `(function (${parameters.join(', ')}) {${readFileSync(translation ?? path, 'utf8')}\n})`;
  const script = translation ? compile(translation, code, path) : new Script(code, { filename: path });
  const factory = script.runInThisContext() as Factory;
  factories.set(path, factory);
  return factory;
}

function resolveModule(require: NodeJS.Require, from: string, specifier: string): string {
  const key = `${dirname(from)}\n${specifier}`;
  const known = resolutions.get(key);
  if (known !== undefined) return known;
  const path = require.resolve(specifier);
  resolutions.set(key, path);
  return path;
}

function createProcess({ environment, exit }: InstanceOptions): NodeJS.Process {
  return Object.create(process, {
    env: { value: { ...environment }, writable: true, enumerable: true },
    exit: { value: (exitCode = 0) => exit(Number(exitCode)) },
  });
}

/** Only the function itself sees globals that it sets; it reads all others from the worker's global object. */
function createGlobal(ownProcess: NodeJS.Process): object {
  const own: Record<PropertyKey, unknown> = Object.create(null);
  const ownGlobal: object = new Proxy(own, {
    get: (target, key) => (key in target ? target[key] : Reflect.get(globalThis, key)),
    has: (target, key) => key in target || key in globalThis,
  });
  Object.assign(own, { process: ownProcess, globalThis: ownGlobal, global: ownGlobal });
  return ownGlobal;
}
