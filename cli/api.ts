import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import type { OperationEntry } from '../client/call-types.ts';
import { apiRoot, operationTable, type ResponseInfo } from '../client/index.ts';
import { toOptionName } from '../client/request.ts';
import { type Command, type CommandInput, readText, UsageError } from './command.ts';
import { describeMistake } from './suggestion.ts';

// Calls any operation of the API. The operations are those of the client, which handles tokens, retries and pages.

interface Route {
  name: keyof typeof operationTable;
  operation: OperationEntry;
  params: Record<string, string>;
}

interface UntypedCall {
  withResponse(...args: unknown[]): Promise<ResponseInfo & { data: unknown }>;
  all?(...args: unknown[]): AsyncIterable<object>;
}

const operations: readonly OperationEntry[] = Object.values(operationTable);

export const apiCommands: Command[] = [
  {
    name: 'api',
    args: '[<METHOD> <path>]',
    argValues: [[...new Set(operations.map(({ method }) => method))], [...new Set(operations.map(({ path }) => path))]],
    summary: 'Call an operation of the API; without arguments, list all operations',
    options: {
      field: {
        type: 'string',
        short: 'f',
        multiple: true,
        value: 'name=value',
        description:
          'Query parameter (GET, DELETE) or field of the body. Numbers, true, false, null and @file are converted; ' +
          'name[]=value adds to a list and name[key]=value sets a field of an object.',
      },
      'raw-field': {
        type: 'string',
        short: 'r',
        multiple: true,
        value: 'name=value',
        description: 'The same, always as text.',
      },
      input: { type: 'string', value: 'file', description: 'File with the body as JSON; "-" reads standard input.' },
      header: {
        type: 'string',
        short: 'H',
        multiple: true,
        value: 'name:value',
        description: 'Request header, such as If-Match.',
      },
      include: { type: 'boolean', short: 'i', description: 'Also print status and headers, to standard error.' },
      paginate: { type: 'boolean', description: 'Read all pages of a list and print one record per line.' },
    },
    async run(input) {
      const { args, output } = input;
      const [method = '', path] = args;
      if (args.length === 0) return output.table(listOperations(), ['method', 'path', 'operation']);
      if (path === undefined) throw new UsageError('itsm api needs a method and a path, such as GET /incidents.');
      const route = findRoute(method, path);
      if (!route) throw new UsageError(describeUnknown(method, path));
      await callOperation(route, path, input);
    },
  },
];

/** Fixed words of a path take precedence over parameters. */
export function findRoute(method: string, path: string): Route | undefined {
  const words = splitPath(path);
  const found = Object.entries(operationTable).flatMap(([name, operation]): Route[] => {
    const pattern = splitPath(operation.path);
    const isMatch = pattern.every((part, at) => (part.startsWith('{') ? words[at] : part === words[at]));
    if (operation.method !== method.toUpperCase() || pattern.length !== words.length || !isMatch) return [];
    const params = pattern.flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), words[at] ?? '']] : []));
    return [{ name: name as Route['name'], operation, params: Object.fromEntries(params) }];
  });
  return found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

