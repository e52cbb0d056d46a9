// One port for both versions of HTTP. Most AWS clients speak 1.1; some of the SDK (Bedrock's among them) speak cleartext
// HTTP/2 to an http address, without asking first. The first bytes of a connection tell which it is.
import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** What is the same for a server in both versions. */
export type Exchange = (
  request: IncomingMessage,
  response: Pick<ServerResponse, 'writeHead' | 'end' | 'on' | 'once'>,
) => void;

const keepAliveMs = 60_000;
const prefaceStart = 'PRI ';

export class HttpServer {
  private readonly door: Server;
  private readonly sockets = new Set<Socket>();

  constructor(exchange: Exchange) {
    const http1 = createHttp1Server(exchange);
    http1.keepAliveTimeout = keepAliveMs;
    const http2 = createHttp2Server((request, response) =>
      exchange(request as unknown as IncomingMessage, response as unknown as ServerResponse),
    );
    http2.on('session', (session) => {
      session.setTimeout(keepAliveMs, () => session.close());
      session.on('error', () => session.destroy());
      session.on('stream', (stream) => stream.on('error', () => {}));
    });
    this.door = createServer((socket) => {
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

  /** Listens on loopback, on the wanted port or, when that is taken, on any free one. */
  async listen(wantedPort: number): Promise<number> {
    const tryPort = (port: number) =>
      new Promise<void>((resolve, reject) => {
        this.door.once('error', reject);
        this.door.listen(port, '127.0.0.1', () => {
          this.door.off('error', reject);
          resolve();
        });
      });
    await tryPort(wantedPort).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || wantedPort === 0) throw error;
      return tryPort(0);
    });
    // A connection that cannot be accepted, such as when too many files are open, is the caller's to try again.
    this.door.on('error', () => {});
    return (this.door.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.door.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
