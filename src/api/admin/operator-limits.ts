import { ServiceError } from '../../basics/errors.ts';
import type { Database } from '../../store/driver/sql.ts';
import { insertAuditEntry, type NewAuditEntry } from '../../store/operators/audit-log.ts';
import { type Rate, TokenBuckets } from '../http/token-buckets.ts';
import { Turns } from '../http/turns.ts';
import { type Actor, formatActor } from './actor.ts';

/** Operations of one token: a console page has ten, and loads again every few seconds. */
const OPERATIONS: Rate = { perSecond: 50, burst: 400 };
/** Operations of one token that run at once. Callers and operators share the database connections of the process. */
const AT_ONCE = { running: 3, waiting: 200 };
/** Refusals of one operator that get an entry of their own in the audit log, which keeps its entries for ever. */
const OWN_ENTRIES: Rate = { perSecond: 0.1, burst: 200 };
/** Further refusals of an operator share one entry in each interval. */
const SHARED_EVERY_MS = 60_000;

interface Shared {
  readonly count: number;
  readonly last: NewAuditEntry;
}

/** Limits the requests of one operator's token to the process, so that it cannot slow down callers or fill the audit log. */
export class OperatorLimits {
  readonly #sql: Database;
  readonly #options: { readonly operations: Rate; readonly ownEntries: Rate; readonly sharedEveryMs: number };
  readonly #operations = new TokenBuckets();
  readonly #turns = new Turns(AT_ONCE);
  readonly #entries = new TokenBuckets();
  readonly #shared = new Map<string, Shared>();

  constructor(
    sql: Database,
    { operations = OPERATIONS, ownEntries = OWN_ENTRIES, sharedEveryMs = SHARED_EVERY_MS } = {},
  ) {
    this.#sql = sql;
    this.#options = { operations, ownEntries, sharedEveryMs };
  }

  /** Runs one operation in a turn of its token. @throws ServiceError `RATE_LIMITED`, and the errors of `work`. */
  async run<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
    const key = actor.tokenId ?? formatActor(actor);
    const { operations } = this.#options;
    if (!this.#operations.take(key, operations)) {
      throw new ServiceError('RATE_LIMITED', `A token may send ${operations.perSecond} operations a second.`, {
        retryAfterSeconds: 1,
      });
    }
    const atEnd: (() => void)[] = [];
    await this.#turns.take(key, { atEnd });
    try {
      return await work();
    } finally {
      for (const end of atEnd) end();
    }
  }

  /** Writes a refusal to the audit log. Beyond a rate, refusals of one operator share an entry with their count. */
  async recordRefusal(entry: NewAuditEntry): Promise<void> {
    if (this.#entries.take(entry.actor, this.#options.ownEntries)) return await insertAuditEntry(this.#sql, entry);
    this.#share({ count: 1, last: entry });
  }

  #share({ count, last }: Shared): void {
    const shared = this.#shared.get(last.actor);
    this.#shared.set(last.actor, { count: count + (shared?.count ?? 0), last });
    if (shared !== undefined) return;
    setTimeout(() => void this.#insertShared(last.actor), this.#options.sharedEveryMs).unref();
  }

  async #insertShared(actor: string): Promise<void> {
    const shared = this.#shared.get(actor);
    this.#shared.delete(actor);
    if (shared === undefined) return;
    const { count, last } = shared;
    const changes = [{ setting: 'refusals in this entry', from: null, to: String(count) }];
    // While the database is away, the entry waits for the next interval.
    await insertAuditEntry(this.#sql, { ...last, changes }).catch(() => this.#share(shared));
  }
}
