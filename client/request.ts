import type { CallOptions, OperationEntry } from './call-types.ts';
import type { OutgoingRequest } from './exchange.ts';
import type { Idempotency } from './retry.ts';

type Values = Readonly<Record<string, unknown>>;

/** The HTTP request of a call, without its token. */
export interface PreparedRequest extends OutgoingRequest {
  idempotency: Idempotency;
}

/** The arguments of a call by kind. */
export interface CallInput {
  path: Values;
  query: Values;
  body: unknown;
  options: CallOptions & Values;
}

const idempotencyHeader = 'Idempotency-Key';

export function parseArguments(operation: OperationEntry, args: readonly unknown[]): CallInput {
  if (isReadOrDelete(operation)) {
    const [address, options] = args as [Values?, CallInput['options']?];
    assertObject(operation, address);
    const { path, rest } = splitAddress(operation, address ?? {});
    return { path, query: rest, body: undefined, options: options ?? {} };
  }
  const withPath = listParameterNames(operation).length > 0 ? args : [{}, ...args];
  const [path, body, options] = withPath as [Values?, unknown?, CallInput['options']?];
  assertObject(operation, path);
  return { path: path ?? {}, query: (options?.query ?? {}) as Values, body, options: options ?? {} };
}

export function prepare(operation: OperationEntry, apiUrl: string, input: CallInput): PreparedRequest {
  const headers: Record<string, string> = { accept: 'application/json, application/problem+json' };
  for (const name of operation.headers ?? []) {
    const value = input.options[toOptionName(name)];
    if (value !== undefined) headers[name.toLowerCase()] = String(value);
  }
  const key = idempotencyHeader.toLowerCase();
  if (operation.method === 'POST' && operation.headers?.includes(idempotencyHeader)) headers[key] ??= createKey();
  const request: PreparedRequest = {
    method: operation.method,
    url: `${apiUrl}${fillPath(operation, input.path)}${queryString(input.query)}`,
    headers,
    idempotency: isIdempotent(operation, input) || key in headers ? 'idempotent' : 'once',
  };
  if (input.body === undefined) return request;
  return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(input.body) };
}

/** `If-Match` is the option `ifMatch`. */
export function toOptionName(header: string): string {
  return header.toLowerCase().replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** An update sets the same values again. Only its work note would be added twice. */
function isIdempotent({ method }: OperationEntry, { body }: CallInput): boolean {
  if (method === 'GET') return true;
  return (
    (method === 'PATCH' || method === 'PUT') && (body as { work_note?: unknown } | undefined)?.work_note === undefined
  );
}

function assertObject(operation: OperationEntry, given: unknown): void {
  if (given === undefined || (typeof given === 'object' && given !== null)) return;
  const names = listParameterNames(operation).join(', ');
  const { method, path } = operation;
  throw new TypeError(
    `${method} ${path} takes an object${names && ` such as { ${names} }`}, not ${JSON.stringify(given)}.`,
  );
}

function isReadOrDelete({ method }: OperationEntry): boolean {
  return method === 'GET' || method === 'DELETE';
}

function listParameterNames({ path }: OperationEntry): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

function splitAddress(operation: OperationEntry, address: Values): { path: Values; rest: Values } {
  const names = listParameterNames(operation);
  const entries = Object.entries(address);
  return {
    path: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  };
}

/** Rejects values that would change the path to that of another operation. */
function fillPath({ path }: OperationEntry, values: Values): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const text = String(values[name] ?? '');
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`The path parameter "${name}" needs a value, not "${text}".`);
    return encodeURIComponent(text);
  });
}

/** The service expects lists as comma-separated values. */
function queryString(query: Values): string {
  const entries = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, Array.isArray(value) ? value.join(',') : String(value)]);
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : '';
}

function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
