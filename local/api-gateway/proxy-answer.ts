// A Lambda proxy integration's result, turned into an HTTP answer under API Gateway's rules.
import type { GatewayAnswer } from './gateway-response.ts';

// API Gateway keeps these for itself: a function's value travels under another name, or not at all.
const remapped = new Set([
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'user-agent',
  'www-authenticate',
]);
const dropped = new Set(['te', 'trailer', 'transfer-encoding', 'upgrade', 'via']);

interface ProxyResult {
  statusCode?: unknown;
  headers?: Record<string, unknown> | null;
  multiValueHeaders?: Record<string, unknown[]> | null;
  body?: unknown;
  isBase64Encoded?: boolean;
}

/** Undefined when the function's result is not one that API Gateway accepts; it then answers 502. */
export function proxyAnswer(payload: unknown): GatewayAnswer | undefined {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return undefined;
  const result = payload as ProxyResult;
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (result.body !== undefined && result.body !== null && typeof result.body !== 'string') return undefined;
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(result.headers ?? {})) put(headers, name, String(value));
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {})) put(headers, name, values.map(String));
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type'))
    headers['Content-Type'] = 'application/json';
  const text = (result.body as string | null | undefined) ?? '';
  return { status, headers, body: result.isBase64Encoded ? Buffer.from(text, 'base64') : text };
}

function put(
  headers: Record<string, string | readonly string[]>,
  name: string,
  value: string | readonly string[],
): void {
  const lower = name.toLowerCase();
  if (dropped.has(lower)) return;
  headers[remapped.has(lower) ? `x-amzn-Remapped-${name}` : name] = value;
}
