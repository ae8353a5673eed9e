import { isIPv4, isIPv6 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { ErrorCode } from '../../basics/codes.ts';
import type { CorrelationId } from '../../basics/ids.ts';
import type { Log } from '../../basics/log.ts';

/** One request and its answer: the facts that all of its handlers share. */
export interface Exchange {
  readonly correlationId: CorrelationId;
  /** The client's address as a key for rate limits; see `getClientAddress`. */
  readonly address: string;
  /** Adds the correlation id to every line. */
  readonly log: Log;
  /** The sender, once known: the id of an app or of an operator's token. */
  callerId?: string;
  /** The root fields that ran, by their key in the answer. */
  readonly operations: Map<string, string>;
  /** The error codes in the answer. */
  readonly codes: ErrorCode[];
  /** Why requests were forbidden: sentences of ours, without data of the request. */
  refusals?: readonly string[];
  /** Called when the request has been handled, even if it failed. */
  readonly atEnd: (() => void)[];
  /** Work that continues although the request was answered, because it took too long. Only then the request has ended. */
  unfinished?: Promise<unknown> | undefined;
}

/** The headers of a request, by their names in lower case. Repeated ones are joined as Fetch joins them. */
export type RequestHeaders = Pick<Headers, 'get'>;

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: { exchange: Exchange };
}

/**
 * Finds the address that rate limits count a request for. Each of `trustedProxies` reverse proxies has appended its
 * client's address to X-Forwarded-For. Entries further left may be forged, so they are ignored. If the header has too
 * few entries, the connection's own address counts.
 * @param own the connection's.
 */
export function getClientAddress(own: string, headers: RequestHeaders, trustedProxies: number): string {
  const forwarded = trustedProxies === 0 ? [] : (headers.get('x-forwarded-for')?.split(',') ?? []);
  return findNetwork(forwarded.at(-trustedProxies) ?? own) ?? findNetwork(own) ?? 'unknown';
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Reduces an address to its network: an IPv4 address unchanged, an IPv6 address to its first 64 bits, because one
 * household or server usually owns the rest. Ignores a port, which some proxies add.
 * @returns undefined if the text is not an address.
 * @internal
 */
export function findNetwork(text: string): string | undefined {
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
