// Requests that `fetch` refuses to send: hostile header names and hosts, bytes that are no HTTP.
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method?: string;
  /** As they are written, duplicates included: name, value, name, value. */
  headers?: readonly string[];
  body?: string | Buffer;
  agent?: Agent;
}

const timeoutMs = 30_000;

export function sendRaw(
  url: string,
  { method = 'GET', headers = [], body, agent }: RawRequest = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const path = url.slice(url.indexOf('/', 'http://'.length));
  const hasHost = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const sent = [...(hasHost ? [] : ['Host', `${hostname}:${port}`]), ...headers, ...length];
  return new Promise((resolve, reject) => {
    const options = { host: hostname, port, path, method, headers: sent as never, timeout: timeoutMs, agent };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode!, headers: response.headers, text });
      });
    });
    request.once('timeout', () => request.destroy(new Error(`no answer to ${method} ${path} within ${timeoutMs} ms`)));
    request.once('error', reject);
    request.end(body);
  });
}

/** Writes the bytes and reads until the server closes the connection. */
export function sendBytes(url: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => (text += chunk.toString('utf8')));
    socket.once('error', reject);
    socket.once('end', () => resolve(parseAnswer(text)));
    socket.write(bytes);
  });
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first, ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const mark = line.indexOf(':');
    return [line.slice(0, mark).toLowerCase(), line.slice(mark + 1).trim()];
  });
  return { status: Number(first!.split(' ')[1]), headers: Object.fromEntries(headers), text: body };
}
