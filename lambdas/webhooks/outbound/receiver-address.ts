import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// The addresses that deliveries may go to. Without this check a webhook could make the service call hosts that only the
// service can reach: its own machine, its network, or the metadata endpoint of the cloud (SSRF).

export type LoopbackRule = 'allowed' | 'refused';

/** Returns the reason why an address must not be called; undefined for a permitted address. */
export type AddressRule = (address: string) => string | undefined;

export function createAddressRule(loopback: LoopbackRule): AddressRule {
  return (address) => {
    if (isLoopback(address)) return loopback === 'allowed' ? undefined : `${address} is a loopback address`;
    return isPublic(address) ? undefined : `${address} is not a public address`;
  };
}

export function isLoopback(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback';
}

/** The host of a URL without the brackets of IPv6; URL has normalized forms such as 0x7f.1. */
export function toHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Azure's wire server is reachable from every Azure machine and in no reserved range. */
const wireServer = '168.63.129.16';

/** Only this range is assigned to the public; the rest of the IPv6 space is rejected as a whole. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** `unicast` excludes everything in IANA's special-purpose registries, and multicast. */
function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed?.range() !== 'unicast' || parsed.toString() === wireServer) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/** Unwraps an IPv4 address inside an IPv6 one: mapped, translated (RFC 6145) or behind NAT64 (64:ff9b::/96). */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js also parses short forms such as 127.1; a resolved address never has one.
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed;
  const embedsIpv4 = parsed.range() === 'rfc6145' || parsed.match(nat64);
  return embedsIpv4 ? new ipaddr.IPv4(parsed.toByteArray().slice(-4)) : parsed;
}

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
