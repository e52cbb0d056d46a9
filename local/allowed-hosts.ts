// Protects against DNS rebinding: a web page can point its own host name at 127.0.0.1 and would then share an origin with
// the service. The browser still sends that name as Host, so only known names are allowed.
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

interface Request {
  headers: IncomingHttpHeaders;
  socket: Pick<Socket, 'localAddress' | 'remoteAddress'>;
}

const loopbackNames = ['localhost', '127.0.0.1', '::1'];

export class AllowedHosts {
  private readonly port: number;
  private readonly hosts: ReadonlySet<string>;
  private readonly loopbackHosts: ReadonlySet<string>;
  private readonly loopbackUsers: 'all clients' | 'local clients';

  /** Names without a port get the server's port. `loopbackUsers` may use localhost and the address of the server. */
  constructor(
    port: number,
    names: readonly string[] = [],
    loopbackUsers: 'all clients' | 'local clients' = 'all clients',
  ) {
    const toHosts = (list: readonly string[]) => new Set(list.map((name) => withPort(name.toLowerCase(), port)));
    this.port = port;
    this.hosts = toHosts(names);
    this.loopbackHosts = toHosts(loopbackNames);
    this.loopbackUsers = loopbackUsers;
  }

  /** Also allows the address that the client connected to: DNS rebinding needs a name. */
  allowsHost(request: Request): boolean {
    const { headers } = request;
    const host = headers.host ?? headers[':authority'];
    return typeof host === 'string' && this.isKnown(host, request);
  }

  /** Programs send no origin; pages of other origins are rejected. */
  allowsOrigin(request: Request): boolean {
    const { headers } = request;
    if (headers.origin === undefined) return true;
    const url = URL.canParse(headers.origin) ? new URL(headers.origin) : undefined;
    return url?.protocol === 'http:' && this.isKnown(url.host, request);
  }

  private isKnown(host: string, { headers, socket }: Request): boolean {
    const hostAndPort = withPort(host.toLowerCase(), 80);
    if (this.hosts.has(hostAndPort)) return true;
    // A proxy adds X-Forwarded-For; the server's own functions and health checks on this machine do not.
    const isLocalClient = isLoopback(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined;
    if (this.loopbackUsers === 'local clients' && !isLocalClient) return false;
    const { localAddress = '' } = socket;
    return (
      this.loopbackHosts.has(hostAndPort) || hostAndPort === withPort(localAddress.replace(/^::ffff:/, ''), this.port)
    );
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

function withPort(name: string, port: number): string {
  const isBareIpv6 = !name.startsWith('[') && name.split(':').length > 2;
  const host = isBareIpv6 ? `[${name}]` : name;
  return /:\d+$/.test(host) ? host : `${host}:${port}`;
}
