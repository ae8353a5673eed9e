import { type LookupAddress, type LookupAllOptions, lookup, promises } from 'node:dns';

/** Looks up all addresses of a name. Node's `lookup` is one. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** Two tries take at most 3 seconds, which leaves time to connect. */
const LIMITS = { timeout: 700, tries: 2 };

/**
 * Creates a look-up that asks the name servers itself. Node's `lookup` blocks one of two threads of the whole process for each
 * name until the system gives up: names of a caller's choice, whose servers never answer, would delay every other look-up. This
 * one reads no hosts file and no search domains, except for `localhost`.
 * @param servers instead of the system's.
 */
export function createDnsLookup(servers?: readonly string[]): LookupAll {
  return (hostname, options, callback) => {
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return lookup(hostname, options, callback);
    const resolver = new promises.Resolver(LIMITS); // A new one reads the system's servers anew.
    if (servers) resolver.setServers(servers);
    void Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]).then(([four, six]) => {
      const found = [
        ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
      ];
      const failed = [four, six].find((each) => each.status === 'rejected');
      if (found.length > 0 || failed === undefined) callback(null, found);
      else callback(failed.reason, []);
    });
  };
}
