import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import { asId, type KeyId } from '../../ids.ts';
import type { App, KeyOwner } from '../../store/apps.ts';
import { FailureDelay } from '../http/failure-delay.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import type { Turns } from '../http/turns.ts';
import type { GraphqlOptions } from './graphql.ts';

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
  const [, id = '', secret = ''] = (authorization?.startsWith(SCHEME) && BEARER.exec(authorization)) || [];
  const keyId = asId<KeyId>(id);
  if (keyId === undefined) throw unauthenticated();
  return { keyId, secretSha256: createHash('sha256').update(secret).digest() };
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
  findKeyOwner: (keyId: KeyId) => Promise<KeyOwner | undefined>,
  delays: FailureDelay = new FailureDelay(WRONG_KEYS),
  known: KnownCallers = new KnownCallers(),
) {
  async function findOwner(authorization: string | null): Promise<KeyOwner> {
    const { keyId, secretSha256 } = readCredentials(authorization);
    const owner = await findKeyOwner(keyId);
    if (!owner?.usable || !timingSafeEqual(owner.secretSha256, secretSha256)) throw unauthenticated();
    return owner;
  }

  return async (authorization: string | null, address: string): Promise<App> => {
    const owner = await findOwner(authorization).catch(async (error: unknown) => {
      known.delete(authorization); // A refused key must not cost a read with every request.
      if (error instanceof ServiceError) await delays.delayFailure(address);
      throw error;
    });
    const { appId, name, enabled, requestsPerSecond } = owner;
    if (!enabled) {
      known.delete(authorization);
      throw new ServiceError('FORBIDDEN', 'The app is disabled.');
    }
    if (!known.buckets.take(appId, { perSecond: requestsPerSecond, burst: requestsPerSecond })) {
      throw new ServiceError('RATE_LIMITED', `The app may send ${requestsPerSecond} requests a second.`, {
        retryAfterSeconds: 1,
      });
    }
    const app = { appId, name, enabled, requestsPerSecond };
    known.add(authorization, app);
    return app;
  };
}

/** More than an api meets in an hour. A forgotten key costs its next request one more round trip. */
const MAX_KNOWN = 1_000;

/**
 * Remembers which app a valid Authorization header belonged to, which never changes, and counts the apps' requests. With
 * it a read starts while the database is asked whether the key and the app are still valid. It proves nothing by itself.
 */
class KnownCallers {
  readonly buckets = new TokenBuckets();
  readonly #apps = new Map<string, App>();

  /** @returns undefined also for an app that has used up its rate: nothing is read for it. */
  find(authorization: string | null): App | undefined {
    const app = authorization === null ? undefined : this.#apps.get(hash(authorization));
    if (app === undefined) return undefined;
    return this.buckets.has(app.appId, { perSecond: app.requestsPerSecond, burst: app.requestsPerSecond })
      ? app
      : undefined;
  }

  delete(authorization: string | null): void {
    if (authorization !== null) this.#apps.delete(hash(authorization));
  }

  add(authorization: string | null, app: App): void {
    if (authorization === null) return;
    const key = hash(authorization);
    // Deleted and set again, the map keeps its keys in the order of their last use.
    this.#apps.delete(key);
    this.#apps.set(key, app);
    const [oldest] = this.#apps.size > MAX_KNOWN ? this.#apps.keys() : [];
    if (oldest !== undefined) this.#apps.delete(oldest);
  }
}

/**
 * Creates the parts of `createGraphql` that admit apps by their keys.
 * @param createContext what resolvers get besides the public context.
 */
export function createAppAccess(
  findKeyOwner: (keyId: KeyId) => Promise<KeyOwner | undefined>,
  turns: Turns,
  createContext: (app: App) => object,
): Required<Pick<GraphqlOptions, 'authorize' | 'guess'>> {
  const known = new KnownCallers();
  const authenticate = createAuthenticator(shareQuestions(findKeyOwner), undefined, known);
  return {
    authorize: async (authorization, exchange) => {
      const app = await authenticate(authorization, exchange.address);
      await turns.take(app.appId, exchange);
      return createContext(app);
    },
    guess: (authorization, exchange) => {
      const app = known.find(authorization);
      // If all turns are taken, the key is checked before the request waits or is refused.
      if (app === undefined || !turns.takeNow(app.appId, exchange)) return undefined;
      return { context: createContext(app), check: () => authenticate(authorization, exchange.address) };
    },
  };
}

/** A connection to the database may hang. No request waits longer than this for the question of another one. */
const MAX_WAIT_MS = 1_000;

/**
 * Asks one question about a key at a time. Requests that arrive in the meantime share the next one, which begins when
 * the first has been answered: no request is judged by an answer to a question that is older than the request.
 * @internal
 */
export function shareQuestions<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const asked = new Map<Key, { readonly answer: Promise<Answer>; next?: Promise<Answer> }>();
  const start = (key: Key): Promise<Answer> => {
    const question: { answer: Promise<Answer>; next?: Promise<Answer> } = {
      answer: ask(key).finally(() => {
        if (asked.get(key) === question && question.next === undefined) asked.delete(key);
      }),
    };
    asked.set(key, question);
    return question.answer;
  };
  return (key) => {
    const current = asked.get(key);
    if (current === undefined) return start(key);
    current.next ??= waitFor(current.answer, MAX_WAIT_MS).then(() => start(key));
    return current.next;
  };
}

/** Resolves when `work` has ended, however it ends, or when the time is up. */
function waitFor(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}

/** The header holds a secret, which stays nowhere in memory. Whoever cannot guess the secret learns nothing by time. */
const hash = (authorization: string) => createHash('sha256').update(authorization).digest('base64');
