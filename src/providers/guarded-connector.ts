import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../basics/public-address.ts';
import type { LookupAll } from './dns-lookup.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Creates a connector that opens sockets only to addresses the policy permits. In production these are public addresses
 * over https. Development also permits plain http to addresses that are not public. The check applies to the resolved
 * address of each connection.
 * @param isAllowed permits addresses that are not public, in production.
 */
export function createGuardedConnector(
  production: boolean,
  isAllowed: (address: string) => boolean,
  lookUp: LookupAll = lookup,
): buildConnector.connector {
  const guarded = (protocol: string): buildConnector.connector => {
    const permits = (address: string) => {
      const open = isPublicAddress(address);
      return production ? (open || isAllowed(address)) && protocol === 'https:' : !open || protocol === 'https:';
    };
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: createGuardedLookup(permits, lookUp) });
    return (options, callback) => {
      // A host that is already an address skips the lookup.
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !permits(host)) callback(refusal(), null);
      else connect(options, callback);
    };
  };
  const plain = guarded('http:');
  const secure = guarded('https:');
  return (options, callback) => (options.protocol === 'https:' ? secure : plain)(options, callback);
}

const refusal = () => Object.assign(new Error('The egress policy refuses this address.'), { code: 'EGRESS_REFUSED' });

/** Creates a lookup that returns only the addresses the policy permits. */
const createGuardedLookup =
  (permits: (address: string) => boolean, resolve: LookupAll = lookup): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) => permits(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(), '');
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
