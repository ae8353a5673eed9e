import { hash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../basics/errors.ts';
import { asId, type KeyId, newId } from '../../basics/ids.ts';
import type { App } from '../../store/apps/apps.ts';
import type { KeyOwner } from '../../store/apps/keys.ts';
import type { Exchange } from '../http/exchange.ts';
import { FailureDelay } from '../http/failure-delay.ts';
import { unavailable, waitFor } from '../http/in-time.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { Turns } from '../http/turns.ts';
import type { GraphqlOptions } from './contract.ts';

export interface Credentials {
  readonly keyId: KeyId;
  /** SHA-256 over the 64 hexadecimal characters as the caller sent them. */
  readonly secretSha256: Buffer;
}

const BEARER = /^Bearer ([0-9a-f-]{36})\.([0-9a-f]{64})$/i;
const SCHEME = 'Bearer ';

/**
 * Reads `Bearer <uuid>.<64 hex>`. The key id may be in either case. The secret must be in the case we issued.
 * @throws ServiceError `UNAUTHENTICATED` for anything else.
 */
export function readCredentials(authorization: string | null): Credentials {
  const credentials = findCredentials(authorization);
  if (credentials === undefined) throw unauthenticated();
  return credentials;
}

function findCredentials(authorization: string | null): Credentials | undefined {
  const [, id = '', secret = ''] = (authorization?.startsWith(SCHEME) && BEARER.exec(authorization)) || [];
  const keyId = asId<KeyId>(id);
  return keyId && { keyId, secretSha256: hash('sha256', secret, 'buffer') };
}

/** The same answer for a missing, malformed, unknown, revoked or expired key, so that a guess reveals nothing. */
const unauthenticated = () => new ServiceError('UNAUTHENTICATED', 'This needs a valid application key.');

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

/** More than an api meets in an hour. A forgotten key costs its next request one more round trip. */
const MAX_KNOWN = 1_000;

/**
 * Remembers which app valid credentials belonged to, which never changes, and counts the apps' requests. With it a read
 * starts while the database is asked whether the key and the app are still valid. It proves nothing by itself. Like the
 * database, it holds hashes of secrets only.
 */
class KnownCallers {
  readonly buckets = new TokenBuckets();
  readonly #callers = new Map<KeyId, { readonly secretSha256: Buffer; readonly app: App }>();

  /** @returns undefined also for an app that has used up its rate: nothing is read for it. */
  find({ keyId, secretSha256 }: Credentials): App | undefined {
    const caller = this.#callers.get(keyId);
    if (caller === undefined || !timingSafeEqual(caller.secretSha256, secretSha256)) return undefined;
    const { appId, requestsPerSecond } = caller.app;
    return this.buckets.has(appId, { perSecond: requestsPerSecond, burst: requestsPerSecond }) ? caller.app : undefined;
  }

  delete({ keyId, secretSha256 }: Credentials): void {
    const caller = this.#callers.get(keyId);
    if (caller !== undefined && timingSafeEqual(caller.secretSha256, secretSha256)) this.#callers.delete(keyId);
  }

  add({ keyId, secretSha256 }: Credentials, app: App): void {
    // Deleted and set again, the map keeps its keys in the order of their last use.
    this.#callers.delete(keyId);
    this.#callers.set(keyId, { secretSha256, app });
    const [oldest] = this.#callers.size > MAX_KNOWN ? this.#callers.keys() : [];
    if (oldest !== undefined) this.#callers.delete(oldest);
  }
}

type FindKeyOwner = (keyId: KeyId) => Promise<KeyOwner | undefined>;

/** A healthy database finds a key within milliseconds. */
const KEY_WITHIN_MS = 3_000;
/** While none is found, the database is asked again in this time. */
const PROBE_EVERY_MS = 250;
/** Unfinished requests of all apps: some 20 KB each. A healthy process has a few dozen. */
const MAX_UNFINISHED = 2_000;

/**
 * Sheds load. While the database does not answer, or too many requests are unfinished, requests are refused at once, so
 * that they neither wait in vain nor use memory.
 */
class Shedder {
  readonly #all: Turns;
  readonly #keyWithinMs: number;
  readonly #probeEveryMs: number;
  readonly #findKeyOwner: FindKeyOwner;
  /**
   * When the unanswered questions for keys were asked, the oldest first. Without those that were asked before one that is
   * answered: they hang alone, with a connection that is lost for example, and say nothing about the others.
   */
  readonly #askedAtMs = new Set<{ readonly atMs: number }>();
  #probedAtMs = 0;

  constructor(
    findKeyOwner: FindKeyOwner,
    { keyWithinMs = KEY_WITHIN_MS, maxUnfinished = MAX_UNFINISHED, probeEveryMs = PROBE_EVERY_MS }: ShedLimits,
  ) {
    this.#findKeyOwner = findKeyOwner;
    this.#all = new Turns({ running: maxUnfinished, waiting: 0 });
    this.#keyWithinMs = keyWithinMs;
    this.#probeEveryMs = probeEveryMs;
  }

  /** Counts a request until it ends. @throws ServiceError `UPSTREAM_UNAVAILABLE` if the service cannot serve it now. */
  enter(exchange: Exchange): void {
    const [oldest] = this.#askedAtMs;
    const isStuck = oldest !== undefined && performance.now() - oldest.atMs > this.#keyWithinMs;
    if (isStuck) this.#probe();
    if (isStuck || !this.#all.takeNow('', exchange)) throw unavailable();
  }

  /** Finds out if the database answers again. The oldest question may hang with its connection. */
  #probe(): void {
    if (performance.now() - this.#probedAtMs < this.#probeEveryMs) return;
    this.#probedAtMs = performance.now();
    this.#ask(newId<KeyId>()).catch(() => undefined); // Without an answer the next request asks again.
  }

  /** Waits for a key, but not for a database that hangs. @throws ServiceError `UPSTREAM_UNAVAILABLE` */
  async find(keyId: KeyId): Promise<KeyOwner | undefined> {
    const answer = await waitFor(
      this.#ask(keyId).then((owner) => ({ owner })),
      this.#keyWithinMs,
    );
    if (answer === undefined) throw unavailable();
    return answer.owner;
  }

  async #ask(keyId: KeyId): Promise<KeyOwner | undefined> {
    const asked = { atMs: performance.now() };
    this.#askedAtMs.add(asked);
    try {
      return await this.#findKeyOwner(keyId);
    } finally {
      this.#forget(asked);
    }
  }

  #forget(answered: { readonly atMs: number }): void {
    this.#askedAtMs.delete(answered);
    for (const asked of this.#askedAtMs) {
      if (asked.atMs >= answered.atMs) break;
      this.#askedAtMs.delete(asked);
    }
  }
}

export interface ShedLimits {
  /** Refuses everything while the database may not serve. @throws ServiceError */
  readonly mayServe?: () => void;
  readonly keyWithinMs?: number;
  readonly maxUnfinished?: number;
  readonly probeEveryMs?: number;
}

/**
 * Creates the parts of `createGraphql` that admit apps by their keys.
 * @param noteUse learns of each use of a valid key.
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
