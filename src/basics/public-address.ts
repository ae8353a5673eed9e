import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The IPv4 ranges in IANA's special-purpose registry (RFC 6890) that cannot host a public service. */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Ranges inside 2000::/3 that are not public: IETF assignments including Teredo, documentation, 6to4. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

// One list for each family: a BlockList also matches IPv4 addresses against IPv6 rules, in their mapped form.
const specialV4 = new BlockList();
const specialV6 = new BlockList();
const globalV6 = new BlockList();
for (const [network, prefix] of SPECIAL_V4) specialV4.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_V6) specialV6.addSubnet(network, prefix, 'ipv6');
globalV6.addSubnet('2000::', 3, 'ipv6');

/**
 * The well-known prefix of NAT64 (RFC 6052, section 2.1): in networks with DNS64, each IPv4-only host has such an address. The prefix for
 * local use, 64:ff9b:1::/48 (RFC 8215), is not public.
 */
const nat64 = new BlockList();
nat64.addSubnet('64:ff9b::', 96, 'ipv6');

/** @returns the IPv4 address that a packet to this address reaches; the address itself if it is not translated */
function translate(address: string): string {
  if (!isIPv6(address) || !nat64.check(address, 'ipv6')) return address;
  // The URL parser writes every form in one way: groups of hexadecimal digits, with the zeros of the prefix left out.
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`);
  const groups = hostname.slice(1, -1).replace(/^.*::/, '').split(':');
  const [high = 0, low = 0] = ['0', '0', ...groups].slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Whether a public service can have this IP address. In IPv6 only global unicast is public, and an address of NAT64 whose IPv4 address
 * is. Loopback, link-local, unique-local and multicast addresses and other forms that embed an IPv4 address are not.
 */
export function isPublicAddress(given: string): boolean {
  const address = translate(given);
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4');
  return isIPv6(address) && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

/** Names that resolve only inside a machine or a network (RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa|onion|invalid)$/;

/**
 * Whether a URL's host looks public: a public address, or a name of several labels under a public top-level domain.
 * The HTTP client checks the resolved address when it connects.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIPv4(host) || isIPv6(host)) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}

/** Parses a network in CIDR notation. @returns undefined if it is none. */
export function parseNetwork(
  text: string,
): { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', digits = ''] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  const prefix = Number(digits);
  if (isIPv4(address)) return prefix <= 32 ? { address, prefix, family: 'ipv4' } : undefined;
  return isIPv6(address) && prefix <= 128 ? { address, prefix, family: 'ipv6' } : undefined;
}

/** Creates a check whether an address lies in one of the networks (CIDR notation). An IPv4 network matches IPv4 only, also behind NAT64. */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error('Not a network in CIDR notation.');
    lists[network.family].addSubnet(network.address, network.prefix, network.family);
  }
  return (given) => {
    const address = translate(given);
    return isIPv4(address) ? lists.ipv4.check(address, 'ipv4') : isIPv6(address) && lists.ipv6.check(address, 'ipv6');
  };
}
