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
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: { exchange: Exchange };
}

/**
 * The caller's address with `trustedProxies` reverse proxies in front, of which each has appended to X-Forwarded-For
 * the address it was called from. What stands further left anybody could have written.
 */
export function clientAddress(context: Context<HttpEnv>, trustedProxies: number): string {
  const forwarded = context.req.header('x-forwarded-for')?.split(',') ?? [];
  const hops = [...forwarded.map((hop) => hop.trim()), getConnInfo(context).remote.address ?? 'unknown'];
  return (hops.at(-1 - trustedProxies) ?? hops[0] ?? 'unknown').slice(0, 64);
}
