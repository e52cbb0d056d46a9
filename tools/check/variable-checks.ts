import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Check, listFunctions, type Template } from './template-checks.ts';

// Both directions: every variable that a function reads is set, and every variable that is set is read. Each bundle is
// loaded with exactly the variables that the template gives it; functions read all their variables when they start.

const timeoutMs = 20_000;

/** Set by Lambda itself. */
const lambdaVariables = { AWS_REGION: 'us-east-1' };

/** Read by Node.js before any code runs. */
const readByNode = new Set(['NODE_OPTIONS']);

/** Set together with the permission to query, which some functions use without returning cursors. */
const setWithGrant = new Set(['CURSOR_KEY']);

/** Not read by a function that has SEARCH_ENDPOINT, which is empty on most machines and makes it read these. */
const readWithoutSearch = new Set(['RECORDS_TABLE', 'SNAPSHOTS_BUCKET']);

interface ColdStart {
  read: string[];
  error?: string;
}

/** Bundles that were loaded before with the same variables, since environments share most of them. */
export type ColdStarts = Map<string, Promise<ColdStart>>;

export async function checkVariables(
  template: Template,
  folders: readonly string[],
  known: ColdStarts = new Map(),
): Promise<Check> {
  const functions = listFunctions(template);
  const problems: string[] = [];
  const readSomewhere = new Set<string>();
  const unread: { id: string; name: string }[] = [];
  for (const { id, handler, variables } of functions) {
    const file = findBundle(folders, String(handler));
    if (!file) {
      problems.push(`${id} has no bundle for its handler ${String(handler)}.`);
      continue;
    }
    const key = `${file} ${Object.keys(variables).sort().join(' ')}`;
    const started = known.get(key) ?? loadBundle(file, applyDefaults(variables, template));
    known.set(key, started);
    const { read, error } = await started;
    if (error) problems.push(`${id} does not start: ${error}`);
    for (const name of read) readSomewhere.add(name);
    const isOptional = (name: string) => 'SEARCH_ENDPOINT' in variables && readWithoutSearch.has(name);
    const own = Object.keys(variables).filter(
      (name) => !readByNode.has(name) && !isOptional(name) && !read.includes(name),
    );
    unread.push(...own.map((name) => ({ id, name })));
  }
  // Some variables are given to all functions at once, so one reader is enough.
  const isShared = (name: string) => setWithGrant.has(name) || functions.every(({ variables }) => name in variables);
  for (const { id, name } of unread) {
    if (!(isShared(name) && readSomewhere.has(name))) problems.push(`${id} never reads ${name}.`);
  }
  const names = new Set(functions.flatMap(({ variables }) => Object.keys(variables)));
  return { name: 'environment variables, all set and read', measured: names.size, problems };
}

/** A reference to a parameter has the value of its default. */
function applyDefaults(variables: Readonly<Record<string, unknown>>, { Parameters = {} }: Template) {
  const entries = Object.entries(variables).map(([name, value]) => {
    const parameter = Parameters[String((value as { Ref?: string })?.Ref)];
    return [name, parameter?.Default || value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function findBundle(folders: readonly string[], handler: string): string | undefined {
  return folders
    .map((folder) => join(folder, `${handler.replace(/\.handler$/, '')}.mjs`))
    .find((path) => existsSync(path));
}

function loadBundle(file: string, variables: Readonly<Record<string, unknown>>): Promise<ColdStart> {
  const { NODE_OPTIONS: _, ...own } = variables;
  // References have no value before the deployment; a URL is valid for every variable that has one.
  const values = Object.entries(own).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : 'https://value.invalid',
  ]);
  const env = { ...lambdaVariables, LAMBDA_TASK_ROOT: dirname(resolve(file)), ...Object.fromEntries(values) };
  return new Promise((settle) => {
    const worker = new Worker(new URL('cold-start-worker.js', import.meta.url), {
      env,
      workerData: pathToFileURL(resolve(file)).href,
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    const finish = (result: ColdStart) => {
      clearTimeout(timer);
      settle(result);
    };
    const timer = setTimeout(() => {
      finish({ read: [], error: `no result after ${timeoutMs} ms` });
      void worker.terminate();
    }, timeoutMs);
    worker.once('message', finish);
    worker.once('error', (error: Error) => finish({ read: [], error: error.message }));
  });
}
