import { timingSafeEqual } from 'node:crypto';
import type { KeyId } from '../../basics/ids.ts';
import type { App } from '../../store/apps/apps.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import type { Credentials } from './credentials.ts';

/** More than an api meets in an hour. A forgotten key costs its next request one more round trip. */
const MAX_KNOWN = 1_000;

/**
 * Remembers which app valid credentials belonged to, which never changes, and counts the apps' requests. With it a read
 * starts while the database is asked whether the key and the app are still valid. It alone proves nothing. Like the
 * database, it holds hashes of secrets only.
 */
export class KnownCallers {
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
