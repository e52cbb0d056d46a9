// The public HTTP server. It listens before the template is read, because the template needs to know its port. Node answers
// some requests itself, without the headers that every answer has; those are handed on here instead.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AllowedHosts } from './allowed-hosts.ts';
import type { GatewayAnswer } from './api-gateway/gateway-response.ts';
import type { Log } from './log.ts';
import { StorageUnavailable, toStorageError } from './storage/errors.ts';

export interface PublicRoutes {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** The answer to what is no HTTP request, or has more headers than are read. */
  refuse(socket: Socket, reason: 'malformed' | 'too large'): GatewayAnswer;
}

export class PublicServer {
  private routes: PublicRoutes | undefined;
  private hosts = new AllowedHosts(0);
  private readonly server: Server;
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
    const answer = (request: IncomingMessage, response: ServerResponse) => void this.answer(request, response);
    this.server = createServer({ requireHostHeader: false }, answer);
    // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1).
    this.server.on('checkExpectation', answer);
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      this.refuse(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'too large' : 'malformed'),
    );
    this.server.on('connect', (_request, socket: Socket) => this.refuse(socket, 'malformed'));
  }

  open(routes: PublicRoutes): void {
    this.routes = routes;
  }

  /** Answers to the given names and to those of loopback. */
  async listen(host: string, port: number, names: readonly string[]): Promise<number> {
    this.server.keepAliveTimeout = 65_000;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    // A connection that cannot be accepted, such as when too many files are open, is the caller's to try again.
    this.server.on('error', (error) => this.log.warn('a connection was not accepted', { error: String(error) }));
    const taken = (this.server.address() as AddressInfo).port;
    this.hosts = new AllowedHosts(taken, [host, ...names]);
    return taken;
  }

  /** Whether a web page of the request's origin may do what needs no token. */
  allowsOrigin(request: IncomingMessage): boolean {
    return this.hosts.allowsOrigin(request);
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const force = setTimeout(() => this.server.closeAllConnections(), 500);
    await closed;
    clearTimeout(force);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!this.hosts.allowsHost(request)) return replyMisdirected(response);
      if (this.routes) return await this.routes.handle(request, response);
      response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' }).end('Starting.\n');
    } catch (error) {
      const isStorage = toStorageError(error) instanceof StorageUnavailable;
      if (!isStorage)
        this.log.error('a request failed inside the runtime', { error: String((error as Error)?.stack ?? error) });
      const headers = { 'content-type': 'text/plain', ...(isStorage && { 'retry-after': '1' }) };
      if (!response.headersSent) response.writeHead(isStorage ? 503 : 500, headers);
      response.end();
    }
  }

  private refuse(socket: Socket, reason: 'malformed' | 'too large'): void {
    if (!socket.writable || !this.routes) {
      socket.destroy();
      return;
    }
    socket.on('error', () => socket.destroy());
    const { status, headers, body } = this.routes.refuse(socket, reason);
    const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
}

function replyMisdirected(response: Pick<ServerResponse, 'writeHead' | 'end'>): void {
  response.writeHead(421, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(
    `${JSON.stringify({ message: 'This server does not answer to this host name. ALLOWED_HOSTS adds names.' })}\n`,
  );
}