function splitPath(path: string): string[] {
  const [address = ''] = path.split('?');
  const local = address.startsWith(`${apiRoot}/`) ? address.slice(apiRoot.length) : address;
  return local.replace(/^\//, '').split('/').map(decodeURIComponent);
}

async function callOperation({ name, operation, params }: Route, path: string, input: CommandInput): Promise<void> {
  const { options, output, connect, stdin, signal } = input;
  const hasBody = operation.method !== 'GET' && operation.method !== 'DELETE';
  const given = await readBody(options, stdin);
  const query = { ...parseQuery(path), ...(hasBody ? {} : (given as object | undefined)) };
  const settings = { ...readHeaders(options, operation), signal, ...(hasBody ? { query } : {}) };
  const leading = !hasBody ? [{ ...params, ...query }] : Object.keys(params).length > 0 ? [params, given] : [given];
  const call = (await connect())[name] as unknown as UntypedCall;
  const printRecord = (record: object) => output.result(JSON.stringify(record), record);
  if (options.paginate) {
    if (!call.all) throw new UsageError(`--paginate is for lists; ${operation.method} ${operation.path} is not one.`);
    for await (const record of call.all(...leading, settings)) printRecord(record);
    return;
  }
  const { status, headers, data } = await call.withResponse(...leading, settings);
  if (options.include)
    output.note([status, ...[...headers].map(([header, value]) => `${header}: ${value}`)].join('\n'));
  if (typeof data !== 'object' || data === null) return;
  if (operation.paging && output.isTabular) for (const record of (data as { data: object[] }).data) printRecord(record);
  else output.result(JSON.stringify(data, null, 2), data);
}

/** The JSON of `--input` with the fields of `-f` on top. */
export async function readBody(options: CommandInput['options'], stdin: Readable): Promise<unknown> {
  const file = readText(options, 'input');
  const fields = readList(options, 'field');
  const rawFields = readList(options, 'raw-field');
  const body = file === undefined ? undefined : parseJson(await readSource(file, stdin), file);
  if (fields.length + rawFields.length === 0) return body;
  const target: Record<string, unknown> = { ...(body as object | undefined) };
  for (const field of rawFields) setField(target, field, (text) => text);
  for (const field of fields) {
    const source = /^[^=]*=@(.+)$/s.exec(field)?.[1];
    const text = source === undefined ? undefined : await readSource(source, stdin);
    setField(target, field, (value) => text ?? convert(value));
  }
  return target;
}

/** Sets `name=value`, `name[]=value` or `name[key]=value`. */
function setField(target: Record<string, unknown>, field: string, parse: (text: string) => unknown): void {
  const [, name = '', path = '', text] = /^([^=[\]]+)((?:\[[^=[\]]*\])*)=(.*)$/s.exec(field) ?? [];
  const keys = [name, ...[...path.matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)];
  if (text === undefined || keys.includes('__proto__')) throw new UsageError(`-f needs name=value, not "${field}".`);
  let place: Record<string, unknown> | unknown[] = target;
  for (const [at, key] of keys.entries()) {
    const isLast = at === keys.length - 1;
    const value = isLast ? parse(text) : keys[at + 1] === '' ? [] : {};
    if (Array.isArray(place) !== (key === '')) throw new UsageError(`-f "${field}" contradicts another field.`);
    if (Array.isArray(place)) place.push(value);
    else if (isLast || place[key] === undefined) place[key] = value;
    const next: unknown = Array.isArray(place) ? place.at(-1) : place[key];
    if (isLast) return;
    if (typeof next !== 'object' || next === null) throw new UsageError(`-f "${field}" contradicts another field.`);
    place = next as typeof place;
  }
}

/** Numbers are converted only if they print as they were written: 007 and 1e3 stay text. */
function convert(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

async function readSource(file: string, stdin: Readable): Promise<string> {
  if (file === '-') return readAll(stdin);
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file "${file}" of -f or --input could not be read.`);
  });
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The content of "${file}" is not JSON.`);
  }
}

function parseQuery(path: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(path.split('?')[1]))
    query[name] = name in query ? `${query[name]},${value}` : value;
  return query;
}

function readHeaders(options: CommandInput['options'], { headers = [] }: OperationEntry): Record<string, string> {
  const entries = readList(options, 'header').map((line) => {
    const [name = '', ...rest] = line.split(':');
    const known = headers.find((header) => header.toLowerCase() === name.trim().toLowerCase());
    if (known) return [toOptionName(known), rest.join(':').trim()];
    throw new UsageError(`The operation has no header "${name}". It has: ${headers.join(', ') || 'none'}.`);
  });
  return Object.fromEntries(entries);
}

function readList(options: CommandInput['options'], name: string): string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

function listOperations() {
  return Object.entries(operationTable).map(([operation, { method, path }]) => ({ method, path, operation }));
}

function describeUnknown(method: string, path: string): string {
  const given = `${method.toUpperCase()} /${splitPath(path).join('/')}`;
  const known = operations.map((operation) => `${operation.method} ${operation.path}`);
  return describeMistake(`There is no operation ${given}.`, given, known, 'Run itsm api for the list.');
}
