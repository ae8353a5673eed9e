import { timingSafeEqual } from 'node:crypto';
import type { KeyId } from '../../basics/ids.ts';
import type { App } from '../../store/apps/apps.ts';
import type { CreateGuess } from '../graphql/authorization.ts';
import { type Credentials, findCredentials } from '../graphql/credentials.ts';

/** More than an api meets in an hour. A forgotten key costs its next request one more round trip. */
const MAX_KNOWN = 1_000;

/**
 * Remembers which app valid credentials belonged to, which never changes. With it a read starts while the database is asked
 * whether the key and the app are still valid. It proves nothing by itself. Like the database, it holds hashes of secrets only.
 */
class KnownCallers {
  readonly #callers = new Map<KeyId, { readonly secretSha256: Buffer; readonly app: App }>();

  find({ keyId, secretSha256 }: Credentials): App | undefined {
    const caller = this.#callers.get(keyId);
    return caller !== undefined && timingSafeEqual(caller.secretSha256, secretSha256) ? caller.app : undefined;
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

/**
 * Lets the requests of a known caller begin before its check has ended. A refused key is forgotten: it must not cost a read with
 * every request. If the app's rate or its turns are used up, the key is checked before the request waits or is refused.
 */
export const createGuess: CreateGuess = (steps) => {
  const known = new KnownCallers();
  return {
    accepted: (credentials, app) => known.add(credentials, app),
    refused: (credentials) => known.delete(credentials),
    guess: (called) => {
      steps.mayServe();
      const { authorization, exchange } = called;
      const credentials = findCredentials(authorization);
      if (credentials === undefined) return undefined;
      const app = known.find(credentials);
      if (app === undefined || !steps.hasRate(app)) return undefined;
      if (!steps.findTurns(called).takeNow(app.appId, exchange)) return undefined;
      steps.enter(exchange);
      exchange.callerId = app.appId;
      return { context: { app }, check: () => steps.authenticate(called, credentials) };
    },
  };
};
