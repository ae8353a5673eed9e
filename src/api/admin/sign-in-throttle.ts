import { ServiceError } from '../../errors.ts';
import type { AdminTokenId } from '../../ids.ts';
import { insertAuditEntry } from '../../store/setup.ts';
import type { Database } from '../../store/sql.ts';
import type { Exchange } from '../http/exchange.ts';
import { TokenBuckets } from '../http/token-buckets.ts';

/** Failed sign-ins at the issuer from one address; each costs a request to it. */
const FAILURES = { perSecond: 0.5, burst: 20 };
/** Entries in the audit log that anybody can cause: with one outcome from one address, and from all together. */
const NOTED_FROM_ONE = { perSecond: 1 / 60, burst: 20 };
const NOTED_FROM_ALL = { perSecond: 1, burst: 1_000 };

/** What somebody did who has not proven who it was. */
export type UnauthenticatedAction = 'authenticate' | 'signIn' | 'signOut';

/** Bounds what can be done by those who have not proven who they are, and notes it. */
export class SignInThrottle {
  readonly #sql: Database;
  readonly #failures = new TokenBuckets();
  readonly #noted = new TokenBuckets();

  constructor(sql: Database) {
    this.#sql = sql;
  }

  /**
   * Runs a sign-in at the issuer, which fails with a ServiceError. It is counted before its outcome is known, so that
   * guesses made at once are bounded like those made one after the other, and not counted after all unless it failed.
   * @throws ServiceError `RATE_LIMITED` after too many failures from this address; what `work` throws.
   */
  async throttle<T>(exchange: Exchange, action: UnauthenticatedAction, work: () => Promise<T>): Promise<T> {
    const { address } = exchange;
    if (!this.#failures.take(address, FAILURES)) {
      await this.auditRefusal(exchange, action, 'RATE_LIMITED');
      throw new ServiceError('RATE_LIMITED', 'Too many failed tries from this address.', { retryAfterSeconds: 2 });
    }
    let failed = false;
    try {
      return await work();
    } catch (error) {
      failed = error instanceof ServiceError;
      throw error;
    } finally {
      if (!failed) this.#failures.refund(address, FAILURES);
    }
  }

  /**
   * Writes a refusal to the audit log, as long as there is room: nobody can fill it from outside. Beyond that the log
   * line of the request tells of it.
   * @param findTarget the token that was named, where there is such a one: the id is the asker's claim.
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
