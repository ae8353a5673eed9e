import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens sockets only where the policy lets them go: in production to public addresses by https, in development also by
 * plain http to addresses that are not public. It is decided on the very address that is connected to.
 */
export function createGuardedConnector(production: boolean): buildConnector.connector {
  const guarded = (protocol: string): buildConnector.connector => {
    const permits = (address: string) => {
      const open = isPublicAddress(address);
      return production ? open && protocol === 'https:' : !open || protocol === 'https:';
    };
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: createGuardedLookup(permits) });
    return (options, callback) => {
      // A host that is an address already is never looked up.
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

/** Looks a name up and keeps the addresses that the policy permits: of a mixed answer, the others are never tried. */
export const createGuardedLookup =
  (permits: (address: string) => boolean, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) => permits(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(), '');
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
