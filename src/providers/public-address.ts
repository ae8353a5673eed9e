import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Special-purpose IPv4 (IANA registry, RFC 6890): everything there that no public service can live at. */
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

/** Inside 2000::/3 and still not public: IETF assignments with Teredo, documentation, 6to4. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

// One list per family: a BlockList also holds an IPv4 address against IPv6 rules, by its mapped form.
const specialV4 = new BlockList();
const specialV6 = new BlockList();
const globalV6 = new BlockList();
for (const [network, prefix] of SPECIAL_V4) specialV4.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_V6) specialV6.addSubnet(network, prefix, 'ipv6');
globalV6.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an IP address can be that of a public service. Of IPv6 only global unicast counts, so loopback, link-local,
 * unique-local, multicast and the forms that embed an IPv4 address are all refused.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4');
  return isIPv6(address) && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

/** Names that resolve inside a machine or a network only (RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa|onion|invalid)$/;

/**
 * Whether a URL's host can be public, as far as it shows: an address that is, or a name of several parts under a public
 * top. What a name resolves to is checked when it is connected to.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIPv4(host) || isIPv6(host)) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}
