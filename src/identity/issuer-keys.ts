import * as client from 'openid-client';

/** The library reads the keys again for an unknown one only if it has had them this long. */
const SETTLED_SECONDS = 60;
/** The least time between two reads for an unknown key. */
const REREAD_SECONDS = 10;
/** The library takes no keys older than this. */
const STALE_SECONDS = 5 * 60;

interface Kept {
  readonly keys: client.ExportedJWKSCache;
  /** The time of the last read for an unknown key. */
  readonly rereadAt: number;
}

/** Keeps the signing keys of issuers between sign-ins. */
export interface IssuerKeys {
  /** Gives a configuration the keys that we have. */
  lend(issuer: string, configuration: client.Configuration): void;
  /** Takes the keys that a sign-in has read. */
  takeBack(issuer: string, configuration: client.Configuration): void;
}

/**
 * An issuer may sign with a new key in the second in which it creates it. So we read the keys again at once for an unknown
 * one, but at most once in ten seconds: the code is spent, and an issuer that names a wrong key must not cause a call with
 * every sign-in.
 */
export function createIssuerKeys(): IssuerKeys {
  const kept = new Map<string, Kept>();
  const lent = new WeakMap<client.Configuration, number>();
  return {
    lend(issuer, configuration) {
      const known = kept.get(issuer);
      const now = Math.floor(Date.now() / 1000);
      if (known === undefined || now - known.keys.uat >= STALE_SECONDS) return;
      const { jwks, uat } = known.keys;
      const mayReread = now - known.rereadAt >= REREAD_SECONDS;
      const asOf = mayReread ? Math.min(uat, now - SETTLED_SECONDS) : Math.max(uat, now - SETTLED_SECONDS + 1);
      lent.set(configuration, asOf);
      client.setJwksCache(configuration, { jwks, uat: asOf });
    },

    takeBack(issuer, configuration) {
      const keys = client.getJwksCache(configuration);
      const asOf = lent.get(configuration);
      if (keys?.uat === asOf) return;
      const rereadAt = asOf === undefined ? 0 : Math.floor(Date.now() / 1000);
      const known = keys === undefined ? kept.get(issuer)?.keys : structuredClone(keys);
      if (known !== undefined) kept.set(issuer, { keys: known, rereadAt });
    },
  };
}
