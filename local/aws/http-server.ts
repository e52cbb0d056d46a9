// Serves HTTP/1.1 and HTTP/2 on one port. Some SDK clients (Bedrock's among them) use cleartext HTTP/2 with prior
// knowledge, so the first bytes of a connection decide its version.
import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;
export type Exchange = (request: HttpRequest, response: HttpResponse) => void;

const keepAliveMs = 60_000;
const prefaceStart = 'PRI ';

export class HttpServer {
  private readonly listener: Server;
  private readonly sockets = new Set<Socket>();

  constructor(exchange: Exchange) {
    const http1 = createHttp1Server(exchange);
    http1.keepAliveTimeout = keepAliveMs;
    const http2 = createHttp2Server(exchange);
    http2.on('session', (session) => {
      session.setTimeout(keepAliveMs, () => session.close());
      session.on('error', () => session.destroy());
      session.on('stream', (stream) => stream.on('error', () => {}));
    });
    this.listener = createServer((socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.once('readable', () => {
        const first: Buffer | null = socket.read();
        if (!first) return;
        socket.unshift(first);
        const version = first.toString('latin1', 0, prefaceStart.length) === prefaceStart ? http2 : http1;
        version.emit('connection', socket);
      });
    });
  }

  /** Listens on loopback, on the wanted port or, if it is in use, on a free one. */
  async listen(wantedPort: number): Promise<number> {
    const tryPort = (port: number) =>
      new Promise<void>((resolve, reject) => {
        this.listener.once('error', reject);
        this.listener.listen(port, '127.0.0.1', () => {
          this.listener.off('error', reject);
          resolve();
        });
      });
    await tryPort(wantedPort).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || wantedPort === 0) throw error;
      return tryPort(0);
    });
    // Accepting can fail, such as when too many files are open; clients retry.
    this.listener.on('error', () => {});
    return (this.listener.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.listener.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
