import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * Finds the network that limits count a request for. Each of `trustedProxies` reverse proxies has appended its client's
 * address to X-Forwarded-For. Entries further left may be forged, so they are ignored. If the header has too few entries,
 * the connection's own address counts.
 */
export function getNetwork(c: Context, trustedProxies: number): string {
  const own = getConnInfo(c).remote.address ?? '';
  const forwarded = c.req.header('x-forwarded-for')?.split(',') ?? [];
  const address = trustedProxies === 0 ? own : (forwarded.at(-trustedProxies) ?? own);
  return toNetwork(address) ?? toNetwork(own) ?? 'unknown';
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Reduces an address to its network: an IPv4 address unchanged, an IPv6 address to its first 64 bits, because one
 * household usually owns the rest. Ignores a port, which some proxies add.
 * @returns undefined if the text is not an address.
 * @internal
 */
export function toNetwork(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed, dotted] = WITH_PORT.exec(trimmed) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? trimmed).split('%'); // The part after % names an interface.
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (isIPv4(mapped ?? address)) return mapped ?? address;
  return isIPv6(address) ? `${formatFirst64Bits(address)}::/64` : undefined;
}

/** Formats equal addresses equally: lower case, no leading zeros, no `::`. */
function formatFirst64Bits(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end counts as two groups.
  const length = before.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: 8 - length }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
