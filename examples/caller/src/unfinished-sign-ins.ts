import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { convertIPv6ToBinary } from 'hono/utils/ipaddr';
import { ServiceError } from 'social-account-connection-client';

/** The service allows the whole app 20 unfinished sign-ins; one network may have this many of them. */
const MAX_PER_NETWORK = 5;
const ATTEMPT_MS = 10 * 60_000;

/** A network has too many unfinished sign-ins. The service was not asked. */
export class TooManySignIns extends ServiceError {}

/** Counts unfinished sign-ins by network. The service cannot, because it sees only this server's address. */
export class UnfinishedSignIns {
  readonly #open = new Set<{ readonly network: string; readonly expiresAtMs: number }>();

  /** Call this before the request to the service. @returns a function that ends it @throws TooManySignIns */
  begin(network: string): () => void {
    const nowMs = Date.now();
    for (const one of this.#open) if (one.expiresAtMs <= nowMs) this.#open.delete(one);
    const [oldest, ...others] = [...this.#open].filter((one) => one.network === network);
    if (oldest && others.length + 1 >= MAX_PER_NETWORK) {
      const retryAfterSeconds = Math.ceil((oldest.expiresAtMs - nowMs) / 1000);
      throw new TooManySignIns('RATE_LIMITED', 'This network has too many unfinished sign-ins.', { retryAfterSeconds });
    }
    const begun = { network, expiresAtMs: nowMs + ATTEMPT_MS };
    this.#open.add(begun);
    return () => this.#open.delete(begun);
  }
}

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
 * household usually owns the rest, and undefined if the text is not an address. Ignores a port, which some proxies add.
 * @internal
 */
function toNetwork(text: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(text.trim()) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? text.trim()).split('%'); // The part after % names an interface.
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return undefined;
  const first = convertIPv6ToBinary(address.replace(/\d+(?:\.\d+){3}$/, '0:0')) >> 64n;
  return `${[48n, 32n, 16n, 0n].map((shift) => ((first >> shift) & 0xffffn).toString(16)).join(':')}::/64`;
}
