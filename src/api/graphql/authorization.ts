import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../basics/errors.ts';
import type { KeyId } from '../../basics/ids.ts';
import type { App } from '../../store/apps/apps.ts';
import type { KeyOwner } from '../../store/apps/keys.ts';
import type { Exchange } from '../http/exchange.ts';
import { FailureDelay } from '../http/failure-delay.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import type { Turns } from '../http/turns.ts';
import type { Called, GraphqlOptions } from './contract.ts';
import { type Credentials, findCredentials, readCredentials, unauthenticated } from './credentials.ts';
import { type FindKeyOwner, Shedder, type ShedLimits } from './shedder.ts';

/** If an address sends wrong keys faster than this, each further answer waits a second. It holds only a socket. */
const WRONG_KEYS = { rate: { perSecond: 5, burst: 50 }, delayMs: 1_000, maxWaiting: 200 };

/** Learns how each check of credentials has ended. */
interface CheckObserver {
  accepted(credentials: Credentials, app: App): void;
  /** The key is not valid, or its app is disabled. */
  refused(credentials: Credentials): void;
}

const NOBODY: CheckObserver = { accepted: () => undefined, refused: () => undefined };

interface AuthenticatorOptions {
  readonly delays?: FailureDelay;
  readonly buckets?: TokenBuckets;
  readonly noteUse?: ((keyId: KeyId) => void) | undefined;
  readonly getObserver?: () => CheckObserver;
}

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
  {
    delays = new FailureDelay(WRONG_KEYS),
    buckets = new TokenBuckets(),
    noteUse = () => undefined,
    getObserver = () => NOBODY,
  }: AuthenticatorOptions = {},
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
      const { appId, name, enabled, requestsPerSecond } = await findOwner(credentials);
      const app = { appId, name, enabled, requestsPerSecond };
      if (enabled) getObserver().accepted(credentials, app);
      else getObserver().refused(credentials);
      return admit(app);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'UNAUTHENTICATED') throw error;
      if (credentials !== undefined) getObserver().refused(credentials);
      await delays.delayFailure(address);
      throw error;
    }
  };

  /** @throws ServiceError `FORBIDDEN` or `RATE_LIMITED` */
  function admit(app: App): App {
    const { appId, enabled, requestsPerSecond } = app;
    if (!enabled) throw new ServiceError('FORBIDDEN', 'The app is disabled.');
    if (!buckets.take(appId, getRate(app))) {
      throw new ServiceError('RATE_LIMITED', `The app may send ${requestsPerSecond} requests a second.`, {
        retryAfterSeconds: 1,
      });
    }
    return app;
  }
}

const getRate = ({ requestsPerSecond }: App) => ({ perSecond: requestsPerSecond, burst: requestsPerSecond });

/** The steps of `authorize`, for code that takes them in another order: `src/api/fast/known-callers.ts`. */
interface AccessSteps {
  /** @throws ServiceError `UPSTREAM_UNAVAILABLE` */
  readonly mayServe: () => void;
  readonly findTurns: (called: Called) => Turns;
  /** Whether the app may send another request. */
  readonly hasRate: (app: App) => boolean;
  /** @throws ServiceError `UPSTREAM_UNAVAILABLE` */
  readonly enter: (exchange: Exchange) => void;
  /** @throws ServiceError as `authorize` does */
  readonly authenticate: (called: Called, credentials: Credentials) => Promise<App>;
}

/** Guesses who calls; see `GraphqlOptions.guess`. */
export type CreateGuess = (
  steps: AccessSteps,
) => CheckObserver & { readonly guess: NonNullable<GraphqlOptions['guess']> };

interface AccessOptions {
  /** Receives the id of each valid key that is used. */
  readonly noteUse?: ((keyId: KeyId) => void) | undefined;
  readonly limits?: ShedLimits | undefined;
  readonly createGuess?: CreateGuess | undefined;
}

/** Creates the parts of `createGraphql` that admit apps by their keys. */
export function createAppAccess(
  findKeyOwner: FindKeyOwner,
  turns: { readonly queries: Turns; readonly mutations: Turns },
  { noteUse, limits = {}, createGuess }: AccessOptions = {},
): Pick<GraphqlOptions, 'authorize' | 'guess'> {
  const { mayServe = () => undefined } = limits;
  const shedder = new Shedder(findKeyOwner, limits);
  const buckets = new TokenBuckets();
  let observer = NOBODY;
  const authenticate = createAuthenticator((id) => shedder.find(id), { buckets, noteUse, getObserver: () => observer });
  const findTurns = ({ isQuery }: Called) => turns[isQuery ? 'queries' : 'mutations'];
  const early = createGuess?.({
    mayServe,
    findTurns,
    hasRate: (app) => buckets.has(app.appId, getRate(app)),
    enter: (exchange) => shedder.enter(exchange),
    authenticate: ({ authorization, exchange }, credentials) =>
      authenticate(authorization, exchange.address, credentials),
  });
  if (early !== undefined) observer = early;
  return {
    authorize: async (called) => {
      mayServe();
      const { authorization, exchange } = called;
      const credentials = findCredentials(authorization);
      if (credentials !== undefined) shedder.enter(exchange);
      const app = await authenticate(authorization, exchange.address, credentials);
      exchange.callerId = app.appId;
      await findTurns(called).take(app.appId, exchange);
      return { app };
    },
    ...(early !== undefined && { guess: early.guess }),
  };
}
