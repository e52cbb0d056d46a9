// Protects against DNS rebinding: a web page can point its own host name at 127.0.0.1 and would then share an origin with
// the service. The browser still sends that name as Host, so only known names are allowed.
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

interface Request {
  headers: IncomingHttpHeaders;
  socket: Pick<Socket, 'localAddress'>;
}

const loopbackNames = ['localhost', '127.0.0.1', '::1'];

export class AllowedHosts {
  private readonly port: number;
  private readonly hosts: ReadonlySet<string>;

  /** Names without a port get the server's port. */
  constructor(port: number, names: readonly string[] = []) {
    this.port = port;
    this.hosts = new Set([...loopbackNames, ...names].map((name) => withPort(name.toLowerCase(), port)));
  }

  /** Also allows the address that the client connected to: DNS rebinding needs a name. */
  allowsHost({ headers, socket }: Request): boolean {
    const host = headers.host ?? headers[':authority'];
    return typeof host === 'string' && this.isKnown(host, socket.localAddress);
  }

  /** Programs send no origin; pages of other origins are rejected. */
  allowsOrigin({ headers, socket }: Request): boolean {
    if (headers.origin === undefined) return true;
    const url = URL.canParse(headers.origin) ? new URL(headers.origin) : undefined;
    return url?.protocol === 'http:' && this.isKnown(url.host, socket.localAddress);
  }

  private isKnown(host: string, localAddress = ''): boolean {
    const hostAndPort = withPort(host.toLowerCase(), 80);
    return this.hosts.has(hostAndPort) || hostAndPort === withPort(localAddress.replace(/^::ffff:/, ''), this.port);
  }
}

function withPort(name: string, port: number): string {
  const isBareIpv6 = !name.startsWith('[') && name.split(':').length > 2;
  const host = isBareIpv6 ? `[${name}]` : name;
  return /:\d+$/.test(host) ? host : `${host}:${port}`;
}
