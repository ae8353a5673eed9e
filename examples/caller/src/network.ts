import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { convertIPv6ToBinary } from 'hono/utils/ipaddr';

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

const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Reduces an address to its network: an IPv4 address unchanged, an IPv6 address to its first 64 bits, because one
 * household usually owns the rest. Ignores a port, which some proxies add.
 * @returns undefined if the text is not an address.
 * @internal
 */
export function toNetwork(text: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(text.trim()) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? text.trim()).split('%'); // The part after % names an interface.
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return undefined;
  const first = convertIPv6ToBinary(address.replace(/\d+(?:\.\d+){3}$/, '0:0')) >> 64n;
  return `${[48n, 32n, 16n, 0n].map((shift) => ((first >> shift) & 0xffffn).toString(16)).join(':')}::/64`;
}
