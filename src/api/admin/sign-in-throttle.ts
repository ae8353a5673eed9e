import { ServiceError } from '../../basics/errors.ts';
import type { AdminTokenId } from '../../basics/ids.ts';
import type { Database } from '../../store/driver/sql.ts';
import { insertAuditEntry } from '../../store/operators/audit-log.ts';
import type { Exchange } from '../http/exchange.ts';
import { TokenBuckets } from '../http/token-buckets.ts';

/** The rate of failed sign-ins at the issuer, of a known browser or from an address. Each one costs a request to it. */
const FAILURES = { perSecond: 0.5, burst: 20 };
/** The rate of audit entries that unauthenticated requests cause: per outcome and address, and in total. */
const NOTED_FROM_ONE = { perSecond: 1 / 60, burst: 20 };
const NOTED_FROM_ALL = { perSecond: 1, burst: 1_000 };

/** An action without authentication. */
export type UnauthenticatedAction = 'authenticate' | 'signIn' | 'signOut';

/** Limits failed sign-ins, and records refusals in the audit log within a bound. */
export class SignInThrottle {
  readonly #sql: Database;
  readonly #failures = new TokenBuckets();
  readonly #noted = new TokenBuckets();

  constructor(sql: Database) {
    this.#sql = sql;
  }

  /**
   * Runs a sign-in at the issuer, which fails with a ServiceError. Counts it before its outcome is known, so that
   * simultaneous guesses are limited too, and refunds it if it succeeds.
   * @param knownBrowser the id of a browser in which an operator has signed in. It has a limit of its own, so that others
   * behind its address cannot lock it out.
   * @throws ServiceError `RATE_LIMITED` after too many failures, and the errors of `work`.
   */
  async throttle<T>(
    exchange: Exchange,
    action: UnauthenticatedAction,
    knownBrowser: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const key = knownBrowser === undefined ? `address ${exchange.address}` : `browser ${knownBrowser}`;
    if (!this.#failures.take(key, FAILURES)) {
      await this.auditRefusal(exchange, action, 'RATE_LIMITED');
      throw new ServiceError(
        'RATE_LIMITED',
        'Too many sign-ins have failed here. Start again in a minute, or sign in with a token.',
        { retryAfterSeconds: 2 },
      );
    }
    let failed = false;
    try {
      return await work();
    } catch (error) {
      failed = error instanceof ServiceError;
      throw error;
    } finally {
      if (!failed) this.#failures.refund(key, FAILURES);
    }
  }

  /**
   * Writes a refusal to the audit log, up to a rate, so that strangers cannot fill it. Beyond that only the log
   * line of the request records it.
   * @param findTarget finds the named token, if it exists. The id is the sender's claim.
   */
  async auditRefusal(
    { address, correlationId }: Exchange,
    action: UnauthenticatedAction,
    outcome: string,
    findTarget?: () => Promise<AdminTokenId | undefined>,
  ): Promise<void> {
    const hasRoom =
      this.#noted.take(`${outcome} ${address}`, NOTED_FROM_ONE) && this.#noted.take('all', NOTED_FROM_ALL);
    if (!hasRoom) return;
    const target = (await findTarget?.()) ?? null;
    await insertAuditEntry(this.#sql, { actor: 'unknown', action, target, outcome, correlationId });
  }
}
