import * as client from 'openid-client';
import { meterIssuerCall } from './meter-issuer-call.ts';

/** The issuer cannot be reached or its metadata names another issuer, and we have no recent copy. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

export interface DiscoveryOptions {
  readonly fetch: client.CustomFetch;
  /** Takes issuers on plain http; for development only. */
  readonly allowHttp: boolean;
  /** A monotonic clock, in ms. */
  readonly nowMs?: () => number;
}

/** The back channel also checks the issuers' signatures, by business time. */
export type SignInOptions = DiscoveryOptions & { readonly now: () => Date };

/** The metadata of OpenID Connect issuers, with a cache. */
export interface Discovery {
  /** @throws IssuerUnavailable */
  getMetadata(issuer: string): Promise<client.ServerMetadata>;
}

const DISCOVERY_TIMEOUT_SECONDS = 5;
const FRESH_MS = 60 * 60 * 1000;
/** How long the last copy serves while the issuer does not answer, and how often we try again. */
const STALE_MS = 24 * 60 * 60 * 1000;
const ASK_AGAIN_MS = 60 * 1000;
/** How long a failure is remembered without a copy, so that reloading a page does not send a request each time. */
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
    // All clients of the issuer share its metadata. The client is named where it is used.
    const metadata = (
      await client.discovery(new URL(issuer), 'any', undefined, client.None(), options)
    ).serverMetadata();
    // The library tolerates small differences, such as a slash at the end. We require the exact text.
    if (metadata.issuer !== issuer) throw new IssuerUnavailable('The metadata names another issuer.');
    const readAtMs = nowMs();
    const copy = { metadata, readAtMs, freshUntilMs: readAtMs + FRESH_MS };
    copies.set(issuer, copy);
    return copy;
  }

  /** Sends one request to the issuer for all simultaneous calls. */
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
