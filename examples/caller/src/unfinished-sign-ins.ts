import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Of the 20 unfinished sign-ins that the service allows the whole app. */
const MAX_PER_NETWORK = 5;
const ATTEMPT_MS = 10 * 60_000;

/** Too many sign-ins of one network are not finished. */
export class TooManySignIns extends Error {
  override readonly name = 'TooManySignIns';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Too many sign-ins of one network are not finished.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** One sign-in that counts until it is finished or its time is over. */
export interface UnfinishedSignIn {
  release(): void;
}

/** Counts unfinished sign-ins by network: the service cannot, as it only knows this server. */
export class UnfinishedSignIns {
  readonly #open = new Map<UnfinishedSignIn, { network: string; expiresAtMs: number }>();

  /** Call it before the service is asked. @throws TooManySignIns */
  begin(network: string): UnfinishedSignIn {
    const nowMs = Date.now();
    let count = 0;
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const [one, { network: its, expiresAtMs }] of this.#open) {
      if (expiresAtMs <= nowMs) this.#open.delete(one);
      else if (its === network) {
        count += 1;
        oldestMs = Math.min(oldestMs, expiresAtMs);
      }
    }
    if (count >= MAX_PER_NETWORK) throw new TooManySignIns(Math.ceil((oldestMs - nowMs) / 1000));
    const begun: UnfinishedSignIn = { release: () => void this.#open.delete(begun) };
    this.#open.set(begun, { network, expiresAtMs: nowMs + ATTEMPT_MS });
    return begun;
  }
}

/**
 * Who asks, as a key for limits: an IPv4 address, or the first 64 bits of an IPv6 one, since a single person has all
 * addresses of such a network. Each of our own proxies has appended the address it was called from to X-Forwarded-For;
 * what stands further left anybody could have written.
 */
export function networkOf(c: Context, trustedProxies: number): string {
  const forwarded = c.req.header('x-forwarded-for')?.split(',') ?? [];
  const hops = [...forwarded.map((hop) => hop.trim()), getConnInfo(c).remote.address ?? ''];
  return toNetwork(hops.at(-1 - trustedProxies) ?? hops[0] ?? '');
}

function toNetwork(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return isIPv4(address) ? address : 'unknown';
  const [left = '', right] = (address.split('%')[0] ?? '').split('::');
  const groups = left === '' ? [] : left.split(':');
  const rightGroups = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rightGroups.length) }, () => '0');
  const all = [...groups, ...(right === undefined ? [] : zeros), ...rightGroups];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
