import * as client from 'openid-client';
import { meterIssuerCall } from './meter-issuer-call.ts';

/** The issuer cannot be found, or calls itself by another name, and there is no good copy of what it said before. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

export interface DiscoveryOptions {
  readonly fetch: client.CustomFetch;
  /** Takes issuers on plain http; for development only. */
  readonly allowHttp: boolean;
  /** A clock that never goes back, in ms. */
  readonly nowMs?: () => number;
}

/** What OpenID Connect issuers say of themselves, asked for seldom. */
export interface Discovery {
  /** @throws IssuerUnavailable */
  getMetadata(issuer: string): Promise<client.ServerMetadata>;
}

const DISCOVERY_TIMEOUT_SECONDS = 5;
const FRESH_MS = 60 * 60 * 1000;
/** How long the last good copy serves while the issuer does not answer, and how often it is asked meanwhile. */
const STALE_MS = 24 * 60 * 60 * 1000;
const ASK_AGAIN_MS = 60 * 1000;
/** How long a failure stands where there is no copy: somebody who reloads a page must not have the issuer asked each time. */
const FAILED_MS = 5 * 1000;

interface Copy {
  readonly metadata: client.ServerMetadata;
  readonly readAtMs: number;
  freshUntilMs: number;
}

export function createDiscovery({ fetch, allowHttp, nowMs = () => performance.now() }: DiscoveryOptions): Discovery {
  const copies = new Map<string, Copy>();
  const failures = new Map<string, { cause: unknown; untilMs: number }>();
  const underway = new Map<string, Promise<Copy>>();
  const execute = allowHttp ? [client.allowInsecureRequests] : [];

  async function discover(issuer: string): Promise<Copy> {
    const options = { execute, timeout: DISCOVERY_TIMEOUT_SECONDS, [client.customFetch]: fetch };
    // The metadata is the same for every client of the issuer; the client is named where it is used.
    const metadata = (
      await client.discovery(new URL(issuer), 'any', undefined, client.None(), options)
    ).serverMetadata();
    // The library forgives a difference in writing, such as a slash at the end; here an issuer is its exact text.
    if (metadata.issuer !== issuer) throw new IssuerUnavailable('The issuer calls itself by another name.');
    const readAtMs = nowMs();
    const copy = { metadata, readAtMs, freshUntilMs: readAtMs + FRESH_MS };
    copies.set(issuer, copy);
    return copy;
  }

  /** However many ask at the same time, the issuer is asked once. */
  function discoverOnce(issuer: string): Promise<Copy> {
    const known = underway.get(issuer);
    if (known !== undefined) return known;
    const started = meterIssuerCall('discover', () => discover(issuer)).finally(() => underway.delete(issuer));
    underway.set(issuer, started);
    return started;
  }

  return {
    async getMetadata(issuer) {
      const last = copies.get(issuer);
      if (last && nowMs() < last.freshUntilMs) return last.metadata;
      const failure = failures.get(issuer);
      if (failure && nowMs() < failure.untilMs) throw unavailable(failure.cause);
      try {
        return (await discoverOnce(issuer)).metadata;
      } catch (error) {
        if (!last || nowMs() - last.readAtMs > STALE_MS) {
          failures.set(issuer, { cause: error, untilMs: nowMs() + FAILED_MS });
          throw unavailable(error);
        }
        last.freshUntilMs = nowMs() + ASK_AGAIN_MS;
        return last.metadata;
      }
    },
  };
}

const unavailable = (cause: unknown) => new IssuerUnavailable('The issuer cannot be discovered.', { cause });
