// Finds the client's address behind proxies. Only the X-Forwarded-For headers of configured proxies are trusted.
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

export class TrustedProxies {
  private readonly list = new BlockList();

  /** Addresses, or networks such as 10.0.0.0/8. */
  constructor(proxies: readonly string[] = []) {
    for (const proxy of proxies) {
      const [address = '', prefix] = proxy.split('/');
      if (prefix === undefined) this.list.addAddress(address, toFamily(address));
      else this.list.addSubnet(address, Number(prefix), toFamily(address));
    }
  }

  /** The client's address: the nearest one that is not a trusted proxy. */
  findClient({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const peer = normalize(socket.remoteAddress ?? '127.0.0.1');
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    const hops = [...forwarded.map((hop) => normalize(hop.trim())), peer];
    for (const [index, hop] of [...hops.entries()].reverse()) {
      const isLast = index === 0 || isIP(hops[index - 1] ?? '') === 0;
      if (isLast || !this.trusts(hop)) return hop;
    }
    return peer;
  }

  private trusts(address: string): boolean {
    return isIP(address) > 0 && this.list.check(address, toFamily(address));
  }
}

function toFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function normalize(address: string): string {
  return address.replace(/^::ffff:/, '');
}
