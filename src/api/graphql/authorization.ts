import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../basics/errors.ts';
import type { KeyId } from '../../basics/ids.ts';
import type { App } from '../../store/apps/apps.ts';
import type { KeyOwner } from '../../store/apps/keys.ts';
import { FailureDelay } from '../http/failure-delay.ts';
import type { Turns } from '../http/turns.ts';
import type { GraphqlOptions } from './contract.ts';
import { type Credentials, findCredentials, readCredentials, unauthenticated } from './credentials.ts';
import { KnownCallers } from './known-callers.ts';
import { type FindKeyOwner, Shedder, type ShedLimits } from './shedder.ts';

/** If an address sends wrong keys faster than this, each further answer waits a second. It holds only a socket. */
const WRONG_KEYS = { rate: { perSecond: 5, burst: 50 }, delayMs: 1_000, maxWaiting: 200 };

/**
 * Creates the function that finds the calling app by its Authorization header. It looks the key up on every request, so
 * a revoked key or a disabled app is refused on the next request. Wrong keys from an address never affect a valid key
 * from the same address.
 *
 * The function throws ServiceError `UNAUTHENTICATED` (delayed for an address that keeps sending wrong keys),
 * `FORBIDDEN` (the app is disabled) or `RATE_LIMITED` (too many requests by the app).
 *
 * @internal
 */
export function createAuthenticator(
  findKeyOwner: FindKeyOwner,
  delays: FailureDelay = new FailureDelay(WRONG_KEYS),
  known: KnownCallers = new KnownCallers(),
  noteUse: (keyId: KeyId) => void = () => {},
) {
  async function findOwner({ keyId, secretSha256 }: Credentials): Promise<KeyOwner> {
    const owner = await findKeyOwner(keyId);
    if (!owner?.usable || !timingSafeEqual(owner.secretSha256, secretSha256)) throw unauthenticated();
    noteUse(keyId);
    return owner;
  }

  /** @param read the credentials, if the caller has read them. */
  return async (authorization: string | null, address: string, read?: Credentials): Promise<App> => {
    let credentials = read;
    try {
      credentials ??= readCredentials(authorization);
      const owner = await findOwner(credentials);
      const { appId, name, enabled, requestsPerSecond } = owner;
      const app = { appId, name, enabled, requestsPerSecond };
      if (!enabled) known.delete(credentials);
      else known.add(credentials, app);
      return admit(app);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'UNAUTHENTICATED') throw error;
      if (credentials !== undefined) known.delete(credentials); // A refused key must not cost a read with every request.
      await delays.delayFailure(address);
      throw error;
    }
  };

  /** @throws ServiceError `FORBIDDEN` or `RATE_LIMITED` */
  function admit(app: App): App {
    const { appId, enabled, requestsPerSecond } = app;
    if (!enabled) throw new ServiceError('FORBIDDEN', 'The app is disabled.');
    if (!known.buckets.take(appId, { perSecond: requestsPerSecond, burst: requestsPerSecond })) {
      throw new ServiceError('RATE_LIMITED', `The app may send ${requestsPerSecond} requests a second.`, {
        retryAfterSeconds: 1,
      });
    }
    return app;
  }
}

/**
 * Creates the parts of `createGraphql` that admit apps by their keys.
 * @param noteUse is called at each use of a valid key.
 */
export function createAppAccess(
  findKeyOwner: FindKeyOwner,
  turns: { readonly queries: Turns; readonly mutations: Turns },
  noteUse?: (keyId: KeyId) => void,
  limits: ShedLimits = {},
): Required<Pick<GraphqlOptions, 'authorize' | 'guess'>> {
  const known = new KnownCallers();
  const shedder = new Shedder(findKeyOwner, limits);
  const { mayServe = () => undefined } = limits;
  const authenticate = createAuthenticator((id) => shedder.find(id), undefined, known, noteUse);
  return {
    authorize: async ({ authorization, exchange, isQuery }) => {
      mayServe();
      const credentials = findCredentials(authorization);
      if (credentials !== undefined) shedder.enter(exchange);
      const app = await authenticate(authorization, exchange.address, credentials);
      exchange.callerId = app.appId;
      await turns[isQuery ? 'queries' : 'mutations'].take(app.appId, exchange);
      return { app };
    },
    guess: ({ authorization, exchange, isQuery }) => {
      mayServe();
      const credentials = findCredentials(authorization);
      const app = credentials && known.find(credentials);
      // If all turns are taken, the key is checked before the request waits or is refused.
      if (app === undefined || !turns[isQuery ? 'queries' : 'mutations'].takeNow(app.appId, exchange)) return undefined;
      shedder.enter(exchange);
      exchange.callerId = app.appId;
      return { context: { app }, check: () => authenticate(authorization, exchange.address, credentials) };
    },
  };
}
