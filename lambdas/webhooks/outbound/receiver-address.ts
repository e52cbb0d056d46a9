import { BlockList, isIP } from 'node:net';

// Which addresses deliveries may go to. A webhook names its receiver itself, so without this it could make the service
// call what only the service can reach: this machine, the network it is in, the metadata of the cloud.

export type LoopbackRule = 'allowed' | 'refused';

/** Says why an address must not be called, or nothing when it may. */
export type AddressRule = (address: string) => string | undefined;

export function createAddressRule(loopback: LoopbackRule): AddressRule {
  return (address) => {
    const plain = unwrapIpv4(address);
    if (isLoopback(plain)) return loopback === 'allowed' ? undefined : `${address} is a loopback address`;
    return isReserved(plain) ? `${address} is not a public address` : undefined;
  };
}

export function isLoopback(address: string): boolean {
  const plain = unwrapIpv4(address);
  return isIP(plain) === 4 ? loopback4.check(plain) : isIP(plain) === 6 && loopback6.check(plain, 'ipv6');
}

/** The host of a URL without the brackets of IPv6; URL has turned odd forms such as 0x7f.1 into plain ones. */
export function toHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

const loopback4 = blockList('ipv4', ['127.0.0.0/8']);
const loopback6 = blockList('ipv6', ['::1/128']);

/** Everything that IANA's registries of special-purpose addresses do not call globally reachable, and multicast. */
const reserved4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Answers of the platform itself: Azure's wire server, Alibaba's and Oracle's metadata are elsewhere in these lists.
  '168.63.129.16/32',
]);

/** Only 2000::/3 is handed out to the public; the rest of the space is refused whole, and these parts of it too. */
const public6 = blockList('ipv6', ['2000::/3']);
const reserved6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

function isReserved(address: string): boolean {
  if (isIP(address) === 4) return reserved4.check(address);
  if (isIP(address) !== 6) return true;
  return !public6.check(address, 'ipv6') || reserved6.check(address, 'ipv6');
}

/** The IPv4 address inside an IPv6 one: mapped (::ffff:0:0/96), compatible, or behind NAT64 (64:ff9b::/96). */
function unwrapIpv4(address: string): string {
  const plain = address.split('%')[0]!;
  if (isIP(plain) !== 6) return plain;
  const groups = parseGroups(plain);
  const [high, low] = groups.slice(6) as [number, number];
  const zeros = (count: number) => groups.slice(0, count).every((group) => group === 0);
  const mapped = zeros(5) && groups[5] === 0xffff;
  const compatible = zeros(6) && (high > 0 || low > 1);
  const translated = zeros(4) && groups[4] === 0xffff && groups[5] === 0;
  const nat64 = groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (!mapped && !compatible && !translated && !nat64) return plain;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address in any of its forms. */
function parseGroups(address: string): number[] {
  const [head, tail] = address.split('::') as [string, string | undefined];
  const [front, back] = [head, tail ?? ''].map(parseGroupList) as [number[], number[]];
  if (tail === undefined) return front;
  return [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back];
}

function parseGroupList(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a, b, c, d] = part.split('.').map(Number) as [number, number, number, number];
    return [(a << 8) | b, (c << 8) | d];
  });
}

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network, bits] = range.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
