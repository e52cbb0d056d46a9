// Carries AWS calls from worker threads to the endpoint as messages. SDK clients build and sign HTTP requests as usual;
// installMessageTransport sends those for the local endpoint through a MessagePort, because the system calls of a loopback
// socket cost more than the calls themselves. Requests to any other address still use HTTP.
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { requireValue } from '../require-value.ts';

/** number, method, path, headers as JSON, body */
export type TransportRequest = readonly [number, string, string, string, string | Uint8Array];
/** number, status (0 for a broken connection), headers as JSON, body */
export type TransportResponse = readonly [number, number, string, string | Uint8Array];

type ResponseListener = (response: Readable) => void;

export function installMessageTransport(endpoint: string, port: MessagePort): void {
  const { hostname, port: wantedPort } = new URL(endpoint);
  const transport = new MessageTransport(port);
  const original = http.request;
  const request = (...args: unknown[]) => {
    const options = args[0] as http.RequestOptions;
    const isForEndpoint = (options.hostname ?? options.host) === hostname && String(options.port) === wantedPort;
    if (isForEndpoint && typeof args[1] !== 'object')
      return new MessageRequest(transport, options, args[1] as ResponseListener | undefined);
    return (original as (...all: unknown[]) => http.ClientRequest)(...args);
  };
  http.request = request as typeof http.request;
  syncBuiltinESMExports();
}

class MessageTransport {
  private readonly post: (request: TransportRequest) => void;
  private readonly open = new Map<number, (response: TransportResponse) => void>();
  private number = 0;

  constructor(port: MessagePort) {
    this.post = batchMessages(port);
    port.on('message', (responses: readonly TransportResponse[]) => {
      for (const response of responses) this.respond(response);
    });
  }

  private respond(response: TransportResponse): void {
    const respond = this.open.get(response[0]);
    this.open.delete(response[0]);
    respond?.(response);
  }

  send(
    method: string,
    path: string,
    headers: string,
    body: string | Uint8Array,
    respond: (response: TransportResponse) => void,
  ): () => void {
    const number = ++this.number;
    this.open.set(number, respond);
    this.post([number, method, path, headers, body]);
    return () => this.open.delete(number);
  }
}

// HTTP clients check whether a socket is connected and listen for its timeout. This one is connected and never times out.
const connectedSocket = Object.assign(new EventEmitter(), {
  connecting: false,
  setTimeout: () => {},
  setKeepAlive: () => {},
  destroy: () => {},
  on: () => connectedSocket,
  once: () => connectedSocket,
});

/** The subset of http.ClientRequest that the SDK's HTTP client uses. */
class MessageRequest extends EventEmitter {
  readonly socket = connectedSocket;
  private readonly transport: MessageTransport;
  private readonly options: http.RequestOptions;
  private chunks: (string | Uint8Array)[] = [];
  private cancel: (() => void) | undefined;
  private destroyed = false;

  constructor(transport: MessageTransport, options: http.RequestOptions, onResponse: ResponseListener | undefined) {
    super();
    this.transport = transport;
    this.options = options;
    if (onResponse) this.once('response', onResponse);
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
        ? requireValue(this.chunks[0])
        : Buffer.concat(this.chunks.map((each) => Buffer.from(each as Uint8Array)));
    this.cancel = this.transport.send(method, path ?? '/', serializeHeaders(headers), only, (response) =>
      this.respond(response),
    );
    return this;
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.cancel?.();
    if (error) this.emit('error', error);
    this.emit('close');
    return this;
  }

  setTimeout(): this {
    return this;
  }

  private respond([, status, headers, body]: TransportResponse): void {
    if (this.destroyed) return;
    if (status === 0) {
      this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      return;
    }
    const response = new Readable({ read() {} });
    response.push(body.length > 0 ? body : null);
    if (body.length > 0) response.push(null);
    Object.assign(response, { statusCode: status, statusMessage: '', headers: JSON.parse(headers), complete: true });
    this.emit('response', response);
    this.emit('close');
  }
}

function serializeHeaders(headers: http.RequestOptions['headers']): string {
  const lower: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers ?? {})) lower[name.toLowerCase()] = value;
  return JSON.stringify(lower);
}

interface Port {
  postMessage(message: unknown): void;
}

/** Larger batches would leave the other thread idle while they fill. */
const maxBatchSize = 4;

/** Posts all messages of one event-loop turn as lists: under load each post costs more than its content. */
export function batchMessages<Message>(port: Port): (message: Message) => void {
  let batch: Message[] = [];
  const send = () => {
    if (batch.length === 0) return;
    const messages = batch;
    batch = [];
    port.postMessage(messages);
  };
  return (message) => {
    const count = batch.push(message);
    if (count === 1) setImmediate(send);
    else if (count === maxBatchSize) send();
  };
}
