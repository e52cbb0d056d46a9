// The public HTTP server. It listens before the template is loaded, because the template needs its port. The gateway
// rejects malformed requests, because Node's own response lacks our standard headers.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AllowedHosts } from './allowed-hosts.ts';
import type { GatewayResponse } from './api-gateway/gateway-response.ts';
import { formatError, type Log } from './log.ts';
import { StorageUnavailable, toStorageError } from './storage/errors.ts';

export interface PublicRoutes {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** The response to a malformed request or one with too many headers. */
  reject(socket: Socket, reason: 'malformed' | 'too large'): GatewayResponse;
}

export class PublicServer {
  private routes: PublicRoutes | undefined;
  private hosts = new AllowedHosts(0);
  private readonly server: Server;
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
    const handle = (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response);
    this.server = createServer({ requireHostHeader: false }, handle);
    // A server may ignore an unknown expectation (RFC 9110, 10.1.1).
    this.server.on('checkExpectation', handle);
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      this.reject(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'too large' : 'malformed'),
    );
    this.server.on('connect', (_request, socket: Socket) => this.reject(socket, 'malformed'));
  }

  open(routes: PublicRoutes): void {
    this.routes = routes;
  }

  /** Serves the given host names; behind a proxy, only clients on this machine may use the loopback names. */
  async listen(
    host: string,
    port: number,
    names: readonly string[],
    loopbackUsers: 'all clients' | 'local clients',
  ): Promise<number> {
    this.server.keepAliveTimeout = 65_000;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    // Accepting can fail, such as when too many files are open; clients retry.
    this.server.on('error', (error) => this.log.warn('Could not accept a connection', { error: String(error) }));
    const actualPort = (this.server.address() as AddressInfo).port;
    this.hosts = new AllowedHosts(actualPort, names, loopbackUsers);
    return actualPort;
  }

  /** Whether a web page with the request's origin may call operations that need no token. */
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

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!this.hosts.allowsHost(request)) return replyMisdirected(response);
      if (this.routes) return await this.routes.handle(request, response);
      response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' }).end('Starting.\n');
    } catch (error) {
      const isStorageFailure = toStorageError(error) instanceof StorageUnavailable;
      if (!isStorageFailure) this.log.error('Request failed with an internal error', { error: formatError(error) });
      const headers = { 'content-type': 'text/plain', ...(isStorageFailure && { 'retry-after': '1' }) };
      if (!response.headersSent) response.writeHead(isStorageFailure ? 503 : 500, headers);
      response.end();
    }
  }

  private reject(socket: Socket, reason: 'malformed' | 'too large'): void {
    if (!socket.writable || !this.routes) {
      socket.destroy();
      return;
    }
    socket.on('error', () => socket.destroy());
    const { status, headers, body } = this.routes.reject(socket, reason);
    const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
}

function replyMisdirected(response: Pick<ServerResponse, 'writeHead' | 'end'>): void {
  response.writeHead(421, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(`${JSON.stringify({ message: 'Unknown host name. Add it to ALLOWED_HOSTS.' })}\n`);
}
