// Finds `file.export` in a function's code as Lambda's Node runtime does: .js by the package.json inside the code,
// .mjs as a module, .cjs as CommonJS. The repository's own package.json above the code must have no say in it.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

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
  if (dot < 1 || name.includes('..')) throw named('Runtime.MalformedHandlerName', 'Bad handler');
  const modulePath = join(dirname(name), file.slice(0, dot));
  const exported = await loadModule(taskRoot, modulePath, load);
  let value: unknown = exported;
  for (const key of file.slice(dot + 1).split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  if (value === undefined) throw named('Runtime.HandlerNotFound', `${name} is undefined or not exported`);
  if (typeof value !== 'function') throw named('Runtime.HandlerNotFound', `${name} is not a function`);
  return value as Handler;
}

async function loadModule(taskRoot: string, modulePath: string, load: (path: string) => unknown): Promise<unknown> {
  const path = resolve(taskRoot, modulePath);
  const file = ['.js', '.mjs', '.cjs'].map((extension) => path + extension).find((each) => existsSync(each));
  if (!file) throw named('Runtime.ImportModuleError', `Error: Cannot find module '${modulePath}'`);
  try {
    return await load(file);
  } catch (error) {
    throw asInitError(error);
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
  const extensions = (Module as unknown as { _extensions: Record<string, (module: Compilable, path: string) => void> })
    ._extensions;
  const ordinary = extensions['.js']!;
  extensions['.js'] = (module, path) => {
    if (path.startsWith(resolve(taskRoot) + sep) && !isModuleScope(taskRoot, path))
      module._compile(readFileSync(path, 'utf8'), path);
    else ordinary(module, path);
  };
}

interface Compilable {
  _compile(code: string, path: string): void;
}

function asInitError(error: unknown): unknown {
  if (error instanceof SyntaxError) return named('Runtime.UserCodeSyntaxError', String(error), error.stack);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND')
    return named('Runtime.ImportModuleError', String(error), (error as Error).stack);
  return error;
}

function named(name: string, message: string, stack?: string): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = stack === undefined ? `${name}: ${message}` : `${name}: ${stack}`;
  return error;
}
