import { isIPv4, isIPv6 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { ErrorCode } from '../../errors.ts';
import type { CorrelationId } from '../../ids.ts';
import type { Log } from '../../log.ts';

/** One request and its answer, as far as everything that handles it has to know. */
export interface Exchange {
  readonly correlationId: CorrelationId;
  /** Who asks, as a key for rate limits; see `clientAddress`. */
  readonly address: string;
  /** Says the correlation id in every line. */
  readonly log: Log;
  /** The root fields that ran, by the key each is answered under. */
  readonly operations: Map<string, string>;
  /** The codes answered. */
  readonly codes: ErrorCode[];
  /** What is to be done once the answer has been made, whatever it is. */
  readonly atEnd: (() => void)[];
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: { exchange: Exchange };
}

/**
 * Whom to count a request for, with `trustedProxies` reverse proxies in front, of which each has appended to
 * X-Forwarded-For the address it was called from. What stands further left anybody could have written, and so could
 * whoever comes past a proxy: then it is the connection's own address. Nothing but the configuration decides.
 */
export function clientAddress(context: Context<HttpEnv>, trustedProxies: number): string {
  const own = getConnInfo(context).remote.address ?? '';
  const forwarded = context.req.header('x-forwarded-for')?.split(',') ?? [];
  const said = trustedProxies === 0 ? own : (forwarded.at(-trustedProxies) ?? own);
  return networkOf(said) ?? networkOf(own) ?? 'unknown';
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * An IPv4 address as it is, of an IPv6 address its first 64 bits: a household, or a server, has all of the rest to
 * itself. A port behind it, which some proxies add, counts for nothing.
 * @returns undefined for what is no address.
 */
export function networkOf(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed, dotted] = WITH_PORT.exec(trimmed) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? trimmed).split('%'); // Behind it is the name of an interface.
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (isIPv4(mapped ?? address)) return mapped ?? address;
  return isIPv6(address) ? `${first64BitsOf(address)}::/64` : undefined;
}

/** Written in one way however the address is: no leading zeros, no shortened run of them, lower case. */
function first64BitsOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end stands for two groups.
  const length = before.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: 8 - length }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
