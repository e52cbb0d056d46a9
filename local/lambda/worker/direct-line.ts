// The functions' AWS calls without a socket. SDK clients build and sign their HTTP requests as ever; a request for the
// runtime's own endpoint is handed to the main thread as a message instead of travelling through the loopback interface,
// where its system calls cost more than the work they ask for. Every other address goes its usual way.
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { gathering } from './gathering.ts';

/** number, method, path, headers as JSON, body */
export type LineRequest = readonly [number, string, string, string, string | Uint8Array];
/** number, status, headers as JSON, body */
export type LineResponse = readonly [number, number, string, string | Uint8Array];

type Answered = (response: Readable) => void;

export function installDirectLine(endpoint: string, port: MessagePort): void {
  const { hostname, port: wantedPort } = new URL(endpoint);
  const line = new Line(port);
  const original = http.request;
  const request = (...args: unknown[]) => {
    const options = args[0] as http.RequestOptions;
    const direct = (options.hostname ?? options.host) === hostname && String(options.port) === wantedPort;
    if (direct && typeof args[1] !== 'object') return new DirectRequest(line, options, args[1] as Answered | undefined);
    return (original as (...all: unknown[]) => http.ClientRequest)(...args);
  };
  http.request = request as typeof http.request;
  syncBuiltinESMExports();
}

class Line {
  private readonly post: (request: LineRequest) => void;
  private readonly open = new Map<number, (response: LineResponse) => void>();
  private number = 0;

  constructor(port: MessagePort) {
    this.post = gathering(port);
    port.on('message', (responses: readonly LineResponse[]) => {
      for (const response of responses) this.answer(response);
    });
  }

  private answer(response: LineResponse): void {
    const answer = this.open.get(response[0]);
    this.open.delete(response[0]);
    answer?.(response);
  }

  send(
    method: string,
    path: string,
    headers: string,
    body: string | Uint8Array,
    answer: (response: LineResponse) => void,
  ): () => void {
    const number = ++this.number;
    this.open.set(number, answer);
    this.post([number, method, path, headers, body]);
    return () => this.open.delete(number);
  }
}

// What HTTP handlers ask of a socket: whether it is connected (always), and to be told of timeouts (never).
const connectedSocket = Object.assign(new EventEmitter(), {
  connecting: false,
  setTimeout: () => {},
  setKeepAlive: () => {},
  destroy: () => {},
  on: () => connectedSocket,
  once: () => connectedSocket,
});

/** As much of http.ClientRequest as an HTTP client uses. */
class DirectRequest extends EventEmitter {
  readonly socket = connectedSocket;
  private readonly line: Line;
  private readonly options: http.RequestOptions;
  private chunks: (string | Uint8Array)[] = [];
  private hangUp: (() => void) | undefined;
  private destroyed = false;

  constructor(line: Line, options: http.RequestOptions, answered: Answered | undefined) {
    super();
    this.line = line;
    this.options = options;
    if (answered) this.once('response', answered);
  }

  write(chunk: string | Uint8Array): boolean {
    this.chunks.push(chunk);
    return true;
  }

  end(chunk?: string | Uint8Array): this {
    if (chunk !== undefined) this.chunks.push(chunk);
    const { method = 'GET', path, headers } = this.options;
    const only =
      this.chunks.length === 1
        ? this.chunks[0]!
        : Buffer.concat(this.chunks.map((each) => Buffer.from(each as Uint8Array)));
    this.hangUp = this.line.send(method, path ?? '/', headersText(headers), only, (response) => this.answer(response));
    return this;
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.hangUp?.();
    if (error) this.emit('error', error);
    this.emit('close');
    return this;
  }

  setTimeout(): this {
    return this;
  }

  private answer([, status, headers, body]: LineResponse): void {
    if (this.destroyed) return;
    const response = new Readable({ read() {} });
    response.push(body.length > 0 ? body : null);
    if (body.length > 0) response.push(null);
    Object.assign(response, { statusCode: status, statusMessage: '', headers: JSON.parse(headers), complete: true });
    this.emit('response', response);
    this.emit('close');
  }
}

function headersText(headers: http.RequestOptions['headers']): string {
  const lower: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers ?? {})) lower[name.toLowerCase()] = value;
  return JSON.stringify(lower);
}
