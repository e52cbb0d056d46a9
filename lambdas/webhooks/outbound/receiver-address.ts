import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

// The addresses that deliveries may use. Without this check a webhook could make the service call hosts that only the
// service can reach: its own machine, its network, or the metadata endpoint of the cloud (SSRF).

export type LoopbackRule = 'allowed' | 'rejected';

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

/** An IP address in the URL is never resolved, so it is checked here. http is allowed for loopback only. */
export function findHostProblem(url: URL, rule: AddressRule): string | undefined {
  const host = toHost(url);
  if (isIP(host) !== 0) {
    if (url.protocol === 'http:' && !isLoopback(host)) return 'the URL must use https';
    return rule(host);
  }
  return undefined;
}

/** Checks what can be known before the name is resolved. */
export function findReceiverProblem(url: URL, rule: AddressRule, loopback: LoopbackRule): string | undefined {
  const host = toHost(url);
  const named = host === 'localhost' || host.endsWith('.localhost');
  if (loopback === 'rejected' && (url.protocol === 'http:' || named)) return 'must be a public https address';
  if (isIP(host) !== 0 && rule(host)) return 'must be a public address';
  if (url.protocol === 'http:' && !named && !isLoopback(host)) return 'must be an https address';
  return undefined;
}

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;

/** Node calls this instead of its resolver and connects only to the returned addresses. */
export function createCheckedLookup(rule: AddressRule, resolve: Resolve = resolveAll): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const problem = found.map(({ address }) => rule(address)).find((reason) => reason !== undefined);
        const [first] = found;
        if (problem) callback(new Error(`${host}: ${problem}`), '', 0);
        else if (!first) callback(new Error(`${host} has no address`), '', 0);
        else if (options.all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

const resolveAll: Resolve = (host) => systemLookup(host, { all: true, verbatim: true });

/** Azure's wire server is reachable from every Azure machine but is not in a reserved range. */
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
