// Reads forms with a size limit, sends JSON and redirects, and rewrites requests for oidc-provider.
import { IncomingMessage, type ServerResponse } from 'node:http';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

const maxBodyBytes = 32 * 1024;

export class BodyTooLarge extends Error {}

export async function readForm(request: IncomingMessage, maxBytes = maxBodyBytes): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge('the form is too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

export function isForm(request: IncomingMessage): boolean {
  return (request.headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded');
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json;charset=UTF-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}

export function redirect(response: ServerResponse, location: string, status: 302 | 303 = 302): void {
  response.writeHead(status, { location, 'content-length': 0, 'cache-control': 'no-store' });
  response.end();
}

/** Copies a request with another URL and an already parsed form, for oidc-provider. */
export function rewriteRequest(request: IncomingMessage, url: string, form?: URLSearchParams): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  const { authorization: _authorization, origin: _origin, 'content-length': _length, ...headers } = request.headers;
  const body = form === undefined ? undefined : Buffer.from(form.toString());
  Object.assign(copy, {
    method: request.method,
    url,
    httpVersion: request.httpVersion,
    // Otherwise Node treats the end of the copy as an aborted request and closes the socket.
    complete: true,
    headers: body ? { ...headers, 'content-length': String(body.length) } : headers,
  });
  delete copy.headers['transfer-encoding'];
  if (body) copy.push(body);
  copy.push(null);
  return copy;
}
